"""Errors that users of the package may want to catch."""

from __future__ import annotations

import unicodedata
from typing import Any


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; the game is unchanged."""


class GameOverError(RuntimeError):
    """An action after the end of the game."""


def quoted(value: Any, limit: int = 200) -> str:
    """``repr`` of a value on one line, with its middle left out where it is longer than ``limit`` characters."""
    try:
        text = repr(value)
    except (RecursionError, ValueError) as error:  # nested too deep, or an integer of thousands of digits
        text = f"<{type(value).__name__}: {error}>"
    text = " ".join(text.splitlines())
    return text if len(text) <= limit else f"{text[: limit // 2]} ... {text[-limit // 4 :]}"


def is_control_character(character: str) -> bool:
    """Whether a character has no place in a name: line ends, escape sequences of a terminal, halves of a surrogate."""
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
