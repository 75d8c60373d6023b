"""The pieces on the map: counters, owners, figures, the legionnaire, markers of dice, a move's target."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from romans_env.render.labels import around, overlaps
from romans_env.render.sheets import keyed
from romans_env.render.struggle.board_drawing import TOKEN_RADIUS, city_box, name_boxes, tokens
from romans_env.render.struggle.castle import castle, castle_width
from romans_env.render.struggle.kept import Parts, kept
from romans_env.render.struggle.map_layout import Point, layout_of
from romans_env.render.struggle.names import TRIBES
from romans_env.render.struggle.symbols import figure, seat_mark, sign
from romans_env.render.svg import Element, box, element, group, letters, stroke
from romans_env.struggle.board import Board
from romans_env.struggle.board_form import LIMES, PROVINCES


def ground_pieces(position: Mapping[str, Any], board: Board) -> Parts:
    """Draw the pieces on hexes: the legionnaire, and the markers of phase 1 on the numbers thrown."""
    return _ground_pieces([position["markers"], position["legion"]], board)


@kept
def _ground_pieces(facts: Any, board: Board) -> Parts:
    markers, here = facts
    layout = layout_of(board)
    ring = element("circle", cx=0, cy=0, r=TOKEN_RADIUS + 1.2, class_="n sink", stroke_width=3)
    drawn = [layout.at(layout.middles[one.id], ring) for one in board.hexes if one.number in markers]
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in layout.corners(here)) + "z"
    drawn.append(
        element("path", d=d, class_="legion slegion", fill_opacity=0.2, stroke_width=3.4, stroke_linejoin="round")
    )
    drawn.append(layout.at(layout.middles[here], group(legionnaire(), y=21 if board.hexes[here].number else 0)))
    return tuple(drawn)


_AT_CROSSROADS = [(dx, dy) for dx in range(-15, 16, 3) for dy in range(-12, 13, 3)]
_IN_HEX = [(dx, dy) for dx in range(-27, 28, 3) for dy in range(-27, 28, 3) if abs(dy) > 16 or abs(dx) > 24]


def ids(position: Mapping[str, Any], board: Board) -> Parts:
    """Draw the ids needed for a decision: of crossroads for a tribe's move, of hexes for the legionnaire."""
    decision = position["decision"]
    if decision and decision["kind"] == "legion":
        return _ids_of_hexes(board)
    if decision and decision["kind"] == "tribe" and not position["moved"] and not moving_tribe(position)["kingdom"]:
        return _ids_of_crossroads(board)
    return ()


@lru_cache(maxsize=16)
def _ids_of_hexes(board: Board) -> Parts:
    """Draw the ids of the hexes of the Empire, above or below their numbers, clear of the cities' names."""
    named = {f"hex {one.id}": layout_of(board).middles[one.id] for one in board.hexes if one.province != LIMES}
    return _placed_ids(board, named, _IN_HEX)


@lru_cache(maxsize=16)
def _ids_of_crossroads(board: Board) -> Parts:
    """Draw the ids of the crossroads without a city, clear of the cities' names."""
    cities = {city.crossroads for city in board.cities}
    named = {str(one.id): layout_of(board).points[one.id] for one in board.crossroads if one.id not in cities}
    return _placed_ids(board, named, _AT_CROSSROADS)


def _placed_ids(board: Board, named: Mapping[str, Point], shifts: Sequence[Point]) -> Parts:
    """Draw ids near their places, each shifted to cover as little as possible of names, towers and numbers."""
    layout = layout_of(board)
    scale = layout.scale
    names = name_boxes(board)
    taken = [*names, *(city_box(city, layout) for city in board.cities), *tokens(board, layout)]
    weights = np.where(np.arange(len(taken)) < len(names), 3.0, 2.0)
    drawn = []
    for text, (x, y) in named.items():
        near = [(x + dx * scale, y + dy * scale) for dx, dy in shifts]
        boxes = [around(here[0], here[1], _id_width(text) * scale, 11 * scale) for here in near]
        away = [math.hypot(*shift) for shift in shifts]
        least = int((overlaps(boxes, taken) @ weights + away).argmin())
        drawn.append(layout.at(near[least], _id(text)))
    return tuple(drawn)


_PHASES = {3, 4}
"""The phases of the tribes' turns."""


