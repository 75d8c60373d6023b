"""Settings from a file: they are defaults of the command line, are written back, and mistakes in them are told."""

import dataclasses
import json
import re
from pathlib import Path

import click
import pytest

import romans_agents
from romans_agents.batches.game_arrays import code_of
from romans_agents.loops.codes import EXTERNAL
from romans_env.romans_go_home.material import DEFAULT_FORT_DECK
from romans_env.romans_go_home.setup import SMALL_TABLE, Table
from romans_training.cli import exploit as exploit_command
from romans_training.cli import train as train_command
from romans_training.cli.learner_options import chosen_settings
from romans_training.compare.exploit import DEFAULTS, exploit_config
from romans_training.learn.checkpoint import save_checkpoint
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder
from romans_training.romans_go_home.command_line import OF_TABLES
from romans_training.settings import ConfigError

TOML = """
num_players = 3
opponents = ["random", "greedy"]
num_envs = 16
hidden_layers = [8, 8]
learning_rate = 1
steps = 512
"""


def chosen(command, *arguments):
    """The settings of a command line, where they differ from the command's defaults."""
    context = command.make_context(command.name, [str(argument) for argument in arguments])
    with context:
        return chosen_settings(context)


def config_of(*arguments):
    return TrainConfig(**chosen(train_command.command, *arguments))


def exploit_config_of(*arguments):
    return exploit_config("greedy", **chosen(exploit_command.command, "greedy", *arguments))


@pytest.fixture
def written(tmp_path):
    def write(settings, name="settings.json"):
        path = tmp_path / name
        path.write_text(settings if isinstance(settings, str) else json.dumps(settings))
        return path

    return write


def test_without_a_file_the_defaults_stand():
    assert config_of() == TrainConfig()
    assert exploit_config_of() == exploit_config("greedy")


def test_options_override_the_file_which_overrides_the_defaults(written):
    path = written(TOML, "settings.toml")
    config = config_of("--config", path, "--num-envs", 128, "--opponents", "greedy", "--variant", "vogel")
    assert config == TrainConfig(
        setup={"num_players": 3, "variant": "vogel"},
        opponents=("greedy",),
        num_envs=128,
        hidden_layers=(8, 8),
        steps=512,
        learning_rate=1.0,
    )


def test_all_settings_can_be_written_and_read_back(written, tmp_path):
    config = dataclasses.replace(
        TrainConfig(), setup=SMALL_TABLE.as_json(), reward="points", evaluate_against=("random",), minutes=2.5, seed=7
    )
    path = tmp_path / "config.json"
    config.save(path)
    assert config_of("--config", path) == config


@pytest.mark.parametrize(
    ("settings", "arguments", "end"),
    [
        ({"steps": 9, "minutes": 2}, [], (9, 2)),
        ({"steps": 9}, [], (9, None)),
        ({"minutes": 2}, [], (None, 2)),
        ({"minutes": 2}, ["--steps", 7], (7, None)),
        ({"steps": 9}, ["--minutes", 3], (9, 3)),
    ],
)
def test_the_last_word_says_when_a_run_ends(written, settings, arguments, end):
    path = written(settings)
    for of, defaults in ((config_of, TrainConfig()), (exploit_config_of, DEFAULTS)):
        config = of("--config", path, *arguments)
        assert (config.steps, config.minutes) == (end[0] or defaults.steps, end[1])


def test_a_table_on_the_command_line_goes_before_that_of_the_file(written):
    deck = tuple(sorted((*DEFAULT_FORT_DECK[:-1], "dinary-6")))
    own_box = {"num_neutrals": 1, "variant": "vogel", "fort_deck": deck, "line_size": 6}
    config = config_of("--config", written(own_box), "--table", "3+0")
    assert config.rules.setup == Table(3, 0, "vogel", deck)
    small = written({"setup": SMALL_TABLE.as_json()})
    assert config_of("--config", small).rules.setup == SMALL_TABLE
    assert config_of("--config", small, "--table", "2+1").rules.setup == Table(2, 1)
    config = config_of("--config", written(own_box), "--table", "small", "--variant", "standard")
    assert config.rules.setup == SMALL_TABLE
    config = config_of("--config", written(own_box), "--setup", "num_neutrals=2")
    assert config.rules.setup == Table(2, 2, "vogel", deck)


FIRST = ("random", "hoarder", "legionary", "greedy")
WEAK_HALVES = [
    ("romans-go-home", {}, FIRST),
    ("romans-go-home", {"num_players": 4}, ("random", "hoarder", "greedy")),
    ("romans-go-home", {"num_players": 3, "num_neutrals": 1}, FIRST),  # no panel of its own: the game's first
    ("roma", {}, ("random", "denier", "forum-runner")),
    ("struggle", {"num_players": 3}, ("random", "kingdom-builder", "plunderer")),
]


