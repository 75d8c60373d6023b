"""A board as the rules read it: what is next to what, and the cheapest fares, computed once for a board (STRUGGLE 5.4).

All of it is one table of integers (`romans_env.compiling.tables`), published under the key that records hold. The
functions at the end read it: ``land`` is the handle that ``land_of(state)`` gives.

Crossroads that free connections join are one *region*: a walk within it costs nothing, so distances are between
regions, of which there are far fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined
from romans_env.compiling.tables import entry, publish, table_of, word
from romans_env.struggle.board import Board
from romans_env.struggle.material import (
    COUNTERS,
    DEVELOPMENT,
    NONE,
    NUM_CITIES,
    NUM_COUNTERS,
    NUM_FARES,
    NUM_TRIBES,
    PROVINCES,
    SUMS,
    TERRAINS,
)

CORNERS = 6
"""Corners of a hex."""
SIDES = 3
"""Hexes that a crossroads touches, and sides of hexes that meet there, at most."""
GOLD_OF_ARROW = {"land": 3, "sea": 1}
"""What an arrow costs in gold (STRUGGLE 5.4)."""
UNREACHABLE = np.iinfo(np.int16).max
"""In place of a fare: there is no way, or the tribe may not stop there."""

_SECTIONS = (
    "terrain",
    "is_empire",
    "cities_of_hex",
    "hexes_by_number",
    "hexes_of_number",
    "hexes_of_crossroads",
    "region",
    "neighbours",
    "city_crossroads",
    "towers",
    "province",
    "is_three",
    "starts",
    "counters",
    "development",
    "fares",
    "within_one_arrow",
)
_NUM_HEXES, _NUM_CROSSROADS, _LEGION = 0, 1, 2
(
    _TERRAIN,
    _IS_EMPIRE,
    _CITIES_OF_HEX,
    _HEXES_BY_NUMBER,
    _HEXES_OF_NUMBER,
    _HEXES_OF_CROSSROADS,
    _REGION,
    _NEIGHBOURS,
    _CITY_CROSSROADS,
    _TOWERS,
    _PROVINCE,
    _IS_THREE,
    _STARTS,
    _COUNTERS,
    _DEVELOPMENT,
    _FARES,
    _WITHIN_ONE_ARROW,
) = range(3, 3 + len(_SECTIONS))
"""Words of the header: where a section begins, in entries; the last one, in words."""
_HEADER = 3 + len(_SECTIONS)


@dataclass(frozen=True, eq=False)
class Geography:
    """The numbers that rules read of a board, computed from it once.

    Attributes:
        key: the key of the table, from the digest of the board.
        num_hexes: H.
        num_crossroads: X.
        regions: of each crossroads, shape (X,).
        fares: ``fares[a, g, x]`` is F(g) of STRUGGLE 5.4: the least gold for which a tribe in region a reaches
            crossroads x with at most g land arrows paid in grain; UNREACHABLE where there is no way or a city. int16,
            shape (regions, 10, X).
        neighbours: cities that a road or a land arrow joins to a crossroads (STRUGGLE 5.5); then NONE. int16, (X, 3).
        within_one_arrow: the cities to which a city's kingdom can expand (STRUGGLE 5.7): bool, shape (40, 40).
        table: all that compiled rules read: int16.
    """

    key: int
    num_hexes: int
    num_crossroads: int
    regions: npt.NDArray[np.int16]
    fares: npt.NDArray[np.int16]
    neighbours: npt.NDArray[np.int16]
    within_one_arrow: npt.NDArray[np.bool_]
    table: npt.NDArray[np.int16]


def geography_of(board: Board) -> Geography:
    """Return the geography of a board, computed once and published for compiled rules."""
    geography = _computed(board)
    publish(geography.key, geography.table)
    return geography


@lru_cache(maxsize=64)
def _computed(board: Board) -> Geography:
    num_crossroads = len(board.crossroads)
    at = np.array([city.crossroads for city in board.cities])
    regions = _regions(board)
    from_region = _fares_between_regions(board, regions)
    fares = from_region[:, :, regions]
    fares[:, :, at] = UNREACHABLE
    adjacent = _joined_by_an_arrow(board, regions)
    within = adjacent[np.ix_(regions[at], regions[at])]
    np.fill_diagonal(within, False)
    neighbours = _neighbours(board, at)
    sections = {
        "terrain": [TERRAINS.index(one.terrain) for one in board.hexes],
        "is_empire": [one.province != "limes" for one in board.hexes],
        "cities_of_hex": _cities_of_hexes(board),
        **_hexes_by_number(board),
        "hexes_of_crossroads": [_filled(one.hexes, SIDES) for one in board.crossroads],
        "region": regions,
        "neighbours": neighbours,
        "city_crossroads": at,
        "towers": [city.towers for city in board.cities],
        "province": [PROVINCES.index(city.province) for city in board.cities],
        "is_three": [city.three for city in board.cities],
        "starts": board.starts,
        "counters": [[board.counters[colour].get(name, 0) for name in COUNTERS] for colour in PROVINCES],
        "development": [board.development.get(name, 0) for name in DEVELOPMENT],
        "fares": fares,
    }
    bits = (within.astype(np.int64) << np.arange(NUM_CITIES)).sum(axis=1)
    return Geography(
        key=int(board.digest[:15], 16),
        num_hexes=len(board.hexes),
        num_crossroads=num_crossroads,
        regions=regions,
        fares=fares,
        neighbours=neighbours,
        within_one_arrow=within,
        table=_table_of((len(board.hexes), num_crossroads, board.legion), sections, bits),
    )


# -- computed once for a board


def _regions(board: Board) -> npt.NDArray[np.int16]:
    """Return the region of every crossroads, numbered by their first crossroads: int16, shape (crossroads,)."""
    near: list[list[int]] = [[] for _ in board.crossroads]
    for a, b, kind in board.edges:
        if kind == "road":
            near[a].append(b)
            near[b].append(a)
    regions = np.full(len(near), NONE, dtype=np.int16)
    for first in range(len(near)):
        if regions[first] == NONE:
            region, waiting = regions.max() + 1, [first]
            regions[first] = region
            while waiting:
                for other in near[waiting.pop()]:
                    if regions[other] == NONE:
                        regions[other] = region
                        waiting.append(other)
    return regions


def _arrows(board: Board, regions: npt.NDArray[np.int16], *kinds: str) -> npt.NDArray[np.bool_]:
    """Return which regions an arrow of these kinds joins: bool, shape (regions, regions)."""
    joined = np.zeros((regions.max() + 1,) * 2, dtype=bool)
    for a, b, kind in board.edges:
        if kind in kinds:
            joined[regions[a], regions[b]] = joined[regions[b], regions[a]] = True
    return joined


def _joined_by_an_arrow(board: Board, regions: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
    """Return which regions a walk with at most one arrow joins: bool, shape (regions, regions)."""
    joined = _arrows(board, regions, "land", "sea")
    np.fill_diagonal(joined, True)
    return joined


def _fares_between_regions(board: Board, regions: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Return the fares F(g) between regions: int16, shape (regions, 10, regions)."""
    land, sea = _arrows(board, regions, "land"), _arrows(board, regions, "sea")
    none = 10**6
    # Walks on which every arrow costs: the least gold with no grain (Floyd and Warshall), then with one grain more.
    gold = np.where(sea, GOLD_OF_ARROW["sea"], np.where(land, GOLD_OF_ARROW["land"], none))
    np.fill_diagonal(gold, 0)
    for via in range(len(gold)):
        np.minimum(gold, gold[:, via, None] + gold[None, via], out=gold)
    costs = [gold]
    for _ in range(1, NUM_FARES):
        # In gold up to some region, then a land arrow for grain, then on with one grain less.
        onward = np.full_like(gold, none)
        for a, b in np.argwhere(land):
            np.minimum(onward[a], costs[-1][b], out=onward[a])
        better = costs[-1].copy()
        for a in range(len(gold)):
            np.minimum(better, gold[:, a, None] + onward[None, a], out=better)
        costs.append(better)
    # The first arrow is free: the walk that costs begins behind it.
    joined = land | sea
    fares = np.full((len(gold), NUM_FARES, len(gold)), none)
    for region in range(len(gold)):
        for other in np.flatnonzero(joined[region]):
            for grain in range(NUM_FARES):
                np.minimum(fares[region, grain], costs[grain][other], out=fares[region, grain])
        fares[region, :, region] = 0
    return np.minimum(fares, UNREACHABLE).astype(np.int16)


