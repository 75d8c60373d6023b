"""``--reward my_reward.py:shaped``, as docs/environments/rewards.md has it, for both learners, never a stranger's."""

import json
from pathlib import Path

import numpy as np
import pytest

from romans_training.learn.config import TrainConfig
from romans_training.settings import ConfigError

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

pytestmark = pytest.mark.usefixtures("no_curves")

SMALL = (
    "--steps 256 --num-envs 8 --rollout-length 16 --minibatch-size 64 --hidden-layers 8 --evaluation-deals 2 --seed 3"
)
FILE = """
from pathlib import Path

from romans_env.envs.rewards import PotentialBasedShaping

Path("was_run").touch()


def points(before, after):
    return after.points - before.points


def nothing(before, after):
    pass


shaped = PotentialBasedShaping(lambda state: 0.1 * state.points)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my_reward.py").write_text(FILE)
    return tmp_path


def trained(called, folder, reward, *words):
    status, _, err = called("train", "--folder", folder, "--reward", reward, *words, *SMALL.split())
    assert status == 0, err
    with np.load(Path(folder, "policy.npz")) as file:
        return [file[name] for name in file.files if file[name].dtype.kind == "f"]


@pytest.mark.parametrize(("game", "learner"), [("roma", "--self-play 0"), ("struggle", "--self-play 0.5")])
def test_a_policy_learns_from_a_function_as_from_the_reward_that_it_equals(game, learner, folder, called):
    words = (*learner.split(), "--game", game)
    named, own = trained(called, "named", "points", *words), trained(called, "own", "my_reward.py:points", *words)
    assert len(named) > 4 and all(map(np.array_equal, named, own))
    assert json.loads(Path("own/config.json").read_text())["reward"] == "my_reward.py:points"
    again = ["train", "--folder", "own", "--resume", "--steps", "384"]
    assert "Give --allow-code" in str(called(*again)[0])
    status, _, err = called(*again, "--allow-code")
    assert status == 0, err


@pytest.mark.parametrize("command", ["train", "exploit random --by learning --deals 2"])
def test_settings_of_a_stranger_run_no_reward(command, folder, called):
    trained(called, "theirs", "my_reward.py:points")
    for text in ("my_reward.py:points", "./my_reward.py:shaped", f"{folder}/my_reward.py:points"):
        Path("was_run").unlink(missing_ok=True)
        settings = {"reward": text, "setup": {"num_players": 2}}
        Path("settings.json").write_text(json.dumps(settings))
        words = [*command.split(), "--folder", "mine", "--config", "settings.json", *SMALL.split()]
        status, _, err = called(*words)
        assert "Python code" in str(status) and "Give --allow-code if you trust" in str(status)
        assert not Path("was_run").exists() and not Path("mine").exists()
    status, _, err = called(*words, "--allow-code")
    assert status == 0, err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("my_reward.py:nix", "my_reward.py has no function 'nix' of (before, after)"),
        ("my_reward.py:PotentialBasedShaping", "has no function 'PotentialBasedShaping'"),
        ("my_reward.py", "reward must be win, points or a function such as my_reward.py:shaped"),
        ("my_reward.py:points:x=1", "reward must be win, points or a function such as my_reward.py:shaped"),
        ("gold", "reward must be win, points or a function such as my_reward.py:shaped, not 'gold'"),
        ("none.py:points", "cannot read the reward's file none.py: No such file or directory"),
        ("my_reward.py:nothing", "the reward function nothing returned None; it must return a finite number"),
    ],
)
def test_mistakes_are_one_line(text, message, folder, called):
    status, _, err = called("train", "--folder", "run", "--reward", text, *SMALL.split())
    assert status and message in f"{status} {err}" and "Traceback" not in err


def test_a_config_names_a_reward_and_runs_nothing(folder):
    assert TrainConfig(reward="my_reward.py:points").reward == "my_reward.py:points"
    with pytest.raises(ConfigError, match="reward must be win, points or a function"):
        TrainConfig(reward="my_reward.py")
    assert not Path("was_run").exists()


def test_a_resumed_response_needs_no_policy_that_it_started_from(folder, called):
    trained(called, "first", "win")
    words = ["exploit", "random", "--by", "learning", "--deals", "2", "--folder", "response"]
    status, _, err = called(*words, "--start-from", "first/policy.npz", *SMALL.split())
    assert status == 0, err
    Path("first/policy.npz").unlink()
    status, _, err = called(*words, "--resume", "--steps", "384")
    assert status == 0, err
