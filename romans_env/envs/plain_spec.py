"""Specifications of Gymnasium's environments as plain data, which ``env.spec.to_json()`` can write."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from enum import Enum
from typing import Any

import numpy as np
from gymnasium.envs.registration import EnvSpec


def plain_spec(spec: EnvSpec | None) -> EnvSpec | None:
    """Return the ``spec`` of an environment with plain data in the place of its arguments; None for None.

    Gymnasium keeps the arguments of ``make`` as they were given. A board, a path, a number of numpy or an agent of
    `romans_agents.make` would not be written as JSON, or read again as something else. One agent on two
    seats becomes two.
    """
    return None if spec is None else dataclasses.replace(spec, kwargs=_plain(spec.kwargs))


def _plain(value: Any) -> Any:
    """Return plain data that an environment takes in the place of an argument; what has no such form as it is."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "as_json"):  # a board
        return value.as_json()
    return getattr(value, "made_from", None) or value  # an agent
