"""Names of provinces and cities in pictures and sentences."""

from __future__ import annotations

from functools import lru_cache

from romans_env.struggle.board_form import PROVINCES
from romans_env.struggle.setup import StruggleSetup

PROVINCE_CODES: dict[str, str] = dict(zip(PROVINCES, ("Ge", "Ga", "Hi", "Su", "In"), strict=True))
"""The two letters of each province, shown on its counters."""
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
    """Return the name of a city as on a map: ``Carthago Nova`` for ``carthago_nova``."""
    return name.replace("_", " ").title() if name == name.lower() else name.replace("_", " ")


def province_title(province: str) -> str:
    """Return the name of a province, or of the limes, for a sentence."""
    return PROVINCE_TITLES.get(province, "the limes")


TRIBE_NAMES = {"horseman": "horsemen", "warrior": "warriors"}
"""The name of each tribe, by the kind of its figures."""


def card_title(card: str) -> str:
    """Return the name of a development card for a sentence."""
    return card.replace("_", " ")