@pytest.mark.parametrize(("game", "setup", "opponents"), WEAK_HALVES)
def test_a_run_is_measured_against_the_weak_half_of_a_panel(game, setup, opponents):
    config = TrainConfig(game=game, setup=setup, opponents=("random",))
    assert config.fixed_opponents == config.evaluate_against == opponents
    fast = [code_of(config.rules, romans_agents.make(spec, game=game)) != EXTERNAL for spec in opponents]
    assert all(fast)
    assert TrainConfig.from_json(config.as_json()) == config


def test_settings_that_say_who_measures_a_run_go_before_the_panel(written):
    assert config_of("--config", written({"evaluate_against": ["schemer"]})).fixed_opponents == ("schemer",)
    # Runs of earlier versions noted null, and were measured against their pool.
    earlier = config_of("--config", written({"evaluate_against": None, "opponents": ["random", "mixer", "random"]}))
    assert earlier.evaluate_against is None
    assert dataclasses.replace(earlier, steps=9).fixed_opponents == ("random", "mixer")


def test_the_defaults_of_the_game_give_way_to_what_is_said():
    default, general = TrainConfig(game="roma"), TrainConfig()
    assert (default.self_play, default.gae_lambda, default.hidden_layers) == (0.85, 0.65, (256, 256))
    assert (default.opponents, default.setup) == (("forum-runner", "raider", "denier"), {})
    said = TrainConfig(game="roma", gae_lambda=general.gae_lambda, hidden_layers=[8], self_play=0.0)
    assert (said.gae_lambda, said.hidden_layers, said.self_play) == (0.95, (8,), 0.0)
    assert TrainConfig.from_json(said.as_json()) == said
    with pytest.raises(ConfigError, match="magnet: settings of self-play"):
        TrainConfig(game="roma", self_play=0.0, magnet=0.5)
    with pytest.raises(TypeError, match="no settings gae_lamda"):
        TrainConfig(gae_lamda=0.9)


def test_a_response_has_its_own_opponents(written):
    path = written({"opponents": ["random"], "evaluate_against": ["random"], "keep_policies": False, "epochs": 3})
    config = exploit_config_of("--config", path)
    assert (config.opponents, config.fixed_opponents) == (("greedy",), ("greedy",))
    assert config.keep_policies
    assert config.epochs == 3


MISTAKES = {
    ".": [(None, "cannot read the settings .: Is a directory")],
    "settings.json": [
        ({"surprise": 1, "seed": 2}, "settings.json: unknown settings surprise; there are"),
        ([1], "settings must be an object"),
        ({"opponents": "greedy"}, "opponents is a list of texts or null, not 'greedy'"),
        ({"hidden_layers": [8.5]}, "hidden_layers is a list of integers"),
        ({"seed": "1"}, "seed is an integer from 0 to 4,294,967,295, not '1'"),
        ({"steps": True}, "steps is an integer from 1 to 1,000,000,000,000,000,000, not True"),
        ({"learning_rate": float("nan")}, "learning_rate is a number"),
        ({"keep_policies": 1}, "keep_policies is true or false"),
        ({"reward": "joy"}, "reward must be win, points or a function such as my_reward.py:shaped, not 'joy'"),
        ({"variant": "new"}, "unknown variant 'new'"),
        ({"num_players": 7}, "no table has 7 players"),
        ({"num_envs": 2, "rollout_length": 4, "minibatch_size": 9}, "minibatch of 9"),
        ({"opponents": []}, "opponents must name at least one agent"),
        ({"evaluate_against": []}, "evaluate_against must name at least one"),
        ({"minutes": 0}, "minutes is a number above 0 and at most 10,000,000, or null, not 0"),
        ({"num_rounds": 1}, "give a fort_deck"),
        ({"opponents": ["nobody"]}, "unknown agent 'nobody'"),
        ({"evaluate_against": ["nobody"]}, "unknown agent 'nobody'"),
        ('{"seed": 1', "settings.json is not a valid settings file"),
        ("\udcff", "settings.json is not a valid settings file"),
        (None, "cannot read the settings settings.json: No such file"),
        (200_000 * "[", "it is nested too deeply"),
        ('{"steps": ' + 5000 * "9" + "}", "it has an integer of 5,000 digits"),
        ('{"seed": 1, "seed": 2}', "it gives the name 'seed' twice"),
        ('{"a\\nb": 1}', r"unknown settings a\nb; there are"),
    ],
    "settings.toml": [
        ("seed = ", "settings.toml is not a valid settings file"),
        ("[learner]\nseed = 1", "settings.toml: unknown settings learner"),
        ("a=" + 200_000 * "[", "it is nested too deeply"),
        ("steps = " + 5000 * "9", "settings.toml is not a valid settings file"),
        ("a" + ".a" * 30_000 + "=1", "it has a line of more than 1,000 dots"),
    ],
}


