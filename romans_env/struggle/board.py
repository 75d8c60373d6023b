"""The board, read from one file (STRUGGLE 1.3).

The package contains a stand-in, a reconstruction: the printed board, the counters' faces and the development
deck were not available. docs/environments/struggle_board.md says how a file made from the printed game replaces it;
``board.schema.json``, next to this module, describes the form of a file as JSON Schema.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from romans_env.core.files import json_of, read_text
from romans_env.errors import in_one_line
from romans_env.struggle.board_form import BoardError, check_form
from romans_env.struggle.board_map import check_map

STAND_IN = Path(__file__).with_name("board.json")


class Hex(NamedTuple):
    """A land hex.

    Attributes:
        id: index among the hexes.
        q: axial coordinate.
        r: axial coordinate; it grows southward.
        terrain: ``field``, ``mountain``, ``pasture`` or ``forest``.
        number: 2 to 12 without 7; None for a forest.
        province: one of the five provinces, or ``limes``.
    """

    id: int
    q: int
    r: int
    terrain: str
    number: int | None
    province: str


class Crossroads(NamedTuple):
    """A corner of hexes.

    Attributes:
        id: index among the crossroads.
        x: coordinate for drawing; the middle of a hex is at (2q + r, 3r).
        y: coordinate for drawing; it grows southward.
        hexes: ids of the one to three hexes that it touches.
    """

    id: int
    x: int
    y: int
    hexes: tuple[int, ...]


class Edge(NamedTuple):
    """A connection between two crossroads, a < b, usable in both directions.

    Attributes:
        a: id of a crossroads.
        b: id of a crossroads.
        kind: ``road`` (free), ``land`` (a side of a hex with an arrow) or ``sea`` (a ship line with an arrow).
    """

    a: int
    b: int
    kind: str


class City(NamedTuple):
    """A city.

    Attributes:
        name: its name, unique on the board.
        crossroads: id of its crossroads.
        province: one of the five provinces.
        towers: 2 to 5.
        three: whether it is marked III, and so is neutral with three players.
    """

    name: str
    crossroads: int
    province: str
    towers: int
    three: bool


@dataclass(frozen=True)
class Board:
    """A board that has passed all checks of STRUGGLE 1.3. Two boards are equal if their files are.

    Attributes:
        hexes: the land hexes, ordered by id.
        crossroads: the corners of these hexes, ordered by id.
        edges: connections, at most one for each pair of crossroads.
        cities: the 40 cities, in the order of the file.
        starts: four pairs of crossroads, of the horseman and of the warrior.
        legion: id of the hex on which the legionnaire starts.
        counters: for each province, the copies of its 8 plunder counters by name.
        development: copies of the 30 development cards by name.
        name: the board's name in the file, or an empty string.
        note: the note in the file, or an empty string.
        digest: sha256 of the whole file as JSON with sorted keys and no spaces, 64 hexadecimal digits.
    """

    hexes: tuple[Hex, ...] = field(compare=False, repr=False)
    crossroads: tuple[Crossroads, ...] = field(compare=False, repr=False)
    edges: tuple[Edge, ...] = field(compare=False, repr=False)
    cities: tuple[City, ...] = field(compare=False, repr=False)
    starts: tuple[tuple[int, int], ...] = field(compare=False, repr=False)
    legion: int = field(compare=False, repr=False)
    counters: Mapping[str, Mapping[str, int]] = field(compare=False, repr=False)
    development: Mapping[str, int] = field(compare=False, repr=False)
    name: str = field(compare=False)
    note: str = field(compare=False, repr=False)
    digest: str
    _data: dict[str, Any] = field(compare=False, repr=False)

    @property
    def is_stand_in(self) -> bool:
        """Whether this is the board that comes with the package."""
        return self.digest == _stand_in().digest

    def as_json(self) -> dict[str, Any]:
        """Return a copy of the parsed file, as `load_board` accepts it."""
        return copy.deepcopy(self._data)


def load_board(board: str | os.PathLike[str] | dict[str, Any] | Board | None = None) -> Board:
    """Load a board.

    Args:
        board: path of a board file, its parsed JSON, or a `Board`, which is returned; None for the stand-in board.

    Raises:
        BoardError: if the file cannot be read, is not JSON, or breaks STRUGGLE 1.3; the message names the entry. It is
            a
            ValueError.
    """
    if isinstance(board, Board):
        return board
    if board is None:
        return _stand_in()
    if not isinstance(board, (str, os.PathLike)):
        return _checked(board)
    path = in_one_line(os.fspath(board), 200)
    try:
        data = json_of(read_text(board))
    except OSError as error:
        raise BoardError(f"the board file {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BoardError(f"the board file {path} is not whole JSON: {in_one_line(error)}") from None
    try:
        return _checked(data)
    except BoardError as error:
        raise BoardError(f"the board file {path} is refused: {error}") from None


@cache
def _stand_in() -> Board:
    return _checked(json_of(read_text(STAND_IN)))


def _checked(data: Any) -> Board:
    check_form(data)
    check_map(data)
    data = copy.deepcopy(data)
    return Board(
        hexes=tuple(Hex(**one) for one in data["hexes"]),
        crossroads=tuple(Crossroads(one["id"], one["x"], one["y"], tuple(one["hexes"])) for one in data["crossroads"]),
        edges=tuple(Edge(*row) for row in data["edges"]),
        cities=tuple(City(**one) for one in data["cities"]),
        starts=tuple((horseman, warrior) for horseman, warrior in data["starts"]),
        legion=data["legion"],
        counters=data["counters"],
        development=data["development"],
        name=data.get("name", ""),
        note=data.get("note", ""),
        digest=_digest(data),
        _data=data,
    )


def _digest(data: dict[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
