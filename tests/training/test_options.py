"""Every option of every command arrives: what the command calls differs from what it calls without the option.

The functions to which commands hand over are replaced by recorders, so nothing is played. Options are those of the
command tree: a new one is tried with values of its type, or its values are asked for here.
"""

import contextlib
import re
from types import SimpleNamespace
from unittest.mock import MagicMock

import click
import pytest

from romans_env.core.games import spec_of
from romans_env.errors import UserError
from romans_training.cli.folders import Field
from romans_training.cli.main import romans
from romans_training.cli.seating import Seating
from romans_training.compare.tournament.run import returned
from romans_training.learn.config import TrainConfig

CLI = "romans_training.cli"
BASES = {
    "train": [[], ["--self-play", "0.5"], ["--config", "settings.json"], ["--resume"]],
    "evaluate": [["random"]],
    "benchmark": [["random"], ["--verify", "result.json"]],
    "exploit": [
        ["random", "--by", "search"],
        ["random", "--by", "learning"],
        ["random", "--by", "both"],
        ["random", "--by", "both", "--resume"],
    ],
    "tournament": [["random", "hoarder"]],
    "play": [["--seed", "1"]],
    "serve": [[]],
    "rules": [[]],
    "agents": [[], ["random"]],
    "review": [["games.jsonl"]],
    "replay": [["game.json"], ["game.json", "--html", "page.html"]],
    "export": [["x.npz", "--out", "a/b-v0", "--to", form] for form in ("parquet", "chat", "minari", "onnx", "json")],
    "mcp": [[]],
    "check-game": [["romans-go-home"]],
    "warm-up": [[]],
}
"""Command lines, to which each option is added in turn: one for each way in which a command goes on."""
VALUES = {
    "--against": ("random", "hoarder"),
    "--agent": ("random", "hoarder"),
    "--agents": ("random", "hoarder"),
    "--allow-host": ("one.example", "two.example"),
    "--as": ("player_0", "player_1"),
    "--config": ("settings.json", "others.toml"),
    "--deals-from": ("seed.txt", "other.txt"),
    "--device": ("cuda", "cuda:1"),
    "--evaluate-against": ("random", "hoarder"),
    "--exploiters": ("random", "hoarder"),
    "--from": ("game.json", "other.json"),
    "--hidden-layers": ("8", "8,9"),
    "--hint": ("random", "hoarder"),
    "--host": ("0.0.0.0", "localhost"),
    "--judge": ("random", "hoarder"),
    "--track": ("tiny", "table"),
    "--opponents": ("random", "hoarder"),
    "--picture": ("a.png", "b.svg"),
    "--player": ("player_0", "player_1"),
    "--ray": ("local", "10.0.0.1"),
    "--records": ("a.jsonl", "b.jsonl"),
    "--reward": ("points", "my_reward.py:shaped"),
    "--reviewer": ("random", "hoarder"),
    "--setup": ("num_neutrals=2", "num_players=3"),
    "--start-from": ("a.npz", "b.npz"),
    "--table": ("2+1", "3+0"),
    "--tables": ("2+1", "3+0=2,2+1"),
}
"""Values of options whose type does not say which there are."""
TYPED = "what is typed may name code without it"
NOT_NOTICED = {
    (command, "--allow-code"): TYPED
    for command in ("train", "train --self-play 0.5", "exploit random --by learning", "exploit random --by both")
}
NOT_NOTICED["exploit random --by both --resume", "--allow-code"] = "the run has a reward that is no code"
"""By command line and option: why an option may make no difference."""


