"""Hit areas of cities, crossroads and hexes: their names, and the actions selected on them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from romans_env.render.hit_areas import HitArea
from romans_env.render.labels import Box, around
from romans_env.render.struggle.board_drawing import TOKEN_RADIUS, city_box
from romans_env.render.struggle.map_layout import layout_of
from romans_env.render.struggle.names import TRIBE_NAMES, city_title, province_title
from romans_env.render.struggle.pieces import acting_at
from romans_env.render.struggle.places import hex_in_words, places_in_words
from romans_env.struggle.board import Board

NEAR = 200.0
"""Distance in pixels from the tribe that moves; beyond it the map is pale and crossroads are small."""
_CROSSROADS_ACROSS = 14.0
_FAR_ACROSS = 8.0


def hit_areas_on_map(position: dict[str, Any], board: Board, actions: Sequence[str]) -> list[HitArea]:
    """Return the hit areas of a position's map, whose upper left corner is at (0, 0)."""
    return [*_hexes(board, actions), *_crossroads(position, board, actions), *_cities(position, board, actions)]


def _hexes(board: Board, actions: Sequence[str]) -> Iterator[HitArea]:
    layout = layout_of(board)
    across = 2.2 * TOKEN_RADIUS * layout.scale
    for one in board.hexes:
        chosen = _named(actions, f"legion:{one.id}")
        if chosen:
            number = "without a number" if one.number is None else f"with a {one.number}"
            text = f"{one.terrain.capitalize()} {number}, in {province_title(one.province)}."
            name = hex_in_words(one.terrain, one.number, one.province).capitalize()
            yield _hit_area(around(*layout.middles[one.id], across, across), name, text, chosen)


def _crossroads(position: dict[str, Any], board: Board, actions: Sequence[str]) -> Iterator[HitArea]:
    layout, cities = layout_of(board), {city.crossroads for city in board.cities}
    places, here, near = places_in_words(board), acting_at(position, board)[0], NEAR * layout.scale
    for one in board.crossroads:
        chosen = _named(actions, f"move:{one.id}")
        if chosen and one.id not in cities:
            hexes = [board.hexes[number] for number in one.hexes]
            text = "At " + ", ".join(f"{touched.terrain} {touched.number or ''}".strip() for touched in hexes) + "."
            is_near = math.dist(here, layout.points[one.id]) < near
            across = layout.scale * (_CROSSROADS_ACROSS if is_near else _FAR_ACROSS)
            yield _hit_area(around(*layout.points[one.id], across, across), places[one.id].capitalize(), text, chosen)


def _cities(position: dict[str, Any], board: Board, actions: Sequence[str]) -> Iterator[HitArea]:
    layout = layout_of(board)
    for city in board.cities:
        now = position["cities"][city.name]
        names = (f"plunder:{city.name}", f"conquer:{city.name}", f"move:{city.crossroads}")
        text = f"In {province_title(city.province)}, {city.towers} towers: as large an army is needed."
        if now["owner"] == "neutral":
            text += " It is neutral."
        elif now["owner"] is not None:
            text += f" It is {now['owner']}'s, of the {TRIBE_NAMES[now['tribe']]}."
        elif now["counter"]:
            text += " Its plunder counter is there."
        yield _hit_area(city_box(city, layout), city_title(city.name), text, _named(actions, *names))


def _named(actions: Sequence[str], *names: str) -> tuple[str, ...]:
    return tuple(name for name in actions if name in names)


def _hit_area(place: Box, name: str, text: str, actions: tuple[str, ...]) -> HitArea:
    return HitArea(place.left, place.top, place.right - place.left, place.bottom - place.top, name, text, actions)
