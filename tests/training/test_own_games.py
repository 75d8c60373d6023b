"""A game in a file, ``--game my_game.py:SPEC``, and games of installed packages: every command and maker takes them."""

import dataclasses
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import gymnasium
import pettingzoo
import pytest

import romans_agents
import romans_env
import romans_training
from romans_env import Game, save_record
from romans_env.core import games, registration
from romans_env.core.registration import OWN_GAMES, UnknownGameError, load
from tests.toy.in_a_file import write_game

pytestmark = pytest.mark.usefixtures("no_curves")

ID = "DiceRace-v0"
SPEC = f"""
from romans_env import GameSpec

SPEC = GameSpec(name="dice-race", title="Dice Race", rules=DiceRace, env_id="{ID}")
"""
SMALL = "--steps 256 --num-envs 8 --rollout-length 16 --minibatch-size 64 --hidden-layers 8 --evaluation-deals 2"


@pytest.fixture
def own_game(tmp_path, monkeypatch, own_games):
    """A game in a file, as commands name it; what becomes known is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    write_game(SPEC)
    yield "my_game.py:SPEC"
    for registry in (gymnasium.registry, pettingzoo.aec_registry, pettingzoo.parallel_registry):
        registry.pop(ID, None)


def finished_game(spec):
    game = Game(spec.make_rules(), seed=1)
    while not game.is_over:
        game.act(game.legal_actions()[0])
    return game


def test_environments_know_a_game_of_a_file(own_game):
    spec = load(own_game)
    assert gymnasium.make(ID, turns=3).reset(seed=1)[0].shape == (5,)
    assert gymnasium.make_vec(ID, num_envs=3).reset(seed=1)[0].shape == (3, 5)
    env = pettingzoo.make("aec", ID, turns=3)
    env.reset(seed=1)
    assert env.metadata["name"] == ID and env.last()[0]["action_mask"].shape == (100,)
    assert env.unwrapped.rules.setup.turns == 3
    assert pettingzoo.make("parallel", ID).reset(seed=1)[0].keys() == {"player_0", "player_1"}
    with pytest.raises(ValueError, match="unknown setting 'turn'"):
        pettingzoo.make("aec", ID, turn=3)
    assert romans_agents.make("random", game=spec.name)


@pytest.mark.parametrize(
    "command",
    [
        "evaluate random --deals 2",
        "evaluate flat-mc:iterations=4 --deals 2 --setup turns=3",
        "agents",
        "agents flat-mc",
        "train --folder run " + SMALL,
        "train --folder run --self-play 0.5 " + SMALL,
        "exploit random --by learning --deals 2 --folder out " + SMALL,
    ],
)
def test_commands_take_a_game_of_a_file(own_game, called, command):
    status, out, err = called(*command.split(), "--game", own_game)
    assert status == 0 and out, err


def test_people_play_a_game_of_a_file_and_warm_it_up(own_game, called, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nq\n"))
    _, out, err = called("play", "--game", own_game, "--seed", "1")
    assert "name:" in out and "Traceback" not in err
    assert called("warm-up", "--game", own_game)[0] == 0


def test_records_runs_and_policies_of_a_game_of_a_file_open_where_it_is_named(own_game, called):
    save_record(finished_game(load(own_game)).record(), "record.json")
    assert called("train", "--game", own_game, "--folder", "run", *SMALL.split())[0] == 0
    opened = {
        "replay record.json": "player_0 name:0",
        "export record.json --to chat --jsonl --out rows": "",
        "review record.json": "player_1",
        "evaluate run/policy.npz --deals 2": "run/policy.npz",
        "train --folder run --resume --steps 512": "",
    }
    for command, text in opened.items():
        games.unregister("dice-race")
        status, _, err = called(*command.split())
        said = f"{status} {err}"
        assert status and "dice-race" in said and "one of your own is named by its file, --game FILE.py:SPEC" in said
        status, out, err = called(*command.split(), "--game", own_game)
        assert status == 0 and text in out, (command, err)
    assert json.loads(Path("run/config.json").read_text())["game"] == "dice-race"


def test_processes_that_a_command_starts_know_the_game(own_game, called):
    status, out, err = called(
        "tournament", "random", "flat-mc:iterations=4", "--game", own_game, "--deals", "2", "--jobs", "2"
    )
    assert status == 0 and "flat-mc" in out, err


@pytest.mark.parametrize(
    ("change", "text", "message"),
    [
        ((), "no_game.py:SPEC", "cannot read the game's file no_game.py: No such file or directory"),
        ((), "my_game.py", "say which game of my_game.py is meant, as in my_game.py:SPEC; it has SPEC"),
        ((), "my_game.py:DiceRace", "say which game of my_game.py is meant, as in my_game.py:SPEC; it has SPEC"),
        ((), "my_game.py:SPEC:turns=3", "a game in a file is named as in my_game.py:SPEC"),
        (("SPEC = GameSpec", "# "), "my_game.py:SPEC", "it has no romans_env.GameSpec"),
        (('name="dice-race"', 'name="roma"'), "my_game.py:SPEC", "there is a game 'roma' already"),
        (('name="dice-race"', 'name="../x"'), "my_game.py:SPEC", "a game has a name such as dice-race, not '../x'"),
        ((ID, "Dice Race!"), "my_game.py:SPEC", "an env_id is one such as DiceRace-v0, not 'Dice Race!'"),
        (("def redacted_for", "def redacted"), "my_game.py:SPEC", "my_game.py:SPEC: the rules have no redacted_for"),
        (("TURNS = 10", "TURNS = 1 / 0"), "my_game.py:SPEC", "cannot load my_game.py: ZeroDivisionError: division"),
    ],
)
def test_mistakes_in_a_game_s_file_are_one_line(own_game, called, change, text, message):
    if change:
        file = Path("my_game.py")
        file.write_text(file.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    status, out, err = called("evaluate", "random", "--deals", "2", "--game", text)
    assert status == 2 and message in err.replace("\n", " ") and "Traceback" not in err
    assert not out


@pytest.mark.parametrize(
    "command", ["evaluate random --deals 2", "play --seed 1", "tournament random random --deals 2"]
)
def test_an_error_in_the_rules_of_a_game_is_one_line_with_its_place(own_game, called, monkeypatch, command):
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 99))
    file = Path("my_game.py")
    text = file.read_text(encoding="utf-8")
    line = "    def act(self, states, i, action):"

    file.write_text(text.replace(line, f"{line}\n        [][0]"), encoding="utf-8")
    status, _, _ = called(*command.split(), "--game", own_game)
    number = text[: text.index(line)].count("\n") + 2
    assert f"the game dice-race failed: IndexError: list index out of range (my_game.py, line {number})" in status
    assert "romans check-game" in status and "\n" not in status


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return list(range(0, 100, die)) if", "return [] if states['turn'][i] else list(range(0, 100, die)) if"),
        ("return [(face, 1) for", "return [(face, 0.1) for"),
        ("    action_names = tuple(", "    names = tuple("),
    ],
    ids=["no legal action", "weights that are no integers", "no names"],
)
@pytest.mark.parametrize(
    "command", ["evaluate random --deals 4", "play --seed 1", "train --folder run " + SMALL, "tournament random random"]
)
def test_a_game_that_the_library_cannot_play_is_one_line(own_game, called, monkeypatch, command, before, after):
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 99))
    file = Path("my_game.py")
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")
    status, _, err = called(*command.split(), "--game", own_game)
    assert "romans check-game" in f"{status} {err}" and "Traceback" not in err and "\n" not in str(status)


def test_a_game_is_its_name_in_python_and_a_module_may_be_loaded_again(own_game):
    spec = load(own_game)
    first = lambda view: view.legal_actions()[0]  # noqa: E731
    assert romans_training.evaluate(first, ["random"], spec.name, 2).num_games == 4
    for game in (spec.name, spec.make_rules(), spec.make_rules().setup):
        assert len(romans_training.tournament([first, "random"], game, deals=2).standings) == 2
    again = dataclasses.replace(spec, title="Again")
    romans_env.register(again)
    assert games.spec_of("dice-race") is again
    with pytest.raises(UnknownGameError, match="there is a game 'dice-race' already"):
        romans_env.register(dataclasses.replace(spec, rules="elsewhere:DiceRace"))
    assert {"evaluate", "benchmark", "exploit"} <= set(dir(romans_training))


def test_a_changed_file_is_read_anew_and_another_file_may_not_take_its_name(own_game):
    first = load(own_game)
    file = Path("my_game.py")
    file.write_text(file.read_text(encoding="utf-8").replace("Dice Race", "Dice Race 2"), encoding="utf-8")
    assert (first.title, load(own_game).title, games.spec_of("dice-race").title) == (
        "Dice Race",
        "Dice Race 2",
        "Dice Race 2",
    )
    Path("other.py").write_bytes(file.read_bytes())
    with pytest.raises(UnknownGameError, match="there is a game 'dice-race' already"):
        load("other.py:SPEC")
    romans_env.register(games.spec_of("dice-race"))


def test_nothing_that_is_read_loads_a_game_of_a_file(own_game, called, tmp_path):
    """A stranger's record, settings, policy or run folder names a file that would leave a trace."""
    Path("evil.py").write_text("open('trace', 'w').close()\n", encoding="utf-8")
    record = finished_game(load(own_game)).record()
    names = [f"{tmp_path}/evil.py:SPEC", "evil.py:SPEC"]
    for name in names:
        Path("record.json").write_text(json.dumps({**record, "format": f"{name}/1"}), encoding="utf-8")
        Path("config.json").write_text(json.dumps({"game": name}), encoding="utf-8")
        for command in ("replay record.json", "review record.json", "train --folder run --config config.json"):
            status, _, err = called(*command.split())
            assert status and "Traceback" not in err
        with pytest.raises(ValueError, match="unknown game"):
            romans_agents.make("random", game=name)
    assert not Path("trace").exists()


