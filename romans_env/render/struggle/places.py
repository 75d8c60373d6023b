"""Hexes and crossroads in words, so that a reader can find them on the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from romans_env.render.struggle.names import city_title, province_title
from romans_env.struggle.board import Board


def hex_in_words(terrain: str, number: int | None, province: str) -> str:
    """Return a hex in words, such as ``mountain 10, Gallia`` or ``forest, Hispania``."""
    return f"{terrain}{'' if number is None else f' {number}'}, {province_title(province)}"


@lru_cache(maxsize=16)
def crossroads_in_words(board: Board) -> Sequence[str]:
    """Return, by id, the cities next to each crossroads, or the hexes that it touches if there is none.

    A tribe may plunder the cities next to it (STRUGGLE 5.5): ``Roma, Corfinium``, or ``field 8, pasture 3``.
    """
    near = _cities_near(board)
    return [", ".join(near[one.id] or _land_at(board, one.id)) for one in board.crossroads]


@lru_cache(maxsize=16)
def places_in_words(board: Board) -> Sequence[str]:
    """Return, by id, a name for each crossroads; no two names are equal.

    The name is ``Roma`` for a city, ``between Roma and Corfinium`` or ``beside Roma`` next to cities, and otherwise
    ``at field 8 and pasture 3``. Names that would be equal are extended by the hexes they touch, or by a number.
    """
    near, at_city = _cities_near(board), {city.crossroads for city in board.cities}
    words = []
    for one in board.crossroads:
        cities = near[one.id]
        if one.id in at_city:
            words.append(cities[0])
        elif cities:
            words.append(f"{'between' if len(cities) > 1 else 'beside'} {_joined(cities)}")
        else:
            words.append(f"at {_joined(_land_at(board, one.id))}")
    seen, number = Counter(words), Counter[str]()
    for one in board.crossroads:
        if seen[words[one.id]] > 1 and near[one.id]:
            words[one.id] += f" ({', '.join(_land_at(board, one.id))})"
    seen = Counter(words)
    for one in board.crossroads:
        name = words[one.id]
        if seen[name] > 1:
            number[name] += 1
            words[one.id] += f" #{number[name]}"
    return words


def place_in_sentence(board: Board, crossroads: int) -> str:
    """Return a crossroads for use in a sentence: ``Roma``, or ``a place beside Roma``."""
    name = places_in_words(board)[crossroads]
    return name if name.split(" ")[0] not in ("beside", "between", "at") else f"a place {name}"


def _cities_near(board: Board) -> list[list[str]]:
    """Return, by id, the city at each crossroads, or else the cities next to it."""
    city_at = {city.crossroads: city_title(city.name) for city in board.cities}
    beside: list[list[str]] = [[] for _ in board.crossroads]
    for edge in board.edges:
        if edge.kind != "sea":
            for here, there in ((edge.a, edge.b), (edge.b, edge.a)):
                beside[here] += [city_at[there]] if there in city_at else []
    return [[city_at[number]] if number in city_at else cities for number, cities in enumerate(beside)]


def _land_at(board: Board, crossroads: int) -> list[str]:
    touched = [board.hexes[number] for number in board.crossroads[crossroads].hexes]
    return [one.terrain if one.number is None else f"{one.terrain} {one.number}" for one in touched]


def _joined(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
