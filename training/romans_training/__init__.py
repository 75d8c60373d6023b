"""Trainers, evaluation and the command line ``romans``; `review` judges the choices of a game."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    # Not imported before it is asked for: it takes the agents along.
    if name == "review":
        from romans_training.game_review import review

        return review
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
