"""The map at a terminal, whole or in part: rows of crossroads, and between them the products of the hexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rich.text import Text

from romans_env.render.seat_names import SeatNames
from romans_env.render.struggle.names import PROVINCE_CODES, TRIBE_NAMES, city_title
from romans_env.struggle.board import Board
from romans_env.struggle.board_map import middle

_COLUMNS = 80
_LABEL, _HEX = 4, 3
"""Width in columns of a crossroads, and of a hex between two crossroads."""
_STYLES = {"field": "yellow", "mountain": "", "pasture": "green", "forest": "green"}
_NUMBER = "bold cyan"
_PART = 9
"""Number of rows of a part of the map; together with a question they fit a terminal of 24 lines."""
LEGEND = (
    "f8 field with an 8",
    "m mountain",
    "p pasture",
    "F forest",
    "Ge Ga Hi Su In province",
    "[L] legionnaire",
    "Rom5 Roma, 5 towers",
    "rom5 plundered",
    "rom- neutral",
)
Label = tuple[str, str]
"""A text and its style."""


def has_room(board: Board) -> bool:
    """Return whether the map fits the width of the screen."""
    xs = [one.x for one in board.crossroads]
    return _column(max(xs) - min(xs)) + _LABEL <= _COLUMNS


def map_text(
    position: Mapping[str, Any],
    board: Board,
    seat_names: SeatNames,
    crossroads: Mapping[int, str],
    middle_at: int | None = None,
) -> Text:
    """Return the map, with the numbers of the choices at crossroads.

    Args:
        position: what the reader may know.
        board: the board of the position.
        seat_names: the names of the players.
        crossroads: by crossroads id, the text to show in place of a dot.
        middle_at: the crossroads around which a part of the map is shown; None for the whole map.
    """
    places: dict[int, Label] = {one.id: (seat_names.dot, "dim") for one in board.crossroads}
    places |= {here: (text, _NUMBER) for here, text in crossroads.items()}
    places |= _cities(position, board, seat_names) | _figures(position, seat_names)
    labels = {(one.x, one.y): places[one.id] for one in board.crossroads}
    left = min(one.x for one in board.crossroads)
    rows: dict[int, dict[int, Label]] = {one.y: {} for one in board.crossroads}
    for (x, y), (text, style) in labels.items():
        rows[y][_column(x - left)] = (text if len(text) == _LABEL else f" {text}", style)
    for one in board.hexes:
        x, y = middle(one.q, one.r)
        note = ("[L]", "bold red") if one.id == position["legion"] else (PROVINCE_CODES.get(one.province, ""), "dim")
        land = (f"{one.terrain[0]}{one.number}" if one.number else one.terrain[0].upper(), _STYLES[one.terrain])
        # The longer text goes into the row with more room.
        rooms = sorted((y - 1, y + 1), key=lambda at: -len(labels[x - 1, at][0] + labels[x + 1, at][0]))
        for at, label in zip(rooms, sorted((note, land), key=lambda label: len(label[0])), strict=True):
            rows[at][_column(x - 1 - left) + _LABEL] = label
    lines = []
    for y in _shown(sorted(rows), None if middle_at is None else board.crossroads[middle_at].y):
        row = rows[y]
        lines.append(Text())
        for column, (text, style) in sorted(row.items()):
            lines[-1].append(" " * (column - len(lines[-1]))).append(text, style)
    return Text("\n", no_wrap=True, overflow="crop").join(lines)


def _shown(rows: Sequence[int], middle_row: int | None) -> Sequence[int]:
    """Return the rows of the part around ``middle_row``, or all rows if it is None."""
    if middle_row is None:
        return rows
    first = min(rows.index(middle_row) - _PART // 2, len(rows) - _PART)
    return rows[max(0, first) :][:_PART]


def _column(steps: int) -> int:
    """Return the column at which a label begins."""
    return steps * (_LABEL + _HEX) // 2


def _cities(position: Mapping[str, Any], board: Board, seat_names: SeatNames) -> dict[int, Label]:
    labels, codes = {}, _codes(board)
    for city in board.cities:
        now, code = position["cities"][city.name], codes[city.name]
        if now["owner"] in seat_names.seats:
            labels[city.crossroads] = (f"{seat_names.mark(now['owner'])}{code}", seat_names.style(now["owner"]))
        elif now["counter"]:
            labels[city.crossroads] = (f"{code}{city.towers}", "bold")
        else:
            labels[city.crossroads] = (f"{code.lower()}{'-' if now['owner'] else city.towers}", "")
    return labels


def _figures(position: Mapping[str, Any], seat_names: SeatNames) -> dict[int, Label]:
    return {
        box["at"]: (f"{seat_names.mark(player)}{TRIBE_NAMES[tribe][0]}", seat_names.style(player))
        for player, one in position["players"].items()
        for tribe, box in one["tribes"].items()
        if not box["kingdom"]
    }


@lru_cache(maxsize=16)
def _codes(board: Board) -> Mapping[str, str]:
    """Return a code of three letters for each city, by name; distinct as far as the letters of the names allow."""
    codes: dict[str, str] = {}
    for city in board.cities:
        title = city_title(city.name).replace(" ", "")
        three = [title[:2] + letter for letter in title[2:]]
        codes[city.name] = next((code for code in three if code not in codes.values()), title[:3])
    return codes
