"""Hexes and crossroads in words, so that a reader finds them on the map."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from romans_env.render.struggle.names import city_title, province_title
from romans_env.struggle.board import Board


def hex_in_words(terrain: str, number: int | None, province: str) -> str:
    """Return a hex in words, such as ``mountain 10, Gallia`` or ``forest, Hispania``."""
    return f"{terrain}{'' if number is None else f' {number}'}, {province_title(province)}"


@lru_cache(maxsize=16)
def crossroads_in_words(board: Board) -> Sequence[str]:
    """Return by id the cities beside each crossroads, or what it touches where there is none.

    A tribe may plunder the cities beside it (STRUGGLE 5.5): ``Roma, Corfinium``, or ``field 8, pasture 3``.
    """
    city_at = {city.crossroads: city_title(city.name) for city in board.cities}
    beside: dict[int, list[str]] = {one.id: [] for one in board.crossroads}
    for edge in board.edges:
        if edge.kind != "sea":
            for here, there in ((edge.a, edge.b), (edge.b, edge.a)):
                beside[here] += [city_at[there]] if there in city_at else []
    words = []
    for one in board.crossroads:
        touched = [board.hexes[number] for number in one.hexes]
        land = [one.terrain if one.number is None else f"{one.terrain} {one.number}" for one in touched]
        words.append(city_at.get(one.id) or ", ".join(beside[one.id] or land))
    return words
