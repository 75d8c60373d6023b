"""A board as the rules read it: what is next to what, and the cheapest fares, computed once for a board (STRUGGLE 5.4).

All of it is one table of integers (`romans_env.compiling.tables`), published under the key that records hold. The
functions at the end read it: ``land`` is the handle that ``land_of(state)`` gives.

Crossroads that free connections join are one *region*: a walk within it costs nothing, so distances are between
regions, of which there are far fewer.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined
from romans_env.compiling.tables import entry, publish, table_of, word
from romans_env.struggle import material
from romans_env.struggle.board import Board
from romans_env.struggle.state import State

CORNERS = 6
"""Corners of a hex."""
SIDES = 3
"""Hexes that a crossroads touches, and sides of hexes that meet there, at most."""
GOLD_OF_ARROW = {"land": 3, "sea": 1}
"""What an arrow costs in gold (STRUGGLE 5.4)."""
UNREACHABLE = np.iinfo(np.int16).max
"""In place of a fare: there is no way, or the tribe may not stop there."""

_Header = namedtuple(
    "_Header",
    "num_hexes num_crossroads legion num_regions terrain is_empire cities_of_hex hexes_by_number hexes_of_number "
    "hexes_of_crossroads region neighbours city_crossroads towers province is_three starts counters development "
    "fares fares_to_cities within_one_arrow",
)
_AT = _Header(*range(len(_Header._fields)))
"""Words of the header: four numbers, then where each section begins, in entries; the last one, in words."""


@dataclass(frozen=True, eq=False)
class Geography:
    """The numbers that rules read of a board, computed from it once.

    Attributes:
        key: the key of the table, from the digest of the board.
        regions: of each crossroads, shape (crossroads,).
        fares: ``fares[a, g, x]`` is F(g) of STRUGGLE 5.4: the least gold for which a tribe in region a reaches
            crossroads x with at most g land arrows paid in grain; UNREACHABLE where there is no way or a city. int16,
            shape (regions, 10, crossroads).
        neighbours: cities that a road or a land arrow joins to a crossroads (STRUGGLE 5.5); then NONE. int16,
            shape (crossroads, 3).
        within_one_arrow: the cities to which a city's kingdom can expand (STRUGGLE 5.7): bool, shape (40, 40).
        table: all that compiled rules read: int16.
    """

    key: int
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
    city_at = {city.crossroads: number for number, city in enumerate(board.cities)}
    at = list(city_at)
    ways = [way for edge in board.edges if edge.kind != "sea" for way in ((edge.a, edge.b), (edge.b, edge.a))]
    regions = _regions(board)
    land, sea = _arrows(board, regions, "land"), _arrows(board, regions, "sea")
    fares = _fares_between_regions(land, sea)[:, :, regions]
    fares[:, :, at] = UNREACHABLE
    within = (land | sea | np.eye(len(land), dtype=bool))[np.ix_(regions[at], regions[at])]
    np.fill_diagonal(within, False)
    neighbours = _lists(((here, city_at[there]) for here, there in ways if there in city_at), regions.size, SIDES)
    at_hexes = ((touching, city) for city, place in enumerate(at) for touching in board.crossroads[place].hexes)
    numbers = np.array([one.number or material.SUMS for one in board.hexes])
    sections = {
        "terrain": [material.TERRAINS.index(one.terrain) for one in board.hexes],
        "is_empire": [one.province != "limes" for one in board.hexes],
        "cities_of_hex": _lists(at_hexes, len(board.hexes), CORNERS),
        # The hexes sorted by number, and where those of each number begin.
        "hexes_by_number": numbers.argsort(kind="stable")[: (numbers < material.SUMS).sum()],
        "hexes_of_number": [(numbers < number).sum() for number in range(material.SUMS + 1)],
        "hexes_of_crossroads": _lists(
            ((one.id, touching) for one in board.crossroads for touching in one.hexes), regions.size, SIDES
        ),
        "region": regions,
        "neighbours": neighbours,
        "city_crossroads": at,
        "towers": [city.towers for city in board.cities],
        "province": [material.PROVINCES.index(city.province) for city in board.cities],
        "is_three": [city.three for city in board.cities],
        "starts": board.starts,
        "counters": [
            [board.counters[colour].get(name, 0) for name in material.COUNTERS] for colour in material.PROVINCES
        ],
        "development": [board.development.get(name, 0) for name in material.DEVELOPMENT],
        "fares": fares,
        "fares_to_cities": [fares[:, 0, (neighbours == k).any(1)].min(1, initial=UNREACHABLE) for k in range(len(at))],
    }
    bits = (within.astype(np.int64) << np.arange(material.NUM_CITIES)).sum(axis=1)
    table = _table_of((len(board.hexes), regions.size, board.legion, len(land)), sections, bits)
    return Geography(int(board.digest[:15], 16), regions, fares, neighbours, within, table)


# -- computed once for a board


def _regions(board: Board) -> npt.NDArray[np.int16]:
    """Return the region of every crossroads, numbered by their first crossroads: int16, shape (crossroads,)."""
    a, b = np.array([(edge.a, edge.b) for edge in board.edges if edge.kind == "road"], dtype=int).reshape(-1, 2).T
    first = np.arange(len(board.crossroads))
    while (first[a] != first[b]).any():
        np.minimum.at(first, a, first[b])
        np.minimum.at(first, b, first[a])
    return np.unique(first, return_inverse=True)[1].astype(np.int16)


def _arrows(board: Board, regions: npt.NDArray[np.int16], kind: str) -> npt.NDArray[np.bool_]:
    """Return which regions an arrow of a kind joins: bool, shape (regions, regions)."""
    joined = np.zeros((regions.max() + 1,) * 2, dtype=bool)
    for edge in board.edges:
        if edge.kind == kind:
            joined[regions[edge.a], regions[edge.b]] = joined[regions[edge.b], regions[edge.a]] = True
    return joined


def _fares_between_regions(land: npt.NDArray[np.bool_], sea: npt.NDArray[np.bool_]) -> npt.NDArray[np.int16]:
    """Return the fares F(g) between regions that arrows join: int16, shape (regions, 10, regions)."""
    none = 10**6
    # Walks on which every arrow costs: the least gold with no grain (Floyd and Warshall), then with one grain more.
    gold = np.where(sea, GOLD_OF_ARROW["sea"], np.where(land, GOLD_OF_ARROW["land"], none))
    np.fill_diagonal(gold, 0)
    for via in range(len(gold)):
        np.minimum(gold, gold[:, via, None] + gold[None, via], out=gold)
    costs = [gold]
    for _ in range(1, material.NUM_FARES):
        # In gold up to some region, then a land arrow for grain, then on with one grain less.
        costs.append(costs[-1].copy())
        for via, onward in enumerate(_behind_an_arrow(land, costs[-2], none)):
            np.minimum(costs[-1], gold[:, via, None] + onward, out=costs[-1])
    # The first arrow is free: the walk that costs begins behind it.
    fares = np.stack([_behind_an_arrow(land | sea, cost, none) for cost in costs], axis=1)
    fares[np.arange(len(gold)), :, np.arange(len(gold))] = 0
    return np.minimum(fares, UNREACHABLE).astype(np.int16)


def _behind_an_arrow(joined: npt.NDArray[np.bool_], costs: npt.NDArray[Any], none: int) -> npt.NDArray[Any]:
    """Return the least of the costs from the regions that an arrow joins to each; ``none`` where there is none."""
    return np.array([costs[there].min(axis=0, initial=none) for there in joined])


def _lists(pairs: Iterable[tuple[int, int]], num_lists: int, size: int) -> npt.NDArray[np.int16]:
    """Return for each number from 0 on what pairs (number, place) name with it, then NONE: (num_lists, size)."""
    lists: list[list[int]] = [[] for _ in range(num_lists)]
    for number, place in pairs:
        lists[number].append(place)
    return np.array([[*places, *[material.NONE] * (size - len(places))] for places in lists], dtype=np.int16)


def _table_of(numbers: tuple[int, ...], sections: dict[str, Any], bits: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
    header, parts, place = list(numbers), list[npt.NDArray[np.int16]](), 4 * len(_AT)
    for name in _AT._fields[len(numbers) : -1]:
        part = np.array(sections[name], dtype=np.int16).ravel()
        header.append(place)
        parts.append(part)
        place += part.size
    parts.append(np.zeros(-place % 4, dtype=np.int16))
    header.append((place + parts[-1].size) // 4)
    return np.concatenate([np.array(header, np.int64).view(np.int16), *parts, bits.view(np.int16)])


# -- read by compiled rules


@inlined
def land_of(state: State):
    """Return the handle of the board of a record."""
    return table_of(state.board)


@inlined
def num_hexes(land):
    """Return how many hexes a map has."""
    return word(land, _AT.num_hexes)


@inlined
def num_crossroads(land):
    """Return how many crossroads a map has."""
    return word(land, _AT.num_crossroads)


@inlined
def num_regions(land):
    """Return how many regions a map has."""
    return word(land, _AT.num_regions)


@inlined
def legion_at_start(land):
    """Return the hex on which the legion stands at the start."""
    return word(land, _AT.legion)


@inlined
def terrain_of(land, place):
    """Return the terrain of a place."""
    return entry(land, word(land, _AT.terrain) + place)


@inlined
def is_empire(land, place):
    """Return whether a hex is one of the Empire (STRUGGLE 1.4)."""
    return entry(land, word(land, _AT.is_empire) + place) != 0


@inlined
def first_hex_of_number(land, number):
    """Return where the hexes of a number begin in `hex_by_number`; those of the next number begin where they end."""
    return entry(land, word(land, _AT.hexes_of_number) + number)


@inlined
def hex_by_number(land, k):
    """Return the hex with the k-th number."""
    return entry(land, word(land, _AT.hexes_by_number) + k)


@inlined
def city_of_hex(land, place, k):
    """Return one of the cities that a hex touches, k from 0 to 5, or NONE."""
    return entry(land, word(land, _AT.cities_of_hex) + CORNERS * place + k)


@inlined
def touches(land, crossroads, place):
    """Return whether a crossroads touches a hex."""
    base = word(land, _AT.hexes_of_crossroads) + SIDES * crossroads
    return (entry(land, base) == place) | (entry(land, base + 1) == place) | (entry(land, base + 2) == place)


@inlined
def hex_of_crossroads(land, crossroads, k):
    """Return one of the hexes that a crossroads touches, k from 0 to 2, or NONE."""
    return entry(land, word(land, _AT.hexes_of_crossroads) + SIDES * crossroads + k)


@inlined
def region_of(land, crossroads):
    """Return the region of a crossroads; walks within a region are free."""
    return entry(land, word(land, _AT.region) + crossroads)


@inlined
def neighbour(land, crossroads, k):
    """Return one of the cities beside a crossroads (STRUGGLE 5.5), k from 0 to 2, or NONE."""
    return entry(land, word(land, _AT.neighbours) + SIDES * crossroads + k)


@inlined
def crossroads_of(land, city):
    """Return the crossroads of a city."""
    return entry(land, word(land, _AT.city_crossroads) + city)


@inlined
def towers_of(land, city):
    """Return how many towers a city has."""
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
    """Return how many counters of a kind a province has."""
    return entry(land, word(land, _AT.counters) + material.NUM_COUNTERS * province + counter)


@inlined
def copies_of_development(land, kind):
    """Return how many development cards of a kind there are."""
    return entry(land, word(land, _AT.development) + kind)


@inlined
def fares_from(land, crossroads, grain):
    """Return where the fares from a crossroads begin, an `entry` a crossroads, with at most ``grain`` (0 to 9) paid."""
    region = entry(land, word(land, _AT.region) + crossroads)
    return word(land, _AT.fares) + (region * material.NUM_FARES + grain) * num_crossroads(land)


@inlined
def fare_to(land, region, city):
    """Return the least fare from a region to a crossroads beside a city, without grain."""
    return entry(land, word(land, _AT.fares_to_cities) + num_regions(land) * city + region)


@inlined
def cities_within_one_arrow(land, city):
    """Return the cities, as bits, to which a kingdom that owns a city can expand (STRUGGLE 5.7)."""
    return word(land, word(land, _AT.within_one_arrow) + city)
