"""The names under which gymnasium and PettingZoo know the environments."""

import gymnasium
import pettingzoo

from romans_env.core import registration
from romans_env.envs.single import SingleSeatEnv
from romans_env.envs.vector import GameVectorEnv


def test_gymnasium_makes_it():
    many, one = gymnasium.make_vec("RomansGoHome-v0", num_envs=2), gymnasium.make("romans_env:RomansGoHome-v0")
    assert isinstance(one.unwrapped, SingleSeatEnv) and isinstance(many, GameVectorEnv)
    assert many.single_observation_space == one.observation_space
    assert many.single_action_space == one.action_space


def test_registering_again_changes_nothing():
    before = gymnasium.spec("RomansGoHome-v0"), dict(pettingzoo.aec_registry)
    registration.register_all()
    assert (gymnasium.spec("RomansGoHome-v0"), dict(pettingzoo.aec_registry)) == before