def moving_tribe(position: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the box of the tribe whose turn it is."""
    tribe: Mapping[str, Any] = position["players"][position["active"]]["tribes"][TRIBES[position["phase"] - 3]]
    return tribe


def _id_width(text: str) -> float:
    return 4.5 + 5.4 * len(text)


@lru_cache(maxsize=2048)
def _id(text: str) -> Element:
    wide = _id_width(text)
    return group(
        box(-wide / 2, -5.5, wide, 11, 4, class_="paper sfaint", stroke_width=0.8),
        letters(text, 0, 3.2, 9, class_="ink", text_anchor="middle"),
    )


def city_pieces(position: Mapping[str, Any], board: Board) -> Parts:
    """Draw owners, neutral cities, and the counters still in place."""
    facts = [list(position["players"]), list(position["cities"].values()), sorted(_capitals(position))]
    return _city_pieces(facts, board)


@kept
def _city_pieces(facts: Any, board: Board) -> Parts:
    players, cities, capitals = facts
    layout = layout_of(board)
    drawn: list[Element] = []
    for city, now in zip(board.cities, cities, strict=True):
        parts: list[Element] = []
        if now["owner"] == "neutral":
            parts.append(castle(city.towers, "line", "ink", "III"))
        elif now["owner"] is not None:
            seat = players.index(now["owner"])
            parts.append(castle(city.towers, f"c{seat}", f"o{seat}", now["tribe"][0].upper()))
            parts.append(_flag(seat, city.crossroads in capitals))
        if now["counter"]:
            disc = counter_disc(PROVINCES.index(city.province))
            parts.append(group(disc, x=castle_width(city.towers) / 2 + 1, y=-9))
        drawn += [layout.at(layout.points[city.crossroads], part) for part in parts]
    return tuple(drawn)


def figure_pieces(position: Mapping[str, Any], board: Board) -> Parts:
    """Draw the figures of the tribes without a kingdom, and the target of a move in progress."""
    layout = layout_of(board)
    drawn = []
    decision = position["decision"]
    if decision and position["phase"] in _PHASES:
        ring = element("circle", cx=0, cy=0, r=18.5, class_="n shot", stroke_width=4)
        drawn.append(layout.at(acting_at(position, board)[0], ring))
    if decision and decision["target"] is not None:
        ring = element("circle", cx=0, cy=0, r=13, class_="n sink", stroke_width=3, stroke_dasharray="5 4")
        drawn.append(layout.at(layout.points[decision["target"]], ring))
    for seat, one in enumerate(position["players"].values()):
        for tribe in TRIBES:
            if not one["tribes"][tribe]["kingdom"]:
                here = layout.points[one["tribes"][tribe]["at"]]
                drawn.append(keyed(layout.at(here, figure(seat, tribe)), f"figure {seat} {tribe}"))
    return tuple(drawn)


def acting_at(position: Mapping[str, Any], board: Board) -> list[Point]:
    """Return the place of the tribe whose turn it is; in other phases, of both tribes of the active seat."""
    tribes = position["players"][position["active"]]["tribes"]
    acting = [moving_tribe(position)] if position["phase"] in _PHASES else tribes.values()
    return [layout_of(board).points[tribe["at"]] for tribe in acting]


def _capitals(position: Mapping[str, Any]) -> set[int]:
    """Return the crossroads of the kingdoms' first cities."""
    tribes = (tribe for one in position["players"].values() for tribe in one["tribes"].values())
    return {tribe["at"] for tribe in tribes if tribe["kingdom"]}


@lru_cache(maxsize=16)
def _flag(seat: int, is_capital: bool) -> Element:
    """Draw the mark of a city's owner, with a crown above a kingdom's first city."""
    crown = [sign("crown", -6.5, -30, 13, "ink")] if is_capital else []
    ground = element("circle", cx=0, cy=-9.5, r=8.3, class_="paper sink", stroke_width=1)
    return group(*crown, ground, seat_mark(seat, -5.5, -15, 11))


@lru_cache(maxsize=8)
def counter_disc(province: int) -> Element:
    """Draw a face-down plunder counter, centred at (0, 0)."""
    return group(
        element("circle", cx=0, cy=0, r=5.6, class_=f"p{province} spaper", stroke_width=1.6),
        element("path", d="M-2.4 0h4.8M0 -2.4v4.8", class_="n sonp", stroke_width=1.3),
    )


@lru_cache(maxsize=1)
def legionnaire() -> Element:
    """Draw the legionnaire as his shield, 18 by 24, centred at (0, 0)."""
    return group(
        box(-9, -12, 18, 24, 4.5, class_="legion spaper", stroke_width=2),
        stroke("M0-10v20M-7 0h14M-5.5-7.5l3.5 4.5M5.5-7.5L2-3M-5.5 7.5L-2 3M5.5 7.5L2 3", "onlegion", 1.4),
        element("circle", cx=0, cy=0, r=3.4, class_="onlegion slegion", stroke_width=1),
    )
