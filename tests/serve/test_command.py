"""``romans serve``: what it offers, its worker processes, and what it says where it cannot start."""

import asyncio
import socket
import tracemalloc

import pytest

from romans_agents import UnknownAgentError
from romans_env import Game
from romans_serve.games.served_game import ServedGame
from romans_serve.games.store import Seat
from romans_serve.thinkers.offers import offer_of
from romans_serve.thinkers.workers import Workers
from romans_serve.thinking import ThinkingError
from tests.pages import run_python_of
from tests.serve.servers import new_service, rules_of, serving

SLEEPER = """
import time

from romans_agents import Agent


class Sleeper(Agent):
    def act(self, view):
        if view.position()["decision"]["kind"] == "discard":
            time.sleep(60)
        return view.legal_actions()[0]
"""


def test_every_setup_that_is_offered_can_be_made():
    for game in ("romans-go-home", "roma", "dice-race"):
        offer = offer_of(game)
        said = offer.as_json()
        assert [one["num_players"] for one in said["setups"]]
        assert offer.opponent in {one.spec for one in offer.agents}
    offer = offer_of("romans-go-home")
    assert (offer.setups[0].name, offer.adviser) == ("2+0", "legate")
    assert offer.settings("3+0", {"variant": "vogel"})["variant"] == "vogel"
    with pytest.raises(ValueError, match="variant is one of 'standard', 'vogel', not 'x'"):
        offer.settings("2+0", {"variant": "x"})
    assert offer_of("romans-go-home", ["flat-mc:iterations=7"]).agents[-1][0] == "flat-mc:iterations=7"


def test_specs_of_a_browser_load_no_files_and_take_no_immense_options():
    workers = Workers(1, trusted=["bots.py:Bot"])
    workers.check("greedy", "romans-go-home")
    workers.check("bots.py:Bot", "romans-go-home")
    for spec in ("other.py:Bot", "x.npz", "round-ismcts:policy=x.npz", "flat-mc:iterations=99999999999", "nobody"):
        with pytest.raises(UnknownAgentError):
            workers.check(spec, "romans-go-home")


def test_a_worker_reviews_a_game():
    game = Game(rules_of("roma"), seed=2)
    while not game.is_over:
        game.act(game.legal_actions()[-1])
    workers, view, parts = Workers(1), Game(game.rules, seed=1).view(0), []

    async def run():
        """One is asked for, and given up; agents do not wait for it, nor does the next one."""
        given_up = asyncio.create_task(workers.review(game.rules, game.record(), parts.append))
        assert await workers.act("random", view, 1) in view.legal_actions()
        assert not given_up.done()
        given_up.cancel()
        return await workers.review(game.rules, game.record(), parts.append)

    try:
        found = asyncio.run(run())
    finally:
        workers.close()
    assert found.totals["player_0"]["luck"] == pytest.approx(-found.totals["player_1"]["luck"])
    assert found.totals["player_0"]["loss"] > 0 and found.sentences and '<section id="review"' in found.page
    # Every mistake was told of before the end.
    told = [part.mistake for part in parts if part.mistake]
    assert sorted(told, key=lambda one: -one["loss"])[: len(found.mistakes)] == found.mistakes and found.mistakes


def test_an_agent_that_hangs_is_ended_and_the_next_question_is_answered(tmp_path):
    bot = tmp_path / "sleeper.py"
    bot.write_text(SLEEPER, encoding="utf-8")
    spec = f"{bot}:Sleeper"
    game = Game(rules_of("romans-go-home"), seed=1)
    workers = Workers(1, seconds=1.0, trusted=[spec])
    try:
        with pytest.raises(ThinkingError, match=r"it took more than 1 s"):
            asyncio.run(workers.act(spec, game.view(0), 1))
        game.act(game.legal_actions()[0])
        assert asyncio.run(workers.act(spec, game.view(0), 1)) == game.legal_actions()[0]
        # To be made ready, an agent is not asked.
        assert asyncio.run(workers.prepare("act", spec, game.view(0), lambda count: None)) is None
        hint = asyncio.run(workers.hint("random", game.view(0), 1))
        assert sum(hint.probabilities.values()) == pytest.approx(1)
        assert {game.action_id(name) for name in hint.probabilities} == set(game.legal_actions())
        with pytest.raises(ThinkingError, match="nobody"):
            asyncio.run(workers.act("nobody", game.view(0), 1))
    finally:
        workers.close()


def test_a_port_in_use_and_a_file_that_is_no_database_are_one_line_each(called, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        code, _, err = called("serve", "--port", port, "--database", tmp_path / "games.sqlite")
    assert code == 2 and "the port is in use: name another one with --port" in err
    other = tmp_path / "other.sqlite"
    other.write_bytes(b"this is no database" * 100)
    code, _, err = called("serve", "--port", 0, "--database", other)
    assert code == 2 and "cannot be used as the database of games" in err
    assert other.read_bytes().startswith(b"this is no database")
    code, _, err = called("serve", "--agents", "nobody")
    assert "unknown agent 'nobody'" in err + str(code)


def test_a_database_is_its_owners_alone(tmp_path):
    service = new_service(tmp_path / "games.sqlite")
    service.store.close()
    assert (tmp_path / "games.sqlite").stat().st_mode & 0o077 == 0


def test_a_game_takes_little_memory():
    rules = rules_of("romans-go-home", "4+0")
    seats = [Seat(player) for player in rules.players]

    def played():
        served = ServedGame(rules, seats)
        while not served.game.is_over:
            served.act(served.game.legal_actions()[0])
        return served

    kept = [played() for _ in range(4)]  # with what is kept once, whatever ran before
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept += [played() for _ in range(3)]
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert len(kept) == 7
    assert taken / 3 < 100_000


def test_the_program_of_the_page_about_serving_plays(capsys):
    with serving(new_service()) as address:
        run_python_of("start/serving.md", change=lambda text: text.replace("http://127.0.0.1:8000", address))
    assert "Points:" in capsys.readouterr().out
