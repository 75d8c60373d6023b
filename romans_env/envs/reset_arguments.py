"""The arguments of ``reset``, the same in every environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from romans_env.core.game import Game
from romans_env.core.protocol import Rules
from romans_env.core.unknown_settings import check_settings


def checked_options(options: Any, valid: Sequence[str]) -> Mapping[str, Any]:
    """Return the options of ``reset``; an empty mapping for None.

    Args:
        options: the options as they were given.
        valid: the names of those that the environment has.

    Raises:
        TypeError: the options are not a dict.
        ValueError: an option that the environment does not have, saying which it has.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options are None or a dict such as {{'deal': deal}}, not of type {type(options).__name__}")
    check_settings(options, valid, "reset option")
    return options


def check_deal(rules: Rules, deal: Any) -> None:
    """Check a deal before a generator advances for its game, so that an error changes nothing.

    Args:
        rules: the game with its setup.
        deal: a deal as plain JSON; None for none.

    Raises:
        ValueError: the deal does not fit the setup.
    """
    if deal is not None:
        Game(rules, deal=deal)