def values_of(parameter, ctx):
    """The values with which an option is tried, none of them its default."""
    flag, kind = parameter.opts[0], parameter.type
    default = parameter.get_default(ctx)
    if parameter.is_flag:
        return [(name,) for name in (parameter.secondary_opts if default is True else parameter.opts[:1])]
    if flag in VALUES:
        values = VALUES[flag]
    elif isinstance(kind, click.Choice):
        values = kind.choices
    elif isinstance(kind, click.IntRange):
        least = max(kind.min or 0, default if isinstance(default, int) else 0)
        values = least + 1, least + 2
    elif isinstance(kind, click.FloatRange | click.types.FloatParamType):
        values = 0.25, 0.375
    elif isinstance(kind, click.Path):
        values = "a.json", "b.json"
    elif kind.name == "name":  # of a game
        values = "roma", "struggle"
    elif kind.name == "file.py:spec":
        values = ("own.py:SPEC",)
    elif flag == "--variant":
        values = ("vogel",)
    else:
        pytest.fail(f"give values of {flag} in VALUES")
    return [(flag, str(value)) for value in values if str(value) != str(default)]


def noted(value):
    """A value as text, without addresses in memory."""
    return re.sub(r" at 0x[0-9a-f]+| id='\d+'", "", repr(value))


class Made(SimpleNamespace):
    """What a replaced function gives: the attributes that a command needs of it."""


class Recorder:
    """Replaces functions by ones that record their calls."""

    def __init__(self, monkeypatch):
        self.calls = []
        self._monkeypatch = monkeypatch

    def noting(self, name, function=lambda *arguments, **settings: None):
        """A function that records its calls, and gives what another one gives."""

        def recorded(*arguments, **settings):
            self.calls.append((name, noted(arguments), noted(sorted(settings.items()))))
            return function(*arguments, **settings)

        return recorded

    def replace(self, *names, by=lambda *arguments, **settings: None):
        """Replace functions, each named by its module."""
        for name in names:
            self._monkeypatch.setattr(name, self.noting(name, by))

    def replace_in(self, module, *names, by=lambda *arguments, **settings: None):
        """Replace functions of a command's module."""
        self.replace(*(f"{CLI}.{module}.{name}" for name in names), by=by)


def saved(recorder):
    """Something with a method that saves it."""
    return lambda *arguments, **settings: Made(save=recorder.noting("save"))


def agent(recorder):
    return lambda spec, *arguments, **settings: Made(name=spec, seed=recorder.noting("seed"))


@contextlib.contextmanager
def beside(path):
    yield path


def result(*arguments, **settings):
    """A result of any kind."""
    return Made(as_json=lambda *fair: {}, rating=1, response=None)


def replaced_for_train(recorder):
    recorder.replace_in("train", "run_to_end")
    recorder.replace("romans_training.learn.run_folder.RunFolder.load_config", by=lambda folder: TrainConfig())


def replaced_for_exploit(recorder):
    recorder.replace_in("exploit", "run_to_end", "write_text", "print_result")
    recorder.replace("romans_training.learn.run_folder.RunFolder.load_config", by=lambda folder: TrainConfig())
    recorder.replace("romans_training.compare.exploit.load_exploit_config", by=lambda *arguments: TrainConfig())
    for name in ("search_response", "report", "num_games"):
        recorder.replace(f"romans_training.compare.exploit.{name}", by=result)
    recorder.replace("romans_training.compare.exploit_result.ExploitResult.as_json", by=lambda found: {})
    recorder.replace("romans_agents.policy_of")
    recorder.replace("romans_agents.make", by=agent(recorder))


def replaced_for_evaluate(recorder):
    recorder.replace_in("evaluate", "warm_up", "print_results", "write_text")
    recorder.replace_in("evaluate", "evaluate", by=result)
    recorder.replace_in("evaluate", "atomic_write", by=beside)
    recorder.replace("romans_agents.make", by=agent(recorder))


def replaced_for_benchmark(recorder):
    recorder.replace_in("benchmark", "benchmark_steps", "verify_steps", "write_text")
    recorder.replace_in("benchmark", "print_result", "print_verified", "print_exploitability")
    recorder.replace_in(
        "benchmark", "followed", by=lambda steps, name, *rest: returned(steps) if name == "opponents" else result()
    )
    recorder.replace_in("benchmark", "how_to_send_in", by=lambda *arguments: "sent in")