def _neighbours(board: Board, at: npt.NDArray[Any]) -> npt.NDArray[np.int16]:
    city_at = {int(crossroads): city for city, crossroads in enumerate(at)}
    beside: list[list[int]] = [[] for _ in board.crossroads]
    for edge in board.edges:
        if edge.kind != "sea":
            for here, there in ((edge.a, edge.b), (edge.b, edge.a)):
                if there in city_at:
                    beside[here].append(city_at[there])
    return np.array([_filled(cities, SIDES) for cities in beside], dtype=np.int16)


def _cities_of_hexes(board: Board) -> list[list[int]]:
    cities: list[list[int]] = [[] for _ in board.hexes]
    for number, city in enumerate(board.cities):
        for touched in board.crossroads[city.crossroads].hexes:
            cities[touched].append(number)
    return [_filled(one, CORNERS) for one in cities]


def _hexes_by_number(board: Board) -> dict[str, list[int]]:
    """Return the hexes sorted by number, and where those of each number begin."""
    order = [one.id for number in range(SUMS) for one in board.hexes if one.number == number]
    first = [sum(one.number is not None and one.number < number for one in board.hexes) for number in range(SUMS + 1)]
    return {"hexes_by_number": order, "hexes_of_number": first}


def _filled(places: Sequence[int], size: int) -> list[int]:
    return [*places, *[NONE] * (size - len(places))]


