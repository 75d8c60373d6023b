"""The arguments of ``reset``, the same in every environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PARTS_OF_A_DEAL = {"forts", "rounds"}


def given_deal(options: dict[str, Any] | None) -> Any:
    """The deal of the options, or None. Other keys are ignored, as everywhere in Gymnasium.

    Raises:
        TypeError: for options that are no dict.
        ValueError: for a deal given as the options themselves.
    """
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise TypeError(f"options are None or a dict such as {{'deal': deal}}, not of type {type(options).__name__}")
    for key in _PARTS_OF_A_DEAL.intersection(options):
        raise ValueError(f"reset has no option {key!r}; a deal is given by options={{'deal': deal}}")
    return options.get("deal")
