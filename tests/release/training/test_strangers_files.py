"""A stranger's file names code: in a record, settings, a run folder, a result or a request nothing of it runs."""

import base64
import contextlib
import io
import json
import pickle
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import romans_agents
from romans_agents.permission import allowing
from romans_env import save_record
from romans_env.core.registration import load
from romans_training.learn.config import TrainConfig
from romans_training.learn.reward_of import reward_of
from romans_training.learn.run_folder import RunFolder
from tests.romans_go_home.stages import random_game

CODE = """
from pathlib import Path

Path("ran").touch()
SPEC = None

class Bot:
    def act(self, view):
        return view.legal_actions()[0]

def play(view):
    return view.legal_actions()[0]

def reward(before, after):
    return 0.0
"""
SMALL = "--steps 64 --num-envs 8 --rollout-length 8 --minibatch-size 64 --hidden-layers 8 --evaluation-deals 2"
AGENTS = ["evil.py:Bot", "./evil.py:play", "evil.zip", "sb3:evil.zip", "policy-rollouts:policy=evil.py:Bot"]


class Touch:
    """Leaves the trace when it is unpickled."""

    def __reduce__(self):
        return Path.touch, (Path("ran"),)


def write_model(path):
    """A file as stable-baselines3 writes it, whose every part leaves the trace when it is read."""
    code = pickle.dumps(Touch())
    value = {":type:": "<class>", ":serialized:": base64.b64encode(code).decode()}
    data = {"policy_class": value, "clip_range": value}
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("data", json.dumps(data))
        file.writestr("policy.pth", code)
        file.writestr("_stable_baselines3_version", "2.7.0")


@pytest.fixture
def trace(tmp_path, monkeypatch, own_games):
    """A folder to stand in, with the stranger's code, and what that leaves where it runs."""
    monkeypatch.chdir(tmp_path)
    Path("evil.py").write_text(CODE, encoding="utf-8")
    write_model("evil.zip")
    return Path("ran")


def test_the_code_leaves_its_trace_where_code_is_allowed(trace):
    def leave(read, file, copy):
        trace.unlink(missing_ok=True)
        # A file that has been read is not run again.
        Path(copy).write_bytes(Path(file).read_bytes())
        with contextlib.suppress(ValueError):  # there is nothing in it that could be used
            read()
        return trace.exists()

    assert leave(lambda: romans_agents.make("bot.py:Bot"), "evil.py", "bot.py")
    assert leave(lambda: romans_agents.make("function.py:play"), "evil.py", "function.py")
    assert leave(lambda: romans_agents.make("model.zip"), "evil.zip", "model.zip")
    assert leave(lambda: romans_agents.make("sb3:other.zip"), "evil.zip", "other.zip")
    assert leave(lambda: reward_of("reward.py:reward"), "evil.py", "reward.py")
    assert leave(lambda: load("game.py:SPEC"), "evil.py", "game.py")


@pytest.mark.parametrize("spec", AGENTS)
def test_an_agent_in_a_record_is_not_run(trace, called, spec):
    game = random_game((2, 0, "standard"), seed=1)
    game.agents = {"player_0": spec, "player_1": spec}
    save_record(game.record(), "game.json")
    for command in (
        "replay game.json",
        "replay game.json --html page.html",
        "review game.json --choices none",
        "export game.json --to chat --jsonl --out chat",
        "export game.json --to parquet --out parquet",
    ):
        called(*command.split())
        assert not trace.exists(), command


@pytest.mark.parametrize(
    ("command", "settings"),
    [
        *(("train", {"opponents": [spec]}) for spec in AGENTS),
        ("train", {"reward": "evil.py:reward"}),
        ("exploit random --by learning --deals 2", {"opponents": [AGENTS[0]]}),
        ("exploit random --by learning --deals 2", {"reward": "evil.py:reward"}),
    ],
)
def test_settings_and_run_folders_run_nothing(trace, called, command, settings):
    Path("config.json").write_text(json.dumps(settings), encoding="utf-8")
    called(*command.split(), "--folder", "mine", "--config", "config.json", *SMALL.split())
    assert not trace.exists()
    RunFolder("theirs").start(TrainConfig(steps=64, **settings))
    status, _, err = called(*command.split(), "--folder", "theirs", "--resume")
    assert status and "Traceback" not in err and not trace.exists()


@pytest.mark.parametrize("name", ["start_from", "evaluate_against"])
def test_an_agent_that_settings_of_self_play_name_is_not_run(trace, called, name):
    for spec in AGENTS:
        value = spec if name == "start_from" else [spec]
        Path("config.json").write_text(json.dumps({name: value}), encoding="utf-8")
        status, _, err = called(
            "train", "--self-play", "0.5", "--folder", "mine", "--config", "config.json", *SMALL.split()
        )
        assert status and "Traceback" not in err and not trace.exists(), (name, spec)


def test_a_game_that_a_file_names_is_not_loaded(trace, called):
    record = random_game((2, 0, "standard"), seed=1).record()
    for name in ("evil.py:SPEC", f"{Path.cwd()}/evil.py:SPEC", "evil", "entry:evil"):
        Path("game.json").write_text(json.dumps({**record, "format": f"{name}/1", "game": name}), encoding="utf-8")
        Path("config.json").write_text(json.dumps({"game": name}), encoding="utf-8")
        for command in ("replay game.json", "review game.json", "train --folder mine --config config.json"):
            assert called(*command.split())[0], command
            assert not trace.exists()


def test_a_result_that_names_code_is_not_verified(trace, called):
    assert (
        called("benchmark", "random", "--track", "tiny", "--deals", "2", "--jobs", "1", "--json", "result.json")[0] == 0
    )
    result = json.loads(Path("result.json").read_text(encoding="utf-8"))
    for spec in AGENTS:
        Path("theirs.json").write_text(json.dumps({**result, "agent": spec}), encoding="utf-8")
        status, _, err = called("benchmark", "--verify", "theirs.json")
        assert status and "Traceback" not in err and not trace.exists(), spec


def test_a_request_to_a_server_loads_nothing(trace):
    pytest.importorskip("starlette", reason="needs the extra: pip install '.[serve]'")
    from romans_serve.thinkers.workers import Workers

    workers = Workers(1)
    try:
        for spec in AGENTS:
            with pytest.raises(ValueError, match=r"\w"):
                workers.check(spec, "romans-go-home")
            assert not trace.exists(), spec
    finally:
        workers.close()


def test_a_policy_file_that_is_a_pickle_is_refused(trace):
    with zipfile.ZipFile("evil.npz", "w") as file:
        file.writestr("meta.npy", pickle.dumps(Touch()))
    Path("pickle.npz").write_bytes(pickle.dumps(Touch()))
    buffer = io.BytesIO()
    pickle.dump({"weights": Touch()}, buffer)
    Path("policy.npz").write_bytes(buffer.getvalue())
    for name in ("evil.npz", "pickle.npz", "policy.npz"):
        with allowing("policies"), pytest.raises(romans_agents.PolicyFileError):
            romans_agents.make(name)
        assert not trace.exists(), name
