"""What docs/environments.md says of the wrappers of other libraries."""

from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from pettingzoo.test import parallel_api_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from tests.harness import each_game

PAGE = (Path(__file__).resolve().parents[2] / "docs/environments.md").read_text(encoding="utf-8")
ARGUMENTS = {"TimeLimit": (20,), "DtypeObservation": (np.float32,), "FrameStackObservation": (3,)}
WORK = PAGE.partition("Gymnasium's `RecordEpisodeStatistics`")[2].partition("| work |")[0].replace("`", "").split(",")
NAMES = ["RecordEpisodeStatistics", *(name.strip() for name in WORK if name.strip())]
pytestmark = pytest.mark.usefixtures("toy")


def made(game):
    return gymnasium.make(game.spec.env_id)


@pytest.mark.parametrize("name", NAMES)
@each_game
def test_a_wrapper_that_is_said_to_work_does(game, name):
    env = getattr(wrappers, name)(made(game), *ARGUMENTS.get(name, ()))
    _, info = env.reset(seed=1)
    for _ in range(40):
        observation, _, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert env.observation_space.contains(observation)
        if terminated or truncated:
            _, info = env.reset()


@each_game
def test_wrappers_with_a_condition_fulfil_it(game):
    with pytest.raises(ValueError, match="TimeLimit"):
        wrappers.TimeAwareObservation(made(game))
    wrappers.TimeAwareObservation(wrappers.TimeLimit(made(game), 20)).reset(seed=1)
    zero, one = np.float32(0), np.float32(1)
    observation, _ = wrappers.RescaleObservation(made(game), zero, one).reset(seed=1)
    assert np.issubdtype(observation.dtype, np.integer)
    scaled = wrappers.RescaleObservation(wrappers.DtypeObservation(made(game), np.float32), zero, one)
    observation, _ = scaled.reset(seed=1)
    assert observation.dtype == np.float32 and scaled.observation_space.contains(observation)
    assert np.any((observation > 0) & (observation < 1))


@each_game
def test_an_environment_of_turns_is_a_parallel_one(game):
    parallel_api_test(turn_based_aec_to_parallel(game.env.env()), num_cycles=20)