def _table_of(numbers: tuple[int, ...], sections: dict[str, Any], bits: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
    header, parts, place = list(numbers), list[npt.NDArray[np.int16]](), 4 * _HEADER
    for name in _SECTIONS[:-1]:
        part = np.array(sections[name], dtype=np.int16).ravel()
        header.append(place)
        parts.append(part)
        place += part.size
    parts.append(np.zeros(-place % 4, dtype=np.int16))
    header.append((place + parts[-1].size) // 4)
    return np.concatenate([np.array(header, np.int64).view(np.int16), *parts, bits.view(np.int16)])


# -- read by compiled rules


@inlined
def land_of(state):
    """Return the handle of the board of a record."""
    return table_of(state.board)


@inlined
def num_hexes(land):
    return word(land, _NUM_HEXES)


@inlined
def num_crossroads(land):
    return word(land, _NUM_CROSSROADS)


@inlined
def legion_at_start(land):
    return word(land, _LEGION)


@inlined
def terrain_of(land, place):
    return entry(land, word(land, _TERRAIN) + place)


@inlined
def is_empire(land, place):
    """Return whether a hex is one of the Empire (STRUGGLE 1.4)."""
    return entry(land, word(land, _IS_EMPIRE) + place) != 0


@inlined
def first_hex_of_number(land, number):
    """Return where the hexes of a number begin in `hex_by_number`; those of the next number begin where they end."""
    return entry(land, word(land, _HEXES_OF_NUMBER) + number)


@inlined
def hex_by_number(land, k):
    return entry(land, word(land, _HEXES_BY_NUMBER) + k)


@inlined
def city_of_hex(land, place, k):
    """Return one of the cities that a hex touches, k from 0 to 5, or NONE."""
    return entry(land, word(land, _CITIES_OF_HEX) + CORNERS * place + k)


@inlined
def touches(land, crossroads, place):
    """Return whether a crossroads touches a hex."""
    base = word(land, _HEXES_OF_CROSSROADS) + SIDES * crossroads
    return (entry(land, base) == place) | (entry(land, base + 1) == place) | (entry(land, base + 2) == place)


@inlined
def hex_of_crossroads(land, crossroads, k):
    """Return one of the hexes that a crossroads touches, k from 0 to 2, or NONE."""
    return entry(land, word(land, _HEXES_OF_CROSSROADS) + SIDES * crossroads + k)


@inlined
def region_of(land, crossroads):
    """Return the region of a crossroads; walks within a region are free."""
    return entry(land, word(land, _REGION) + crossroads)


@inlined
def neighbour(land, crossroads, k):
    """Return one of the cities beside a crossroads (STRUGGLE 5.5), k from 0 to 2, or NONE."""
    return entry(land, word(land, _NEIGHBOURS) + SIDES * crossroads + k)


@inlined
def crossroads_of(land, city):
    return entry(land, word(land, _CITY_CROSSROADS) + city)


@inlined
def towers_of(land, city):
    return entry(land, word(land, _TOWERS) + city)


@inlined
def province_of(land, city):
    return entry(land, word(land, _PROVINCE) + city)


@inlined
def is_three(land, city):
    """Return whether a city is marked III (STRUGGLE 1.3)."""
    return entry(land, word(land, _IS_THREE) + city) != 0


@inlined
def start_of(land, seat, tribe):
    return entry(land, word(land, _STARTS) + NUM_TRIBES * seat + tribe)


@inlined
def copies_of_counter(land, province, counter):
    return entry(land, word(land, _COUNTERS) + NUM_COUNTERS * province + counter)


@inlined
def copies_of_development(land, kind):
    return entry(land, word(land, _DEVELOPMENT) + kind)


@inlined
def fares_from(land, crossroads, grain):
    """Return where the fares from a crossroads begin, an `entry` a crossroads, with at most ``grain`` (0 to 9) paid."""
    region = entry(land, word(land, _REGION) + crossroads)
    return word(land, _FARES) + (region * NUM_FARES + grain) * num_crossroads(land)


@inlined
def cities_within_one_arrow(land, city):
    """Return the cities, as bits, to which a kingdom that owns a city can expand (STRUGGLE 5.7)."""
    return word(land, word(land, _WITHIN_ONE_ARROW) + city)