def test_games_of_installed_packages_and_of_the_environment_variable_are_known_at_once(own_game, tmp_path):
    Path("their_game.py").write_text(Path("my_game.py").read_text(encoding="utf-8"), encoding="utf-8")
    package = tmp_path / "their_game-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: their-game\nVersion: 1.0\n")
    points = "dice-race = their_game:SPEC\nbroken = no_such_module:SPEC\n"
    (package / "entry_points.txt").write_text(f"[{registration.ENTRY_POINTS}]\n{points}")
    later = "import their_game; from romans_env.core.games import spec_of; print(spec_of('dice-race').title)"
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", later], capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == "Dice Race" and "partially" not in done.stderr, done.stderr
    program = f"import gymnasium, romans_env; print(gymnasium.make('{ID}').reset(seed=1)[0].shape)"
    for settings, remark in (
        ({"PYTHONPATH": paths}, "the game broken (no_such_module:SPEC) cannot be loaded: ModuleNotFoundError"),
        ({OWN_GAMES: f"{tmp_path}/my_game.py:SPEC,gone.py:SPEC"}, f"{OWN_GAMES}: cannot read the game's file gone.py"),
    ):
        environment = {**os.environ, **settings}
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
        assert done.stdout.strip() == "(5,)", done.stderr
        assert remark in done.stderr
