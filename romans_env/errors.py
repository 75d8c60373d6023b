"""Errors that users of the package may want to catch."""

from __future__ import annotations


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; the game is unchanged."""


class GameOverError(RuntimeError):
    """An action after the end of the game."""
