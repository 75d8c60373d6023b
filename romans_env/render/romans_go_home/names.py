"""Names of tables, warriors and forts at a terminal."""

from __future__ import annotations

from romans_env.render.romans_go_home.cards import strength_of
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES
from romans_env.render.wording import counted
from romans_env.romans_go_home.setup import Table


def fort_title(name: str) -> str:
    """Return a fort's name with its points: ``Legion -2``."""
    kind, _, points = name.partition("-")
    return f"{kind.capitalize()} {'-' if kind == 'legion' else ''}{points}"


def setup_in_words(table: Table) -> str:
    """Return a table in words, such as ``2 players, 1 neutral clan``."""
    neutrals = counted(table.num_neutrals, "neutral clan") if table.num_neutrals else "no neutral clan"
    words = [counted(table.num_players, "player"), neutrals]
    if table.variant != "standard":
        words.append(f"variant {table.variant}")
    if table.is_small:
        words.append(f"{len(table.warriors)} warriors, {counted(table.num_rounds, 'round')} of {table.line_size} forts")
    return ", ".join(words)


def warrior_title(name: str) -> str:
    """Return a warrior's name with its strength: ``Zvord 3``."""
    return f"{WARRIOR_TITLES[name]} {strength_of(name)}"
