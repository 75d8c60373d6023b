"""A board as the rules read it: adjacency and the cheapest fares, computed once per board (STRUGGLE 5.4).

All of it is one table of integers (`romans_env.compiling.tables`), published under the key that records hold. The
functions at the end read it; their argument ``land`` is the handle returned by ``land_of(state)``.

Crossroads joined by free connections form a *region*. Moving within a region costs nothing, so distances are computed
between regions, of which there are far fewer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined
from romans_env.compiling.tables import entry, publish, table_of, word
from romans_env.struggle import material
from romans_env.struggle.board import Board
from romans_env.struggle.state import State

CORNERS = 6
"""Number of corners of a hex."""
SIDES = 3
"""Most hexes that a crossroads touches, and most sides of hexes that meet there."""
GOLD_OF_ARROW = {"land": 3, "sea": 1}
"""Gold that an arrow of each kind costs (STRUGGLE 5.4)."""
UNREACHABLE = np.iinfo(np.int16).max
"""The fare to a crossroads without a way to it, or where a tribe may not stop."""


class _Header(NamedTuple):
    """The index of each word in the table's header.

    The first four words are plain numbers. The others hold the start of a section of the table, counted in int16
    entries; for the last section, whose items are 64-bit words, counted in words.
    """

    num_hexes: int
    num_crossroads: int
    legion: int
    num_regions: int
    terrain: int
    is_empire: int
    cities_of_hex: int
    hexes_by_number: int
    hexes_of_number: int
    hexes_of_crossroads: int
    region: int
    neighbours: int
    city_crossroads: int
    towers: int
    province: int
    is_three: int
    starts: int
    counters: int
    development: int
    fares: int
    fares_to_cities: int
    within_one_arrow: int


_AT = _Header(*range(len(_Header._fields)))
_NUMBERS = _AT._fields[:4]
_SECTIONS = _AT._fields[4:-1]


@dataclass(frozen=True, eq=False)
class Geography:
    """The tables derived from a board, which the rules read.

    Attributes:
        key: the key of the table, from the digest of the board.
        regions: the region of each crossroads: int16, shape ``(crossroads,)``.
        fares: ``fares[a, g, x]`` is F(g) of STRUGGLE 5.4, the least gold for which a tribe in region a reaches
            crossroads x with at most g land arrows paid in grain; UNREACHABLE if there is no way, or a city at x.
            int16, shape ``(regions, 10, crossroads)``.
        neighbours: the cities that a road or a land arrow joins to each crossroads (STRUGGLE 5.5), filled up with NONE:
            int16, shape ``(crossroads, 3)``.
        within_one_arrow: the cities to which the kingdom of a city can expand (STRUGGLE 5.7): bool, shape ``(40, 40)``.
        table: everything the compiled rules read: int16, one-dimensional.
    """

    key: int
    regions: npt.NDArray[np.int16]
    fares: npt.NDArray[np.int16]
    neighbours: npt.NDArray[np.int16]
    within_one_arrow: npt.NDArray[np.bool_]
    table: npt.NDArray[np.int16]


def geography_of(board: Board) -> Geography:
    """Return the geography of a board, computed once, and publish its table for the compiled rules."""
    geography = _computed(board)
    publish(geography.key, geography.table)
    return geography


@lru_cache(maxsize=64)
def _computed(board: Board) -> Geography:
    cities_at = [city.crossroads for city in board.cities]
    regions = _regions(board)
    land = _arrows(board, regions, "land")
    sea = _arrows(board, regions, "sea")

    fares = _fares_between_regions(land, sea)[:, :, regions]
    fares[:, :, cities_at] = UNREACHABLE  # a tribe may not stop at a city

    # A kingdom expands within a region or across one arrow.
    joined = land | sea | np.eye(len(land), dtype=bool)
    regions_of_cities = regions[cities_at]
    within = joined[np.ix_(regions_of_cities, regions_of_cities)]
    np.fill_diagonal(within, False)

    neighbours = _neighbours(board, cities_at)
    sections = {
        **_hex_sections(board),
        **_city_sections(board),
        "hexes_of_crossroads": _hexes_of_crossroads(board),
        "region": regions,
        "neighbours": neighbours,
        "starts": board.starts,
        "counters": [
            [board.counters[province].get(name, 0) for name in material.COUNTERS] for province in material.PROVINCES
        ],
        "development": [board.development.get(name, 0) for name in material.DEVELOPMENT],
        "fares": fares,
        "fares_to_cities": _fares_to_cities(fares, neighbours, len(cities_at)),
    }
    numbers = {
        "num_hexes": len(board.hexes),
        "num_crossroads": regions.size,
        "legion": board.legion,
        "num_regions": len(land),
    }
    return Geography(
        key=int(board.digest[:15], 16),
        regions=regions,
        fares=fares,
        neighbours=neighbours,
        within_one_arrow=within,
        table=_table_of(numbers, sections, within),
    )


# -- computed once per board


def _hex_sections(board: Board) -> dict[str, Any]:
    """Return the sections of the table about hexes."""
    numbers = np.array([one.number or material.SUMS for one in board.hexes])  # SUMS, the largest, stands for none
    by_number = numbers.argsort(kind="stable")
    cities = (
        (touching, number)
        for number, city in enumerate(board.cities)
        for touching in board.crossroads[city.crossroads].hexes
    )
    return {
        "terrain": [material.TERRAINS.index(one.terrain) for one in board.hexes],
        "is_empire": [one.province != "limes" for one in board.hexes],
        "cities_of_hex": _lists(cities, len(board.hexes), CORNERS),
        # The hexes sorted by number, and the index of the first one of each number.
        "hexes_by_number": by_number[: np.count_nonzero(numbers < material.SUMS)],
        "hexes_of_number": [np.count_nonzero(numbers < number) for number in range(material.SUMS + 1)],
    }


def _city_sections(board: Board) -> dict[str, Any]:
    """Return the sections of the table about cities."""
    return {
        "city_crossroads": [city.crossroads for city in board.cities],
        "towers": [city.towers for city in board.cities],
        "province": [material.PROVINCES.index(city.province) for city in board.cities],
        "is_three": [city.three for city in board.cities],
    }


def _hexes_of_crossroads(board: Board) -> npt.NDArray[np.int16]:
    """Return the hexes that each crossroads touches, filled up with NONE: int16, shape ``(crossroads, 3)``."""
    pairs = ((one.id, touching) for one in board.crossroads for touching in one.hexes)
    return _lists(pairs, len(board.crossroads), SIDES)


def _neighbours(board: Board, cities_at: list[int]) -> npt.NDArray[np.int16]:
    """Return the cities next to each crossroads, as in `Geography.neighbours`: int16, shape ``(crossroads, 3)``."""
    city_at = {crossroads: city for city, crossroads in enumerate(cities_at)}
    edges = [edge for edge in board.edges if edge.kind != "sea"]
    ways = [way for edge in edges for way in ((edge.a, edge.b), (edge.b, edge.a))]
    pairs = ((here, city_at[there]) for here, there in ways if there in city_at)
    return _lists(pairs, len(board.crossroads), SIDES)


def _fares_to_cities(
    fares: npt.NDArray[np.int16], neighbours: npt.NDArray[np.int16], num_cities: int
) -> npt.NDArray[np.int16]:
    """Return the least fares without grain to a crossroads next to each city: int16, shape ``(cities, regions)``."""
    without_grain = fares[:, 0]
    is_beside = [(neighbours == city).any(axis=1) for city in range(num_cities)]
    return np.array([without_grain[:, beside].min(axis=1, initial=UNREACHABLE) for beside in is_beside])


def _regions(board: Board) -> npt.NDArray[np.int16]:
    """Return the region of each crossroads, numbered by their first crossroads: int16, shape ``(crossroads,)``."""
    roads = [(edge.a, edge.b) for edge in board.edges if edge.kind == "road"]
    a, b = np.array(roads, dtype=int).reshape(-1, 2).T
    # Union by roads: both ends of a road take the lower of their labels, until no road changes a label.
    first = np.arange(len(board.crossroads))
    while (first[a] != first[b]).any():
        np.minimum.at(first, a, first[b])
        np.minimum.at(first, b, first[a])
    _, regions = np.unique(first, return_inverse=True)
    return regions.astype(np.int16)


def _arrows(board: Board, regions: npt.NDArray[np.int16], kind: str) -> npt.NDArray[np.bool_]:
    """Return which regions an arrow of a kind joins: bool, shape ``(regions, regions)``."""
    joined = np.zeros((regions.max() + 1,) * 2, dtype=bool)
    for edge in board.edges:
        if edge.kind == kind:
            joined[regions[edge.a], regions[edge.b]] = True
            joined[regions[edge.b], regions[edge.a]] = True
    return joined


def _fares_between_regions(land: npt.NDArray[np.bool_], sea: npt.NDArray[np.bool_]) -> npt.NDArray[np.int16]:
    """Return the fares F(g) between regions: int16, shape ``(regions, 10, regions)``."""
    none = 10**6
    # Costs if all arrows are paid: the least gold without grain (Floyd-Warshall), then with one grain more each time.
    gold = np.where(sea, GOLD_OF_ARROW["sea"], np.where(land, GOLD_OF_ARROW["land"], none))
    np.fill_diagonal(gold, 0)
    for via in range(len(gold)):
        np.minimum(gold, gold[:, via, None] + gold[None, via], out=gold)
    costs = [gold]
    for _ in range(1, material.NUM_FARES):
        # Pay gold up to some region, one land arrow in grain, and the rest with one grain less.
        costs.append(costs[-1].copy())
        for via, onward in enumerate(_behind_an_arrow(land, costs[-2], none)):
            np.minimum(costs[-1], gold[:, via, None] + onward, out=costs[-1])
    # The first arrow is free: only the walk beyond it is paid.
    fares = np.stack([_behind_an_arrow(land | sea, cost, none) for cost in costs], axis=1)
    fares[np.arange(len(gold)), :, np.arange(len(gold))] = 0
    return np.minimum(fares, UNREACHABLE).astype(np.int16)


def _behind_an_arrow(joined: npt.NDArray[np.bool_], costs: npt.NDArray[Any], none: int) -> npt.NDArray[Any]:
    """Return for each region the least cost over the regions an arrow joins to it; ``none`` if there is no arrow."""
    return np.array([costs[there].min(axis=0, initial=none) for there in joined])


def _lists(pairs: Iterable[tuple[int, int]], num_lists: int, size: int) -> npt.NDArray[np.int16]:
    """Return a row for each number with the places paired with it, filled up with NONE.

    Args:
        pairs: pairs (number, place); at most ``size`` for each number.
        num_lists: the number of rows.
        size: the length of a row.

    Returns:
        int16, shape ``(num_lists, size)``.
    """
    lists: list[list[int]] = [[] for _ in range(num_lists)]
    for number, place in pairs:
        lists[number].append(place)
    return np.array([[*places, *[material.NONE] * (size - len(places))] for places in lists], dtype=np.int16)


def _table_of(
    numbers: dict[str, int], sections: dict[str, Any], within_one_arrow: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int16]:
    """Return the table: a header of 64-bit words, int16 entries by section, and a 64-bit word of bits per city."""
    header = [numbers[name] for name in _NUMBERS]
    parts: list[npt.NDArray[np.int16]] = []
    place = 4 * len(_AT)  # a word is four entries
    for name in _SECTIONS:
        part = np.array(sections[name], dtype=np.int16).ravel()
        header.append(place)
        parts.append(part)
        place += part.size
    padding = np.zeros(-place % 4, dtype=np.int16)
    header.append((place + padding.size) // 4)
    bits = (within_one_arrow.astype(np.int64) << np.arange(material.NUM_CITIES)).sum(axis=1)
    return np.concatenate([np.array(header, np.int64).view(np.int16), *parts, padding, bits.view(np.int16)])


# -- read by compiled rules


@inlined
def land_of(state: State):
    """Return the handle of the board of a record."""
    return table_of(state.board)


@inlined
def num_hexes(land):
    """Return the number of hexes."""
    return word(land, _AT.num_hexes)


@inlined
def num_crossroads(land):
    """Return the number of crossroads."""
    return word(land, _AT.num_crossroads)


@inlined
def num_regions(land):
    """Return the number of regions."""
    return word(land, _AT.num_regions)


@inlined
def legion_at_start(land):
    """Return the hex on which the legionnaire starts."""
    return word(land, _AT.legion)


@inlined
def terrain_of(land, place):
    """Return the terrain of a hex."""
    return entry(land, word(land, _AT.terrain) + place)


@inlined
def is_empire(land, place):
    """Return whether a hex belongs to the Empire (STRUGGLE 1.4)."""
    return entry(land, word(land, _AT.is_empire) + place) != 0


@inlined
def first_hex_of_number(land, number):
    """Return the index in `hex_by_number` of a number's first hex; its hexes end where the next number's begin."""
    return entry(land, word(land, _AT.hexes_of_number) + number)


@inlined
def hex_by_number(land, k):
    """Return the k-th hex in the order of the numbers."""
    return entry(land, word(land, _AT.hexes_by_number) + k)


@inlined
def city_of_hex(land, place, k):
    """Return the k-th city that a hex touches, or NONE; k is 0 to 5."""
    return entry(land, word(land, _AT.cities_of_hex) + CORNERS * place + k)


@inlined
def touches(land, crossroads, place):
    """Return whether a crossroads touches a hex."""
    base = word(land, _AT.hexes_of_crossroads) + SIDES * crossroads
    return (entry(land, base) == place) | (entry(land, base + 1) == place) | (entry(land, base + 2) == place)


@inlined
def hex_of_crossroads(land, crossroads, k):
    """Return the k-th hex that a crossroads touches, or NONE; k is 0 to 2."""
    return entry(land, word(land, _AT.hexes_of_crossroads) + SIDES * crossroads + k)


@inlined
def region_of(land, crossroads):
    """Return the region of a crossroads; walks within a region are free."""
    return entry(land, word(land, _AT.region) + crossroads)


@inlined
def neighbour(land, crossroads, k):
    """Return the k-th city next to a crossroads (STRUGGLE 5.5), or NONE; k is 0 to 2."""
    return entry(land, word(land, _AT.neighbours) + SIDES * crossroads + k)


@inlined
def crossroads_of(land, city):
    """Return the crossroads of a city."""
    return entry(land, word(land, _AT.city_crossroads) + city)


@inlined
def towers_of(land, city):
    """Return the number of towers of a city."""
    return entry(land, word(land, _AT.towers) + city)


@inlined
def province_of(land, city):
    """Return the province of a city."""
    return entry(land, word(land, _AT.province) + city)


@inlined
def is_three(land, city):
    """Return whether a city is marked III (STRUGGLE 1.3)."""
    return entry(land, word(land, _AT.is_three) + city) != 0


@inlined
def start_of(land, seat, tribe):
    """Return the crossroads on which a tribe starts."""
    return entry(land, word(land, _AT.starts) + material.NUM_TRIBES * seat + tribe)


@inlined
def copies_of_counter(land, province, counter):
    """Return the number of counters of a kind in a province."""
    return entry(land, word(land, _AT.counters) + material.NUM_COUNTERS * province + counter)


@inlined
def copies_of_development(land, kind):
    """Return the number of development cards of a kind."""
    return entry(land, word(land, _AT.development) + kind)


@inlined
def fares_from(land, crossroads, grain):
    """Return the index of the first fare from a crossroads, one `entry` per target; ``grain`` is at most 9."""
    region = entry(land, word(land, _AT.region) + crossroads)
    return word(land, _AT.fares) + (region * material.NUM_FARES + grain) * num_crossroads(land)


@inlined
def fare_to(land, region, city):
    """Return the least fare without grain from a region to a crossroads next to a city."""
    return entry(land, word(land, _AT.fares_to_cities) + num_regions(land) * city + region)


@inlined
def cities_within_one_arrow(land, city):
    """Return the cities to which a kingdom that owns a city can expand, as bits (STRUGGLE 5.7)."""
    return word(land, word(land, _AT.within_one_arrow) + city)
