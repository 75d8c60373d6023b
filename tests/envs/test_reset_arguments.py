"""Seeds, options and actions that are odd are taken or refused alike by every environment."""

from __future__ import annotations

import re

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from romans_env import Game, RomansGoHome, Table, romans_go_home_v0
from romans_env.batch import Batch
from romans_env.envs.sb3 import RomansVecEnv


def aec_env():
    return romans_go_home_v0.raw_env()


def checked_env():
    return romans_go_home_v0.env()


def single_env():
    return gymnasium.make("RomansGoHome-v0", opponents=["random"]).unwrapped


def vector_env():
    return gymnasium.make_vec("RomansGoHome-v0", num_envs=2, opponents=["random"]).unwrapped


ENVIRONMENTS = [aec_env, checked_env, single_env, vector_env]


def state_of(env):
    """Everything that the games in progress hold."""
    if hasattr(env, "_batch"):
        return env._batch.states.tobytes()
    return (env.states if isinstance(env, (Batch, Game)) else env.unwrapped.game.states).tobytes()


def sb3_env():
    return RomansVecEnv(2, opponents=["random"])


def started(env, seed):
    """The state from which an environment, a batch or a game of any kind starts with a seed."""
    if isinstance(env, RomansVecEnv):
        env.seed(seed)
        env.reset()
    elif isinstance(env, Batch):
        env.start(seed)
    elif isinstance(env, Game):
        env.reset(seed)
    else:
        env.reset(seed=seed)
    return state_of(env)


SEEDED = [
    *ENVIRONMENTS,
    sb3_env,
    lambda: Batch(RomansGoHome(Table()), 2),
    lambda: Game(RomansGoHome(Table())),
]
every_environment = pytest.mark.parametrize("make", ENVIRONMENTS)
everything_seeded = pytest.mark.parametrize(
    "make", SEEDED, ids=["aec", "checked", "single", "vector", "sb3", "batch", "game"]
)


@every_environment
def test_options_that_are_unknown_or_no_dict(make):
    env = make()
    before = started(env, 1)
    for options in ("deal", "", [1], [], 5, 0, True):
        with pytest.raises(TypeError, match=r"options are None or a dict such as .* not of type"):
            env.reset(seed=2, options=options)
    valid = "reset_mask" if make is vector_env else "deal"
    for options in ({"foo": 1}, {"deals": 1}, {4: 5}, {"forts": [], "rounds": []}):
        wrong = re.escape(repr(next(iter(options))))
        with pytest.raises(ValueError, match=rf"unknown reset option {wrong}.* the reset options are {valid}"):
            env.reset(seed=2, options=options)
    assert state_of(env) == before


def test_games_of_stable_baselines3_have_no_options():
    env = sb3_env()
    env.set_options({"deal": 1})
    with pytest.raises(ValueError, match="unknown reset option 'deal'; there are no reset options"):
        env.reset()


@everything_seeded
def test_a_seed_is_any_kind_of_integer_from_0(make):
    env = make()
    for seed in (np.array(3), np.int8(3), np.uint64(3)):
        assert started(make(), seed) == started(env, 3), repr(seed)
    for seed in (True, False, np.bool_(True), np.array(True), np.array(3.0), 3.0, "3"):
        with pytest.raises(TypeError, match="a seed is an integer >= 0, not"):
            started(env, seed)
    with pytest.raises(ValueError, match="a seed is an integer >= 0, not -1"):
        started(env, -1)
    assert state_of(env) == started(make(), 3)


def test_a_list_of_seeds_holds_integers():
    env = vector_env()
    env.reset(seed=[np.int64(4), None])
    with pytest.raises(TypeError, match="a seed is an integer >= 0, not True"):
        env.reset(seed=[4, True])


@pytest.mark.parametrize(("make", "error"), [(aec_env, ValueError), (checked_env, AssertionError)])
def test_an_action_that_is_true_or_false(make, error):
    env = make()
    before = started(env, 1)
    for action in (True, False, np.bool_(True)):
        with pytest.raises(error, match=r"an action is an id or a name, not|not in action space"):
            env.step(action)
    assert state_of(env) == before
    assert not any(env.terminations.values())


@pytest.mark.parametrize("make", [vector_env, sb3_env])
def test_actions_of_another_shape(make):
    env = make()
    before = started(env, 1)
    for shape in ((2, 1), (1, 2), (1,), (3,), ()):
        with pytest.raises(ValueError, match=r"one action for each of the 2 games: shape \(2,\), not \("):
            env.step(np.zeros(shape, dtype=np.int64))
    assert state_of(env) == before
    env.step(np.argmax(env.action_masks(), axis=1))


@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_many_games_are_not_shown_before_they_start(render_mode):
    env = gymnasium.make_vec("RomansGoHome-v0", num_envs=2, opponents=["random"], render_mode=render_mode)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before render\(\)"):
        env.render()
    env.reset(seed=1)
    assert len(env.render()) == 2
