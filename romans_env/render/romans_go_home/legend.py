"""The meaning of the symbols in the pictures, for the legend of a replay page."""

from __future__ import annotations

from romans_env.render.replay_page import SymbolGroup
from romans_env.render.romans_go_home.cards import strength_of
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES
from romans_env.render.romans_go_home.symbols import FORT_SIGNS, fort_sign, warrior_sign
from romans_env.render.signs import SIGN_SIZE
from romans_env.render.theme import seat_mark
from romans_env.romans_go_home.material import WARRIORS

_FORTS = {
    "legion": "Legion: -1 to -3 points, three of them win the game at once",
    "dinary": "Dinary: 1 to 6 points",
    "unwary": "Unwary: 2 points, the weakest warrior may stay",
    "signal": "Signal: 4 points, every other clan loses a warrior",
    "tax": "Tax: 8 points, for another fort",
}
"""The meaning of each kind of fort (RULES 1.2, 5)."""


def legend_of(seats: tuple[str, ...]) -> tuple[SymbolGroup, ...]:
    """Return the symbols of warriors and forts, and the marks of the clans of a table."""
    return (
        SymbolGroup(
            "Warriors",
            [
                (warrior_sign(name, 0, 0, SIGN_SIZE, "ink"), f"{WARRIOR_TITLES[name]}, strength {strength_of(name)}")
                for name in WARRIORS
            ],
        ),
        SymbolGroup("Forts", [(fort_sign(kind, 0, 0, SIGN_SIZE, "ink"), _FORTS[kind]) for kind in FORT_SIGNS]),
        SymbolGroup("Clans", [(seat_mark(seat, 0, 0, SIGN_SIZE), name) for seat, name in enumerate(seats)]),
    )