def replaced_for_tournament(recorder):
    start = [Made(games=0, total=4)]
    recorder.replace_in("tournament", "tournament_steps", by=lambda *arguments: iter(start))
    found = result()
    found.renamed = lambda names: found
    recorder.replace_in("tournament", "field_of", by=lambda agents, game, files: Field(agents, {}, {}))
    recorder.replace_in("tournament", "followed", by=lambda *arguments: found)
    recorder.replace_in("tournament", "print_result", "battles_of", "page_of", "write_text")
    recorder.replace_in("tournament", "recorded_games", by=lambda *arguments: [])
    recorder.replace_in("tournament", "replay_page", by=saved(recorder))
    recorder.replace("romans_training.compare.tournament.picture.save_picture")


def replaced_for_play(recorder):
    def game(rules, **settings):
        return Made(rules=rules, players=list(rules.players))

    recorder.replace_in("seating", "Game", by=game)
    recorder.replace_in("play", "game_of_record", by=lambda *_: Seating(game(spec_of("roma").make_rules()), 0, {}))
    recorder.replace_in("play", "warm_up", "save_record", "ask_for_file")
    recorder.replace_in("play", "Session", by=lambda *_: Made(run=lambda: True, game=Made(record=dict)))
    recorder.replace_in("play", "replay_page", by=saved(recorder))
    recorder.replace("romans_agents.make", by=agent(recorder))


def replaced_for_serve(recorder):
    pytest.importorskip("uvicorn", reason="serving needs the extra: pip install '.[serve]'")
    recorder.replace("uvicorn.Config", "uvicorn.Server", "asyncio.run")
    recorder.replace("romans_serve.web.app.make_app", "romans_serve.games.service.Service")
    recorder.replace("romans_serve.games.store.GameStore", by=lambda path: Made(path=path))
    recorder.replace("romans_serve.thinkers.workers.Workers", by=lambda *_: Made(close=lambda: None))
    recorder.replace("romans_serve.thinkers.offers.offer_of")
    recorder.replace("romans_serve.command._serve")
    recorder.replace("romans_serve.command._listening", by=lambda *address: Made(getsockname=lambda: address))


def replaced_for_rules(recorder):
    recorder.replace_in("rules", "show_paged")
    recorder.replace_in(
        "rules",
        "text_interface_of",
        by=lambda game: Made(rules_page=Made(read_text=lambda encoding: ""), rules_text=()),
    )


def replaced_for_agents(recorder):
    from romans_training.cli import agents

    for name in ("describe_agents", "describe_agent", "ratings_of"):
        recorder.replace_in("agents", name, by=getattr(agents, name))


def replaced_for_review(recorder):
    records = [Made(place=str(number), record={"actions": ["player_0 pass"]}) for number in range(20)]
    review = Made(as_json=lambda: {"totals": {}}, game=Made(agents={}))
    pool = Made(map=recorder.noting("map", lambda judge, some: [review] * len(some)))
    recorder.replace_in("review", "records_in", by=lambda sources: records)
    recorder.replace_in("review", "digests_of", by=lambda sources: ["digest"])
    recorder.replace_in("review", "worker_pool", by=lambda count: contextlib.nullcontext(pool))
    recorder.replace_in("review", "review_page", by=saved(recorder))
    recorder.replace_in("review", "print_table")
    recorder.replace_in("review", "os.replace")


def replaced_for_replay(recorder):
    game = Made(players=("player_0", "player_1"), agents={}, rules=Made(name="roma"), is_over=True, actions=[])
    renderer = Made(story=recorder.noting("story", lambda *arguments: []))
    recorder.replace_in("replay", "load_record")
    recorder.replace_in("replay", "replayed", by=lambda record: game)
    recorder.replace_in("replay", "renderer_of", by=lambda name: renderer)
    recorder.replace_in("replay", "replay_page", by=saved(recorder))
    recorder.replace("romans_training.compare.annotations.agents_of", by=lambda *arguments: {})
    recorder.replace("romans_training.compare.annotations.annotations_of", by=lambda *arguments: [])
    recorder.replace("romans_agents.make", by=agent(recorder))


