"""Checks of the arguments of ``reset``, which are the same in every environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from romans_env.core.game import Game
from romans_env.core.protocol import Rules
from romans_env.core.unknown_settings import check_settings


def checked_options(options: Any, valid: Sequence[str]) -> Mapping[str, Any]:
    """Check the options of ``reset`` and return them; an empty mapping for None.

    Args:
        options: the options as they were passed.
        valid: the names of the options that the environment has.

    Raises:
        TypeError: if the options are not a dict.
        ValueError: if an option is unknown; the message lists the valid ones.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options are None or a dict such as {{'deal': deal}}, not of type {type(options).__name__}")
    check_settings(options, valid, "reset option")
    return options


def check_deal(rules: Rules, deal: Any) -> None:
    """Check a deal before any state of the environment changes.

    Args:
        rules: the game with its setup.
        deal: a deal as plain JSON, or None.

    Raises:
        ValueError: if the deal does not fit the setup.
    """
    if deal is not None:
        Game(rules, deal=deal)
