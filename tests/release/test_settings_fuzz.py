"""Settings files, tables of runs, league files and notes of starts that were damaged at random."""

import csv
import dataclasses
import io
import json
import math
import random

import numpy as np
import pytest

from romans_agents.policies.policy_file import MOST_WEIGHTS
from romans_env.romans_go_home.setup import SMALL_TABLE
from romans_training.learn.config import TrainConfig, _num_weights, read_settings
from romans_training.learn.metrics_file import MetricsFileError, append_row, drop_rows_after, read_rows, write_rows
from romans_training.learn.provenance import start_note
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.learn.self_play.league import EXPLOITER, FORMAT, PAST, SCRIPTED, League, Member, Result
from romans_training.learn.summary import _start
from romans_training.settings import ConfigError
from tests.fuzz.mutations import (
    Judge,
    WrongSuccessError,
    damaged_json,
    mutate_bytes,
    mutate_json,
    mutate_text,
    nested,
    text_of,
)
from tests.policies import some_policy

DEEP = "[" * 200_000
LONG_INTEGER = "9" * 5000

WHOLE = [
    TrainConfig(),
    dataclasses.replace(TrainConfig(), setup=SMALL_TABLE.as_json(), evaluate_against=("random",), minutes=2.5, seed=7),
    TrainConfig(self_play=0.25, setups=("2+0=3", {"setup": {"num_players": 4}}), final_entropy=0.1, magnet=0.1),
]


def as_json(config):
    return json.loads(json.dumps(config.as_json()))


