"""What warriors and forts are called at a terminal."""

from __future__ import annotations

from romans_env.render.romans_go_home.cards import strength_of
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES


def fort_title(name: str) -> str:
    """Return a fort as it is called at a terminal, with its points: ``Legion -2``."""
    kind, _, points = name.partition("-")
    return f"{kind.capitalize()} {'-' if kind == 'legion' else ''}{points}"


def warrior_title(name: str) -> str:
    """Return a warrior with its strength: ``Zvord 3``."""
    return f"{WARRIOR_TITLES[name]} {strength_of(name)}"
