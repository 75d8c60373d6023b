"""Trainers, evaluation and the command line ``romans``.

`evaluate`, `tournament`, `benchmark` and `exploit` are the commands of the same names as functions. They accept
everything that `romans_agents.agent_of` can make an agent of, and their results display as tables and plots in a
notebook. `review` judges the choices of a game, and `TensorVectorEnv` is a vector environment of torch tensors.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PARTS = {
    "evaluate": "measure.evaluation",
    "tournament": "compare.tournament.run",
    "benchmark": "compare.leaderboard.benchmark",
    "exploit": "compare.exploit",
    "review": "compare.game_review",
    "TensorVectorEnv": "learn.tensor_vector_env",
}


def __dir__() -> list[str]:
    return sorted([*_PARTS, *globals()])


def __getattr__(name: str) -> Any:
    # Imported on first use: these modules import all agents, and some of them torch.
    if name in _PARTS:
        return getattr(import_module(f"romans_training.{_PARTS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
