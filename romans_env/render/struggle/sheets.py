"""The sheets of a browser: the map, which can be moved and enlarged, and next to it the panels of the seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from romans_env.render.hit_areas import HitArea
from romans_env.render.picture import Band, Picture
from romans_env.render.sheets import Sheet, Sheets
from romans_env.render.struggle.drawing import board_of, final_round, map_layers, markers
from romans_env.render.struggle.hit_areas import NEAR, hit_areas_on_map
from romans_env.render.struggle.map_layout import MAP_HEIGHT, MAP_WIDTH, layout_of
from romans_env.render.struggle.palette import STYLE
from romans_env.render.struggle.panels import BANK_HEIGHT, PANEL_WIDTH, PROVINCE_HEIGHT, bank, panel, provinces
from romans_env.render.struggle.pieces import acting_at
from romans_env.render.struggle.questions import turn_in_words
from romans_env.render.svg import Element, element, group, letters
from romans_env.struggle.board import Board

_HEAD, _PANEL = 64, 168
"""Heights in pixels; four panels fit below each other on a screen of 800 pixels."""


def sheets(
    position: dict[str, Any], viewer: str | None, winners: Sequence[str], actions: Sequence[str], is_narrow: bool
) -> Sheets:
    """Draw the sheets of a position, see `romans_env.render.renderer.Renderer`; they are the same on all screens."""
    return [_map(position, actions), _beside(position, viewer, winners, actions)]


def _map(position: dict[str, Any], actions: Sequence[str]) -> Sheet:
    board = board_of(position)
    *below, figures = [Band(0, tuple(parts)) for parts in map_layers(position, board)]
    layers = (*below, Band(0, tuple(_focus(position, board))), figures)
    return Sheet(Picture((*layers, Band(MAP_HEIGHT, ())), MAP_WIDTH, STYLE), hit_areas_on_map(position, board, actions))


def _focus(position: dict[str, Any], board: Board) -> list[Element]:
    """Mark the tribes to act, on which a page centres; the area far from a tribe that may move is drawn pale."""
    decision = position["decision"]
    if not decision or decision["kind"] == "legion":
        return []
    places = acting_at(position, board)
    parts = [element("g", data_focus=f"{x:.0f} {y:.0f}") for x, y in places]
    if decision["kind"] == "tribe" and len(places) == 1:
        (x, y), far = places[0], NEAR * layout_of(board).scale
        d = f"M0 0H{MAP_WIDTH}V{MAP_HEIGHT}H0zM{x:.0f} {y - far:.0f}a{far:.0f} {far:.0f} 0 1 0 .1 0z"
        parts.append(element("path", d=d, class_="bg", fill_rule="evenodd", fill_opacity=0.45))
    return parts


def _beside(position: dict[str, Any], viewer: str | None, winners: Sequence[str], actions: Sequence[str]) -> Sheet:
    """Draw the round, the thrown numbers, the seats' panels (the viewer's first), the bank and the provinces."""
    head = [letters(turn_in_words(position), 4, 20, 15, class_="b ink"), *final_round(position, PANEL_WIDTH - 90, 5)]
    head.append(group(*markers(position["markers"]), y=27, scale=0.965))
    bands, hit_areas, top = [Band(_HEAD, tuple(head))], [], _HEAD
    players = list(position["players"])
    own = players.index(viewer) if viewer in players else 0
    for seat in sorted(range(len(players)), key=lambda seat: (seat != own, seat)):
        bands.append(Band(_PANEL, panel(position, seat, _PANEL - 4, winners)))
        rob = f"rob:+{(seat - own) % len(players)}"
        if rob in actions:
            hit_areas.append(HitArea(0, top, PANEL_WIDTH, _PANEL - 4, f"Rob {players[seat]}", "", (rob,)))
        top += _PANEL
    bands.append(Band(BANK_HEIGHT, bank(position)))
    bands.append(Band(5 * PROVINCE_HEIGHT, provinces(position, PANEL_WIDTH)))
    return Sheet(Picture(tuple(bands), PANEL_WIDTH, STYLE), hit_areas)
