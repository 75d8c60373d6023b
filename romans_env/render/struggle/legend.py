"""The meaning of the symbols in the pictures, for the legend of a replay page."""

from __future__ import annotations

from romans_env.render.replay_page import SymbolGroup
from romans_env.render.signs import SIGN_SIZE
from romans_env.render.struggle.board_drawing import province_code
from romans_env.render.struggle.card_help import CARDS
from romans_env.render.struggle.castle import castle
from romans_env.render.struggle.names import PROVINCE_TITLES, card_title
from romans_env.render.struggle.pieces import counter_disc, legionnaire
from romans_env.render.struggle.symbols import seat_mark, sign
from romans_env.render.svg import Element, group
from romans_env.struggle.board_form import PROVINCES

_MIDDLE = SIGN_SIZE / 2


def legend_of(players: tuple[str, ...]) -> tuple[SymbolGroup, ...]:
    """Return the symbols of a game, with the marks of its players."""
    return (
        SymbolGroup("Seats", [(seat_mark(seat, 0, 0, SIGN_SIZE), name) for seat, name in enumerate(players)]),
        SymbolGroup(
            "On the map",
            [
                (group(castle(2, "paper", "ink", "2"), x=_MIDDLE, y=_MIDDLE), "a city and the number of its towers"),
                (_centred(counter_disc(0)), "a face-down plunder counter, in its province's colour"),
                (sign("crown", 0, 0, SIGN_SIZE, "ink"), "a kingdom and its first city"),
                (group(legionnaire(), x=_MIDDLE, y=_MIDDLE, scale=0.9), "the legionnaire: his hex brings nothing"),
            ],
        ),
        SymbolGroup(
            "Provinces",
            [(_centred(province_code(number)), PROVINCE_TITLES[name]) for number, name in enumerate(PROVINCES)],
        ),
        SymbolGroup(
            "Figures and cards",
            [
                (sign(name, 0, 0, SIGN_SIZE, "ink"), text)
                for name, text in (
                    ("horseman", "a horseman"),
                    ("warrior", "a warrior"),
                    ("wagon", "a supply wagon"),
                    ("grain", "grain, from fields"),
                    ("ore", "ore, from mountains"),
                    ("cattle", "cattle, a pasture card"),
                    ("horse", "a horse, a pasture card"),
                    ("pasture", "a counter with a pasture card"),
                    ("card", "a development card, face-down"),
                )
            ],
        ),
        SymbolGroup(
            "Development cards",
            [(sign(name, 0, 0, SIGN_SIZE, "ink"), f"{card_title(name)}: {text}") for name, text in CARDS.items()],
        ),
    )


def _centred(part: Element) -> Element:
    return group(part, x=_MIDDLE, y=_MIDDLE)
