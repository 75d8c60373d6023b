"""What provinces and cities are called in pictures and sentences."""

from __future__ import annotations

from functools import lru_cache

from romans_env.struggle.board_form import PROVINCES
from romans_env.struggle.setup import StruggleSetup

PROVINCE_CODES: dict[str, str] = dict(zip(PROVINCES, ("Ge", "Ga", "Hi", "Su", "In"), strict=True))
"""Two letters for each province, on its counters."""
PROVINCE_TITLES: dict[str, str] = dict(
    zip(PROVINCES, ("Germania", "Gallia", "Hispania", "Italia Superus", "Italia Inferus"), strict=True)
)
TRIBES = ("horseman", "warrior")


def setup_in_words(setup: StruggleSetup) -> str:
    """Return a setup in words, such as ``4 players, 20 rounds``."""
    number, _, others = str(setup).partition(" ")
    return f"{number} players{', ' if others else ''}{others}"


@lru_cache(maxsize=256)
def city_title(name: str) -> str:
    """Return a city as a map writes it: ``Carthago Nova`` for ``carthago_nova``."""
    return name.replace("_", " ").title() if name == name.lower() else name.replace("_", " ")


def province_title(province: str) -> str:
    """Return a province, or the limes, as a sentence writes it."""
    return PROVINCE_TITLES.get(province, "the limes")


TRIBE_NAMES = {"horseman": "horsemen", "warrior": "warriors"}
"""A tribe, by the kind of its figures."""


def card_title(card: str) -> str:
    """Return a development card as a sentence names it."""
    return card.replace("_", " ")