@pytest.mark.parametrize(
    ("name", "settings", "says"), [(name, *row) for name, rows in MISTAKES.items() for row in rows], ids=range(31)
)
def test_mistakes_in_a_file_are_told_in_a_line(called, tmp_path, monkeypatch, name, settings, says):
    if "nobody" in str(settings):
        pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    monkeypatch.chdir(tmp_path)
    if settings is not None:
        text = settings if isinstance(settings, str) else json.dumps(settings)
        (tmp_path / name).write_bytes(text.encode(errors="surrogateescape"))
    status, out, err = called("train", "--config", name)
    assert isinstance(status, str), err
    assert says in status
    assert "\n" not in status
    assert out == ""
    assert [path.name for path in tmp_path.iterdir()] == [name] * (settings is not None)


EARLIER_NAMES = {"magnet_horizon": "magnet_decisions", "setups": "tables"}


def as_before(settings):
    """The settings as earlier versions wrote them: of one game, with its table beside all others."""
    table = {"fort_deck": None, "warriors": None, "line_size": 6, "num_rounds": 3, **settings["setup"]}
    assert set(table) == set(OF_TABLES)
    rest = {EARLIER_NAMES.get(name, name): value for name, value in settings.items() if name not in ("game", "setup")}
    return {**rest, **table}


def test_settings_of_earlier_versions_are_read():
    config = TrainConfig(setup={"num_neutrals": 1}, self_play=0.5, setups=("2+0=3", "4+0"), magnet_horizon=5)
    for before in (as_before(config.as_json()), {**as_before(config.as_json()), "game": config.game, "setup": None}):
        assert TrainConfig.from_json(before) == config


def test_a_run_of_an_earlier_version_is_resumed(called, tmp_path):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    small = ["--num-envs", 16, "--rollout-length", 8, "--minibatch-size", 64, "--hidden-layers", 8, "--threads", 1]
    run = RunFolder(tmp_path / "run")
    assert called("train", *small, "--evaluation-deals", 2, "--steps", 128, "--folder", run.path)[0] == 0
    learner, state = run.load_checkpoint(run.load_config())
    kept = as_before(json.loads(run.config.read_text()))
    run.config.write_text(json.dumps(kept))
    save_checkpoint(run.checkpoint, learner, {**state, "config": as_before(state["config"])})
    status, _, err = called("train", "--resume", "--steps", 256, "--folder", run.path)
    assert status == 0, err
    run.config.write_text(json.dumps(kept | {"num_neutrals": 1}))
    status, _, _ = called("train", "--resume", "--steps", 384, "--folder", run.path)
    assert "has another setup than the run was trained with; set it back to {'num_neutrals': 0, " in status


def test_the_example_of_the_documentation_can_be_trained_with(written):
    text = Path(__file__).parents[2].joinpath("docs", "training", "romans_train.md").read_text(encoding="utf-8")
    first, second = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    mixture = config_of("--config", written(second, "mixture.toml")).weighted_setups
    assert mixture == [(Table(2, 0), 3.0), (Table(4, 0), 1.0), (Table(3, 0, "vogel"), 0.5)]
    config = config_of("--config", written(first, "example.toml"))
    setup = config.rules.setup
    assert (setup.num_neutrals, setup.fort_deck != DEFAULT_FORT_DECK) == (1, True)


@pytest.mark.parametrize(
    ("command", "first"),
    [(train_command.command, ["Run", "Game"]), (exploit_command.command, ["Response", "Run", "Game"])],
)
def test_help_has_every_option_in_a_group(called, command, first):
    status, out, _ = called(command.name, "--help")
    assert status == 0
    headings = re.findall(r"^(\w[\w ]*):$", out, re.MULTILINE)
    assert [*headings[: len(first)], headings[-1]] == [*first, "Other options"]
    assert {"Learner", "Optimiser", "Evaluation"} <= set(headings)
    assert re.findall(r"^  (?:-h, )?(--[\w-]+)", out.partition("Other options:")[2], re.MULTILINE) == ["--help"]
    for param in command.params:
        if isinstance(param, click.Option):
            assert re.search(rf"^  {param.opts[0]}\b", out, re.MULTILINE), param.opts


def test_options_and_settings_have_the_same_names_and_defaults():
    for command, defaults in ((train_command.command, TrainConfig()), (exploit_command.command, DEFAULTS)):
        names = {field.name for field in dataclasses.fields(TrainConfig)}
        with command.make_context(command.name, ["greedy"] if command.name == "exploit" else []) as context:
            for name, value in context.params.items():
                if name in names and name != "steps":
                    assert value == getattr(defaults, name), name
    without_option = names - {param.name for param in train_command.command.params}
    assert without_option == {"setup"}
