"""A seat for an assistant, over the Model Context Protocol."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import threading

import pytest

from romans_env import RomansGoHome, Table
from romans_env.games import spec_of
from romans_env.render.language import AnswerError, describe
from romans_training.mcp_server import NoGameError, Seat, server_of


def first_action(text):
    """The first legal action that a text lists."""
    return next(line[2:].partition(": ")[0] for line in text.splitlines() if line.startswith("- "))


def played(player, **settings):
    """Every text that a seat gets in a game of first actions."""
    texts = [player.start(**settings)]
    while "The game is over." not in texts[-1]:
        texts.append(player.act(json.dumps({"actions": [first_action(texts[-1])]})))
    return texts


@pytest.mark.parametrize(
    ("setup", "opponents"),
    [(Table(2, 0), ["greedy"]), (Table(3, 1), ["greedy", "random"]), (Table(4, 0), ["random"])],
    ids=str,
)
def test_a_seat_plays_a_game_to_its_end(setup, opponents):
    seat = Seat(setup, opponents, seed=5)
    texts = played(seat, seat=1)
    assert texts[0].startswith("== Round 1 ==")
    assert "You are player_1." in texts[-1]
    assert seat.look() in texts[-1]
    second = played(seat, seat=1)
    again = Seat(setup, opponents, seed=5)
    assert [played(again, seat=1), played(again, seat=1)] == [texts, second]
    assert texts[0] != second[0]


def test_a_game_cannot_be_looked_at_from_another_seat_first():
    seat = Seat(Table(2, 0), ["greedy"], seed=5)
    seat.start(seat=1)
    seen = seat._game.deal()
    seat.start(seat=0)
    assert seat._game.deal()["rounds"] != seen["rounds"]


def test_a_seat_is_shown_its_view_and_its_story_alone():
    seat = Seat(Table(2, 0), ["greedy"], seed=5)
    text = seat.start(seat=0)
    while "The game is over." not in text:
        game = seat._game
        assert seat.look() == describe(game.view(0))
        assert text.endswith(seat.look())
        if game.position()["turn"] == 0:  # planning: nothing of the rival's cards is public
            told = text.partition("You are player_0.")[0]
            assert not re.search("player_1 (sets|places|puts)", told)
        text = seat.act(json.dumps({"actions": [first_action(text)]}))


def test_what_cannot_be_played_changes_nothing():
    seat = Seat(RomansGoHome(Table(2, 0)), ["greedy"])
    with pytest.raises(NoGameError, match="there is no game yet; start one"):
        seat.look()
    text = seat.start(seat=0)
    with pytest.raises(AnswerError, match="take:1 is not legal"):
        seat.act('{"actions": ["take:1"]}')
    assert text.endswith(seat.look())
    with pytest.raises(ValueError, match="seat is from 0 to 1, not 2"):
        seat.start(seat=2)
    with pytest.raises(ValueError, match="needs 1 opponents, not 2"):
        Seat(Table(2, 0), ["greedy", "random"])


class Failing:
    name = "failing"

    def seed(self, seed):
        pass

    def act(self, view):
        raise ValueError(f"it holds {view.position()['clans']['player_1']['hand']}")


def test_an_opponent_that_fails_tells_nothing_and_the_game_goes_on(caplog):
    seat = Seat(Table(2, 0), ["greedy"], seed=5)
    seat._opponents = [Failing()]
    texts = played(seat, seat=0)
    assert "You are player_0." in texts[-1]
    assert not any("it holds" in text for text in texts)
    assert "failing failed, and a random action is played: ValueError: it holds" in caplog.text


def test_calls_at_once_play_for_their_seat_alone():
    seat = Seat(Table(2, 0), ["greedy"], seed=5)
    errors = []

    def act():
        try:
            seat.act(json.dumps({"actions": [first_action(seat.look())]}))
        except (AnswerError, StopIteration) as error:  # the game may be over by then
            errors.append(str(error))

    for _ in range(60):
        seat.start(seat=0)
        threads = [threading.Thread(target=act) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not any("player_1 must decide" in error for error in errors)
        assert seat._game.seat_to_act in (0, None)


async def play_over(client):
    """Play a game through a client; gives the texts."""
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert tools == {"rules", "new_game", "look", "act"}
    wrong = await client.call_tool("look", {})
    assert wrong.is_error and "there is no game yet" in wrong.content[0].text
    texts = [(await client.call_tool("rules", {})).content[0].text]
    for name, arguments in (("new_game", {"seat_number": 0, "seed": 5}), ("look", {"viewer": "player_1"})):
        wrong = await client.call_tool(name, arguments)
        assert wrong.is_error and "Extra inputs are not permitted" in wrong.content[0].text
    result = await client.call_tool("new_game", {"seat_number": 0})
    texts.append(result.content[0].text)
    wrong = await client.call_tool("act", {"actions": ["take:1"]})
    assert wrong.is_error and "take:1 is not legal" in wrong.content[0].text
    while "The game is over." not in texts[-1]:
        result = await client.call_tool("act", {"actions": [first_action(texts[-1])]})
        assert not result.is_error, result
        texts.append(result.content[0].text)
    return texts


def test_a_scripted_client_plays_a_game():
    mcp = pytest.importorskip("mcp.client", reason="needs mcp; install the extra 'mcp'")

    async def run():
        async with mcp.Client(server_of(Seat(Table(2, 0), ["greedy"], seed=5), "romans-go-home")) as client:
            return await play_over(client)

    texts = asyncio.run(run())
    assert texts[1:] == played(Seat(Table(2, 0), ["greedy"], seed=5), seat=0)


def test_the_command_serves_over_standard_input_and_output():
    mcp = pytest.importorskip("mcp", reason="needs mcp; install the extra 'mcp'")
    stdio = pytest.importorskip("mcp.client.stdio")
    client_module = pytest.importorskip("mcp.client")
    arguments = ["-m", "romans_training.cli.launch", "mcp", "--against", "random", "--table", "2+0"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    parameters = mcp.StdioServerParameters(command=sys.executable, args=arguments, env=environment)

    async def run():
        async with client_module.Client(stdio.stdio_client(parameters)) as client:
            return await play_over(client)

    assert "The game is over." in asyncio.run(run())[-1]


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(ModuleNotFoundError, match=r'install the extra \'mcp\', by pip install "romans-env\[mcp\]"'):
        server_of(Seat(spec_of("romans-go-home").make_rules(), ["random"]), "romans-go-home")
