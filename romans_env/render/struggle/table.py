"""The table in a browser: the map, which is moved and made larger, and beside it what every seat has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from romans_env.render.picture import Band, Picture
from romans_env.render.spots import Spot
from romans_env.render.struggle.drawing import board_of, map_layers, markers
from romans_env.render.struggle.map_layout import MAP_HEIGHT, MAP_WIDTH
from romans_env.render.struggle.palette import STYLE
from romans_env.render.struggle.panels import BANK_HEIGHT, PANEL_WIDTH, PROVINCE_HEIGHT, bank, panel, provinces
from romans_env.render.struggle.questions import turn_in_words
from romans_env.render.struggle.spots import spots_on_map
from romans_env.render.svg import box, group, letters
from romans_env.render.table import Sheet, Table

_HEAD, _PANEL = 64, 172


def table(
    position: dict[str, Any], viewer: str | None, winners: Sequence[str], actions: Sequence[str], is_narrow: bool
) -> Table:
    """The table of a position, see `romans_env.render.renderer.Renderer`; it is the same on every screen."""
    return [_map(position, actions), _beside(position, viewer, winners, actions)]


def _map(position: dict[str, Any], actions: Sequence[str]) -> Sheet:
    board = board_of(position)
    layers = [Band(0, tuple(parts)) for parts in map_layers(position, board)]
    return Sheet(Picture((*layers, Band(MAP_HEIGHT, ())), MAP_WIDTH, STYLE), spots_on_map(position, board, actions))


def _beside(position: dict[str, Any], viewer: str | None, winners: Sequence[str], actions: Sequence[str]) -> Sheet:
    """The round and the thrown numbers, the seats' panels with the viewer's first, the bank and the provinces."""
    head = [letters(turn_in_words(position), 4, 20, 15, class_="b ink")]
    if position["final"]:
        head += [
            box(PANEL_WIDTH - 90, 5, 86, 20, 10, class_="hot"),
            letters("final round", PANEL_WIDTH - 47, 19, 12.5, class_="b paper", text_anchor="middle"),
        ]
    head.append(group(*markers(position["markers"]), y=27, scale=0.965))
    bands, spots, top = [Band(_HEAD, tuple(head))], [], _HEAD
    players = list(position["players"])
    own = players.index(viewer) if viewer in players else 0
    for seat in sorted(range(len(players)), key=lambda seat: (seat != own, seat)):
        bands.append(Band(_PANEL, panel(position, seat, _PANEL - 4, winners)))
        rob = f"rob:+{(seat - own) % len(players)}"
        if rob in actions:
            spots.append(Spot(0, top, PANEL_WIDTH, _PANEL - 4, f"Rob {players[seat]}", "", (rob,)))
        top += _PANEL
    bands.append(Band(BANK_HEIGHT, bank(position)))
    bands.append(Band(5 * PROVINCE_HEIGHT, provinces(position, PANEL_WIDTH)))
    return Sheet(Picture(tuple(bands), PANEL_WIDTH, STYLE), spots)
