"""Gymnasium environment specs whose arguments are plain data, so that ``env.spec.to_json()`` can write them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from enum import Enum
from typing import Any

import numpy as np
from gymnasium.envs.registration import EnvSpec


def plain_spec(spec: EnvSpec | None) -> EnvSpec | None:
    """Return an environment's spec with its arguments converted to plain data; None for None.

    Gymnasium keeps the arguments of ``make`` as they were passed. A board, a path, a numpy number or an agent from
    `romans_agents.make` could not be written as JSON, or would be read back as something else. An agent that plays two
    seats becomes two agents.
    """
    return None if spec is None else dataclasses.replace(spec, kwargs=_plain(spec.kwargs))


def _plain(value: Any) -> Any:
    """Return an equivalent of an argument as plain data; the argument itself if it has none."""
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
