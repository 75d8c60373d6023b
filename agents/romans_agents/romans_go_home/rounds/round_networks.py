"""The package's networks for the round search: `round_values.npz` and `attack_policy.npz`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from romans_agents.policies.policy_file import read_numbers
from romans_agents.romans_go_home.rounds.compiled.attack import FIRST, NUM_REMEMBERED, SECOND, AttackNetwork
from romans_agents.romans_go_home.rounds.compiled.record_loops import RoundNetworks
from romans_agents.romans_go_home.rounds.compiled.values import HIDDEN, NUM_INPUTS, ValueNetwork
from romans_env.romans_go_home.actions import NUM_ACTIONS
from romans_env.romans_go_home.observation import OBSERVATION_SIZE

ROUND_VALUES_FILE = Path(__file__).with_name("round_values.npz")
"""Written by `recipes.rounds.fit_round_values`."""
ATTACK_POLICY_FILE = Path(__file__).with_name("attack_policy.npz")
"""Written by `recipes.rounds.distil_attack`."""


@cache
def round_networks() -> RoundNetworks:
    """Return the networks that come with the package."""
    return RoundNetworks(load_value_network(ROUND_VALUES_FILE), load_attack_network(ATTACK_POLICY_FILE))


def load_value_network(path: Path) -> ValueNetwork:
    """Read a value network.

    Raises:
        ValueError: if the file is no value network.
        OSError: if the file cannot be read.
    """
    shapes = {"first": (NUM_INPUTS, HIDDEN), "bias": (HIDDEN,), "last": (HIDDEN,)}
    return ValueNetwork(**_arrays(path, shapes))


def load_attack_network(path: Path) -> AttackNetwork:
    """Read a policy network for the attack.

    Raises:
        ValueError: if the file is no such network.
        OSError: if the file cannot be read.
    """
    shapes = {
        "first": (OBSERVATION_SIZE, FIRST),
        "first_bias": (FIRST,),
        "second": (FIRST, SECOND),
        "second_bias": (SECOND,),
        "last": (SECOND, NUM_ACTIONS),
        "last_bias": (NUM_ACTIONS,),
    }
    return AttackNetwork(**_arrays(path, shapes), remembered=np.zeros(NUM_REMEMBERED, dtype=np.int64))


def _arrays(path: Path, shapes: dict[str, tuple[int, ...]]) -> dict[str, npt.NDArray[np.float32]]:
    def check(found: list[tuple[int, ...]]) -> None:
        for (name, shape), declared in zip(shapes.items(), found, strict=True):
            if declared != shape:
                raise ValueError(f"{name} has the shape {declared}, not {shape}")

    arrays = read_numbers(path, list(shapes), "not what it should be", check)
    return {name: np.ascontiguousarray(array, np.float32) for name, array in zip(shapes, arrays, strict=True)}
