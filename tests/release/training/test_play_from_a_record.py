"""``romans play --from``: a game that was stopped goes on, and what a stranger's record may not do."""

import json
import random
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from romans_env import Game, RecordError, load_record, replay, save_record
from romans_env.errors import shortened
from romans_training.cli.play import command as play_command
from romans_training.cli.seating import game_of_record
from tests.fuzz.mutations import Judge, damaged_json
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE
from tests.romans_go_home.stages import random_game
from tests.tools import played
from tests.toy.in_a_file import write_game
from tests.training.terminals import flat, output_of, play_at

SETUPS = ((ROMANS_GO_HOME, {"num_neutrals": 1}), (ROMA, {}), (STRUGGLE, {"max_rounds": 2}))
AGENTS = {"romans-go-home": "greedy", "roma": "forum-runner", "struggle": "chieftain"}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder of its own: games are saved in the working directory."""
    monkeypatch.chdir(tmp_path)


def stopped(harness, settings, file="game.json", **agents):
    """A game that somebody has stopped at a decision of ``player_0``, and that was saved."""
    for seed in range(20):
        game = played(Game(harness.rules(**settings), seed=seed), seed, stop_after=25)
        if game.seat_to_act == 0:
            break
    game.agents = {**dict.fromkeys(game.players, AGENTS[harness.name]), "player_0": "human", **agents}
    save_record(game.record(), file)
    return game


def goes_on(*arguments, answers="1 " * 400 + "\n"):
    return output_of(play_command, "--from", "game.json", *arguments, answers=answers)


@pytest.mark.parametrize(("harness", "settings"), SETUPS, ids=AGENTS)
def test_a_game_goes_on_and_stays_one_record(harness, settings):
    game = stopped(harness, settings)
    out = goes_on("--save", "whole.json", "--seed", 1)
    assert "Points: you" in flat(out) and "record written to whole.json" in out
    whole = load_record("whole.json")
    assert whole["actions"][: len(game.actions)] == game.record()["actions"]
    assert whole["agents"] == game.agents
    assert replay(whole).result() == whole["result"] is not None
    # Its chance is new, and that of a seed.
    deals = []
    for seed in (1, 1, 2):
        goes_on("--save", "other.json", "--seed", seed)
        deals.append(load_record("other.json")["deal"])
    assert deals[0] == deals[1] == whole["deal"]
    assert (deals[2] != deals[0]) == (harness is not ROMANS_GO_HOME)


def test_a_stopped_game_says_how_it_goes_on():
    assert play_at("--save", "mine.json", answers="1\nq\n").endswith(
        "record written to mine.json\nstopped; continue with: romans play --from mine.json\n"
    )
    out = play_at(answers="1\nq\ns\n")
    assert "s saves the game, to continue it later (in romans-go-home-5.json, or s FILE" in flat(out)
    assert out.endswith("stopped; continue with: romans play --from romans-go-home-5.json\n")
    assert play_at(answers="1\nq\ns other name.json\n").endswith("romans play --from 'other name.json'\n")
    # Who has chosen nothing, or has taken it back, is not asked.
    for answers in ("q\n", "1\nu\nq\n"):
        assert "s saves" not in play_at(answers=answers)
    assert "stopped\n" in play_at(answers="1\nq\nno\n") and not Path("no").exists()


def test_what_happened_last_is_shown_first():
    stopped(ROMANS_GO_HOME, {"num_neutrals": 1})
    out = goes_on(answers="q\n")
    title, *_ = out.splitlines()
    assert title == "Romans Go Home!, 2 players, 1 neutral clan, from game.json"
    assert out.count("Turn ") < 6 and "player_" not in out
    assert out.endswith("stopped; continue with: romans play --from game.json\n")
    assert "s saves the game, to continue it later (in game.json, or s FILE" in flat(goes_on(answers="1\nq\nno\n"))


def test_a_seat_where_two_have_played_is_named_by_nobody():
    stopped(ROMANS_GO_HOME, {"num_neutrals": 1})
    out = goes_on("--against", "hoarder", "--save", "new.json", answers="q\n")
    assert load_record("new.json")["agents"] == {"player_0": "human", "player_1": None}
    assert out.endswith("romans play --from new.json --seat 0 --against hoarder\n")


def test_an_agent_of_ones_own_goes_on_where_it_is_named():
    Path("bots.py").write_text("class Bot:\n    def act(self, view):\n        return view.legal_actions()[0]\n")
    out = play_at("--against", "bots.py:Bot", "--save", "game.json", answers="1\nq\n")
    assert out.endswith("continue with: romans play --from game.json --against bots.py:Bot\n")
    assert "Points: you" in flat(goes_on("--against", "bots.py:Bot"))


def test_a_game_of_ones_own_goes_on(own_games):
    spec = "SPEC = GameSpec(name='dice-race', title='Dice Race', rules=DiceRace, env_id='DiceRace-v7')"
    write_game(f"from romans_env import GameSpec\n\n{spec}\n")
    out = play_at("--game", "my_game.py:SPEC", "--against", "random", "--save", "game.json", answers="1\nq\n")
    assert out.endswith(f"continue with: romans play --game {Path('my_game.py').resolve()}:SPEC --from game.json\n")
    assert "Points: you" in flat(goes_on("--game", "my_game.py:SPEC"))


def refusal(*arguments, answers="q\n"):
    result = CliRunner(env={"COLUMNS": "80"}).invoke(play_command, ["--from", "game.json", *arguments], input=answers)
    assert result.exit_code, result.output
    says = str(result.exception) if isinstance(result.exception, RecordError) else result.output
    return flat(says.rpartition("Error: ")[2])


@pytest.mark.parametrize(
    ("agents", "arguments", "says"),
    [
        ({}, ["--game", "roma"], "game.json is a game of romans-go-home: leave out --game"),
        ({}, ["--table", "2+0"], "the record of --from already has a setup: leave out --table"),
        ({}, ["--variant", "vogel"], "the record of --from already has a setup: leave out --variant"),
        ({}, ["--seat", "2"], "the seats are numbered 0 to 1"),
        ({}, ["--against", "greedy,greedy"], "2 agents for 1 seats; name one agent, or one for each seat"),
        ({"player_1": None}, [], "game.json does not say which seat is yours: name it with --seat"),
        ({"player_0": "greedy"}, [], "game.json does not say which seat is yours: name it with --seat"),
        ({"player_1": None}, ["--seat", "0"], "names no agent for player_1: name your opponents with --against"),
        ({"player_1": "gredy"}, [], "game.json: player_1: unknown agent 'gredy'"),
        ({"player_1": "policy:path=none.npz"}, [], "would load player_1 from a file: policy:path=none.npz"),
    ],
)
def test_what_does_not_fit_is_told_in_a_line(agents, arguments, says):
    stopped(ROMANS_GO_HOME, {"num_neutrals": 1}, **agents)
    assert says in refusal(*arguments)


def test_a_record_that_cannot_go_on_is_told_in_a_line():
    assert refusal() == "cannot read the record game.json: No such file or directory"
    save_record(random_game((2, 0), 1).record(), "game.json")
    assert refusal() == "the game in game.json is over: show it with romans replay"
    record = dict(stopped(ROMA, {}).record())
    for change, says in (
        ({"deal": None}, "game.json: the record's deal is missing"),
        ({"format": "chess/1"}, "game.json: unknown record format 'chess/1'"),
        ({"actions": ["player_0 castle"]}, "game.json: action 1 of 1, 'player_0 castle'"),
        ({"agents": {"player_1": "\x1b[2J"}}, "game.json: the record's agents: player_1 is"),
    ):
        Path("game.json").write_text(json.dumps({**record, **change}))
        assert refusal().startswith(says)
    Path("game.json").write_text("{")
    assert refusal().startswith("game.json is not a whole record")


def test_a_strangers_record_runs_no_code():
    trace = Path("trace")
    for name in ("bots.py", "game.py"):
        Path(name).write_text(f"open({str(trace)!r}, 'w')\nclass Bot:\n    def act(self, view):\n        return 0\n")
    specs = ("bots.py:Bot", f"process:{sys.executable} bots.py", "sb3:path=bots.zip", "llm:model", "bots.npz")
    for spec in specs:
        stopped(ROMANS_GO_HOME, {"num_neutrals": 1}, player_1=spec)
        says = refusal()
        assert "game.json may come from a stranger" in says and "--against if you trust it" in says
    record = stopped(ROMANS_GO_HOME, {"num_neutrals": 1}).record()
    Path("game.json").write_text(json.dumps({**record, "format": "game.py:SPEC/1"}))
    assert "unknown record format" in refusal()
    assert not trace.exists()
    stopped(ROMANS_GO_HOME, {"num_neutrals": 1}, player_1="bots.py:Bot")
    goes_on("--against", "bots.py:Bot", answers="q\n")
    assert trace.exists()


def test_damaged_records_are_refused_or_go_on(tmp_path):
    rng, judge = random.Random(6), Judge(RecordError, click.UsageError)
    whole = []
    for harness, settings in SETUPS:
        stopped(harness, settings, "game.json")
        whole.append(json.loads(Path("game.json").read_text()))

    def reads():
        seating = game_of_record(Path("game.json"), None, (), 1)
        assert not seating.game.is_over and seating.seat not in seating.opponents
        seating.game.act(seating.game.legal_actions()[0])
        shortened(seating.command(Path("game.json")))

    texts = [json.dumps(record).encode() for record in whole]
    damaged = [damaged_json(rng.choice(whole), rng, (0, 0, 1, 3)) for _ in range(400)]
    judge.tries_files(Path("game.json"), [*texts, *damaged], reads)