def toml_value(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml_value(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value)


def as_toml(settings):
    lines = []
    for name, value in settings.items():
        if value is not None:
            try:
                lines.append(f"{name} = {toml_value(value)}")
            except RecursionError:
                lines.append(f"{name} = {'[' * 5000}")
    return "\n".join(lines) + "\n"


def is_same(found, said):
    """Whether a setting is what a file says, its kind included."""
    if isinstance(said, list):
        return isinstance(found, tuple) and len(found) == len(said) and all(map(is_same, found, said))
    return type(found) is type(said) and found == said


def loads_as_said(path):
    config = TrainConfig.load(path)
    for name, said in read_settings(path).items():
        if name == "setup":
            if any(said.get(key) not in (value, None) for key, value in config.setup.items()):
                raise WrongSuccessError(f"the setup is {said!r} in the file and {config.setup!r} in the settings")
        elif not is_same(getattr(config, name), said) and not (name == "opponents" and said is None):
            raise WrongSuccessError(f"{name} is {said!r} in the file and {getattr(config, name)!r} in the settings")
    weights = [weight for _, weight in config.weighted_setups]
    if not all(0 < weight < math.inf for weight in [*weights, sum(weights)]):
        raise WrongSuccessError(f"setups have the weights {weights}")
    if not 0 < config.part_done(1, 1.0) < math.inf:
        raise WrongSuccessError("a run without an end")
    config.save(path.with_name("saved.json"))
    if TrainConfig.load(path.with_name("saved.json")) != config:
        raise WrongSuccessError("the settings are saved otherwise")


def test_settings_files(tmp_path):
    rng, judge = random.Random(21), Judge(ConfigError)
    odd = [
        *(("c.json", text) for text in (DEEP, '{"steps": ' + LONG_INTEGER + "}", "", "null", "[]", "\ufeff{}", "{}")),
        *(("c.toml", text) for text in ("a=" + DEEP, "steps=" + LONG_INTEGER, "a" + ".a" * 30_000 + "=1", "steps=nan")),
        *(("c.toml", text) for text in ("", "steps=0x" + "f" * 5000, "seed=1979-05-27", "seed=1\nseed=2", "\ufeff")),
        ("c.json", '{"seed": 1, "seed": 2}'),
    ]
    for k in range(1200):
        settings = as_json(rng.choice(WHOLE))
        changed = mutate_json(settings, rng)
        for _ in range(rng.choice([0, 0, 1])):
            changed = mutate_json(changed, rng)
        chance = rng.random()
        if k < len(odd):
            name, text = odd[k]
            content = text.encode()
        elif chance < 0.45:
            name, content = "c.json", text_of(changed).encode()
        elif chance < 0.7:
            name, content = "c.toml", as_toml(changed if isinstance(changed, dict) else {}).encode(errors="replace")
        elif chance < 0.8:
            name, content = "c.toml", mutate_text(as_toml(settings), rng).encode(errors="surrogatepass")
        elif chance < 0.9:
            name, content = "c.json", mutate_bytes(json.dumps(settings).encode(), rng)
        else:
            name, content = "c.toml", mutate_bytes(as_toml(settings).encode(), rng)
        path = tmp_path / name
        path.write_bytes(content)
        judge.tries(content[:200], lambda path=path: loads_as_said(path))
    judge.check(1200)


def test_tables_of_a_run(tmp_path):
    rng, judge = random.Random(22), Judge(MetricsFileError)
    path = tmp_path / "metrics.csv"
    rows = [{"steps": 100 * k, "seconds": k / 7, "loss": 0.5, "against": 'greedy, "quick"'} for k in range(9)]
    write_rows(path, rows)
    whole = path.read_bytes()

    def reads_whole_rows():
        found = read_rows(path)
        content = path.read_text(encoding="utf-8").rpartition("\n")[0]
        cells = [cells for cells in csv.reader(io.StringIO(content)) if cells]
        if [list(row.values()) for row in found] != cells[1:] or any(list(row) != cells[0] for row in found):
            raise WrongSuccessError(f"{found}")
        if any(not row["steps"].isdecimal() for row in found):
            raise WrongSuccessError(f"{found}")
        last = max((int(row["steps"]) for row in found), default=0)
        append_row(path, {"steps": last + 1})
        drop_rows_after(path, last)
        if read_rows(path) != found:
            raise WrongSuccessError("a row that came and went changed others")

    odd = [
        b"",
        b"\n",
        b"steps\n",
        b"steps,steps\n1,2\n",
        b"steps\n" + b"9" * 5000 + b"\n",
        b"steps\n1_0\n",
        b"steps\n-1\n",
    ]
    odd += [b"\0" * 100, b"steps\n" + b'"' + b"x" * 200_000 + b"\n", b"\xff\xfe", "steps\n٣\n".encode(), b"a\n1\n"]
    judge.tries_files(path, [*odd, *(mutate_bytes(whole, rng) for _ in range(500))], reads_whole_rows)


def some_league():
    league = League()
    for agent, kind in (("greedy", SCRIPTED), ("league/past-5.npz", PAST), ("league/exploiter-9.npz", EXPLOITER)):
        league.add(agent, kind, joined=5).record("2+0", 4, 1.0)
    return league


def plain(member):
    return {name: value for name, value in member.items() if name not in ("score", "weight")}


def test_league_files(tmp_path):
    rng, judge = random.Random(23), Judge(RunFolderError)
    path = tmp_path / "league.json"
    whole = some_league().as_json()

    def meets_its_members():
        league = League.load(path)
        said = json.loads(path.read_text())["members"]
        if [plain(member) for member in said] != [dataclasses.asdict(member) for member in league.members]:
            raise WrongSuccessError("other members")
        if league.members:
            weights = league.weights()
            if not np.isfinite(weights).all() or weights.min() <= 0:
                raise WrongSuccessError(f"members are drawn by {weights}")
        if abs(league.draw(np.random.default_rng(0), 3).sum() - bool(league.members)) > 1e-9:
            raise WrongSuccessError("nobody is drawn")
        league.save(path)
        if League.load(path).members != league.members:
            raise WrongSuccessError("the league is saved otherwise")

    damaged = (damaged_json(whole, rng, (0, 1, 2)) for _ in range(900))
    judge.tries_files(path, [DEEP.encode(), *damaged], meets_its_members)


def test_notes_of_starts(tmp_path):
    rng, judge = random.Random(24), Judge(RunFolderError)
    folder = RunFolder(tmp_path)
    note = {**start_note(TrainConfig(), 0), "git": {"commit": "c0ffee", "uncommitted_changes": True}}
    whole = {"starts": [note, {**note, "steps": 5, "git": None}]}

    def goes_on():
        content = folder.provenance.read_bytes()
        try:
            folder.add_start(note)
        except RunFolderError:
            if folder.provenance.read_bytes() != content:
                raise WrongSuccessError("refused notes were changed") from None
            raise
        if folder.load_starts() != [*json.loads(content)["starts"], note]:
            raise WrongSuccessError("other starts")
        for start in folder.load_starts():
            _start(start).encode()

    damaged = (damaged_json(whole, rng, (0, 1)) for _ in range(700))
    judge.tries_files(folder.provenance, [DEEP.encode(), *damaged], goes_on)


# -- settings that are too large to be meant


BOUNDS = {
    "steps": 10**18,
    "evaluate_every": 10**18,
    "checkpoint_every": 10**18,
    "snapshot_every": 10**18,
    "exploiter_every": 10**18,
    "exploiter_steps": 10**18,
    "magnet_horizon": 10**18,
    "minutes": 1e7,
    "seed": 2**32 - 1,
    "epochs": 10_000,
    "threads": 1024,
    "evaluation_deals": 10**7,
    "learning_rate": 1000.0,
    "entropy": 1e6,
    "final_entropy": 1e6,
    "magnet": 1e6,
    "num_envs": 2**20,
    "rollout_length": 2**20,
}


def test_bounds_of_settings():
    for name, most in BOUNDS.items():
        self_play = 0.5 if name in ("snapshot_every", "exploiter_every", "final_entropy", "magnet") else 0.0
        settings = {"num_envs": 64, "rollout_length": 32, "self_play": self_play}
        assert getattr(TrainConfig(**{**settings, name: most}), name) == most
        for more in (most + 1, 10**30):
            with pytest.raises(ConfigError, match=f"^{name} is .* {int(most):,}(, or null)?, not"):
                TrainConfig(**{**settings, name: more})
        with pytest.raises(ConfigError, match=f"^{name} is .* {int(most):,}.*, not an integer of"):
            TrainConfig(**{**settings, name: 10**5000})


def test_bounds_of_settings_together():
    with pytest.raises(ConfigError, match="a rollout of 1048576 games x 1024 decisions is more than 268,435,456"):
        TrainConfig(num_envs=2**20, rollout_length=2**10)
    for layers in ((10**12,), (8192, 8192), (1,) * 100, (2**63,) * 3):
        with pytest.raises(ConfigError, match="hidden_layers may be at most 99 layers, and at most 67,108,864 weights"):
            TrainConfig(hidden_layers=layers)
    assert MOST_WEIGHTS == 67_108_864
    for text in ("2+0=1e7", "2+0=inf", "2+0=nan", "2+0=-1"):
        with pytest.raises(ConfigError, match="the weight of a setup must be above 0 and at most 1,000,000"):
            TrainConfig(self_play=0.5, setups=(text,))


@pytest.mark.parametrize("layers", [(1,), (7, 5), (128, 128)])
def test_the_weights_of_settings_are_those_of_the_policy_file(layers):
    policy = some_policy(layers)
    numbers = [array.size for layer in policy.pi + policy.vf for array in layer]
    assert _num_weights(layers, TrainConfig().rules) == sum(numbers) + policy.scale.size


# -- leagues and notes


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"agent": 5}, "member 1 has the agent 5, not a text"),
        ({"kind": "ghost"}, "member 1 has the kind 'ghost', not scripted, past, exploiter"),
        ({"kind": PAST, "agent": "/etc/policy.npz"}, "not a policy file in the run folder"),
        ({"kind": PAST, "agent": "league/../../policy.npz"}, "not a policy file in the run folder"),
        ({"kind": PAST, "agent": "C:\\policy.npz"}, "not a policy file in the run folder"),
        ({"kind": EXPLOITER, "agent": "evil.py:Bot"}, "not a policy file in the run folder"),
        ({"joined": -1}, "member 1 has the joined -1, not a number of decisions"),
        ({"results": []}, r"member 1 has the results \[\], not an object"),
        ({"recent": {"games": float("nan"), "total_return": 0}}, "a result of member 1 has the games nan, not a"),
        ({"recent": {"games": -1, "total_return": 0}}, "a result of member 1 is 0 in -1 games"),
        ({"recent": {"games": 1, "total_return": 5}}, "a result of member 1 is 5 in 1 games"),
        ({"results": {"2+0": {"games": "x", "total_return": 0}}}, r"member 1 at 2\+0 has the games 'x', not a"),
        ({"extra": 1}, "member 1 must be an object of agent, kind, joined, results, recent, not"),
    ],
)
def test_a_league_that_is_none(tmp_path, change, why):
    entry = {**dataclasses.asdict(Member("greedy", SCRIPTED, 5, {"2+0": Result(1, 0.5)})), **change}
    path = tmp_path / "league.json"
    path.write_text(json.dumps({"format": FORMAT, "members": [entry]}))
    with pytest.raises(RunFolderError, match=f"is not a valid league file: .*{why}"):
        League.load(path)
    with pytest.raises(ValueError, match=why):
        League.from_json({"members": [entry]})


def test_notes_of_a_newer_version_are_kept(tmp_path):
    folder = RunFolder(tmp_path)
    note = {**start_note(TrainConfig(), 0), "gpu": {"name": "none", "memory": 0}}
    folder.add_start(note)
    folder.add_start(note)
    assert folder.load_starts() == [note, note]
    folder.provenance.write_text(json.dumps({"starts": [{**note, "gpu": nested(50)}]}))
    with pytest.raises(RunFolderError, match="start 1 has an invalid 'gpu'"):
        folder.load_starts()