def replaced_for_export(recorder):
    policy = Made(to_onnx=recorder.noting("to_onnx", bytes), to_json=recorder.noting("to_json", str))
    for name in ("parquet.export_decisions", "minari_dataset.export_minari"):
        recorder.replace(f"romans_training.data.{name}", by=lambda *arguments, **settings: "written")
    recorder.replace("romans_agents.Policy.load", by=lambda path: policy)
    recorder.replace_in("export", "atomic_write", by=lambda path: contextlib.nullcontext(MagicMock()))


def replaced_for_mcp(recorder):
    recorder.replace("romans_agents.external.text_env.make_text_env")
    recorder.replace("romans_training.cli.mcp_server.server_of", by=lambda *arguments: Made(run=recorder.noting("run")))


def replaced_for_check_game(recorder):
    recorder.replace_in("check_game", "check_game", by=lambda *arguments, **settings: [])
    recorder.replace_in("check_game", "check_writable")
    recorder.replace_in("check_game", "_speeds", by=lambda rules: (1.0, 1.0))


def replaced_for_warm_up(recorder):
    recorder.replace_in("warm_up", "leave_shipped_code_alone")
    recorder.replace_in("warm_up", "helped", by=lambda *arguments: contextlib.nullcontext())
    recorder.replace_in("warm_up", "steps", by=lambda *arguments: [])


def calls_of(recorder, arguments):
    """What a command calls; None where it refuses its options in one line."""
    recorder.calls.clear()
    try:
        romans.main(arguments, prog_name="romans", standalone_mode=False)
    except (click.UsageError, UserError):
        return None
    return list(recorder.calls)


@pytest.mark.parametrize("name", romans.list_commands(click.Context(romans)))
def test_every_option_of_a_command_arrives_or_is_refused(name, tmp_path, monkeypatch, own_games):
    monkeypatch.chdir(tmp_path)
    files = {"settings.json": '{"seed": 7}', "others.toml": "seed = 8", "seed.txt": "7", "other.txt": "8"}
    files["own.py"] = "import romans_env\nSPEC = romans_env.GameSpec('own', 'Own', 'tests.toy.rules:DiceRace')\n"
    files["my_reward.py"] = "def shaped(before, after):\n    return 0.0\n"
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    monkeypatch.setattr("os.cpu_count", lambda: 7)
    recorder = Recorder(monkeypatch)
    globals()[f"replaced_for_{name.replace('-', '_')}"](recorder)
    command = romans.get_command(click.Context(romans), name)
    ctx, wrong = click.Context(command, info_name=name), []
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    arrived = set()
    for base in BASES[name]:
        without = calls_of(recorder, [name, *base])
        assert without, f"{name} {base}: no call was recorded"
        for option in options:
            found = {}
            for value in values_of(option, ctx):
                calls = calls_of(recorder, [name, *base, *value])
                if calls is not None and not set(value) <= set(base):
                    found[value] = calls
            given = " ".join([name, *base])
            arrived.update([option.opts[0]] * bool(found))
            # A game becomes known, whatever the command is given.
            if option.type.name != "file.py:spec" and (given, option.opts[0]) not in NOT_NOTICED:
                wrong += [f"{given} {' '.join(value)}" for value, calls in found.items() if calls == without]
                if len({noted(calls) for calls in found.values()}) < len(found):
                    wrong.append(f"{given}: {', '.join(' '.join(value) for value in found)} are the same")
    assert not wrong, "options that arrive nowhere: pass them on, or refuse them:\n" + "\n".join(wrong)
    assert [one.opts[0] for one in options if one.opts[0] not in arrived] == [], "tried with no value that is taken"


@pytest.mark.parametrize("name", romans.list_commands(click.Context(romans)))
def test_help_gives_a_default_once_and_none_of_one_game_alone(name):
    command = romans.get_command(click.Context(romans), name)
    ctx = click.Context(command, info_name=name, show_default=True)
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    shown = {one.opts[0]: one.get_help_record(ctx)[1] for one in options}
    assert [option for option, says in shown.items() if says.count("[default:") > 1] == []
    assert "default opponent]" in shown.get("--against", "default opponent]")
