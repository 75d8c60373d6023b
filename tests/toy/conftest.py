"""The toy game is known while the tests of this folder run, and no longer."""

from __future__ import annotations

import gymnasium
import pettingzoo
import pytest

from romans_env import games, registration
from tests.toy.dice_race_v0 import SPEC


@pytest.fixture(autouse=True, scope="module")
def registered():
    games.register(SPEC)
    registration.register_environments(SPEC)
    yield
    games.unregister(SPEC.name)
    del gymnasium.registry[SPEC.env_id]
    for name in (SPEC.env_id, "dice_race_v0"):
        del pettingzoo.aec_registry[pettingzoo.EnvSpec(name).id]
