"""What ``reset`` is given, the same in every environment."""

from __future__ import annotations

import difflib
from typing import Any

_PARTS_OF_A_DEAL = {"forts", "rounds"}


def given_deal(options: dict[str, Any] | None) -> Any:
    """The deal of the options, or None.

    Other keys are of no account, as everywhere in gymnasium; but not those that were surely meant to give a deal.

    Raises:
        ValueError: for a deal given under another name.
    """
    for key in options or {}:
        if key != "deal" and (key in _PARTS_OF_A_DEAL or difflib.get_close_matches(str(key), ["deal"], cutoff=0.7)):
            raise ValueError(f"reset has no option {key!r}; a deal is given by options={{'deal': deal}}")
    return (options or {}).get("deal")
