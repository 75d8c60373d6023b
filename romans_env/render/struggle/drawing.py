"""The drawing of a position: the map, next to it a panel for each seat, and below it the provinces' hidden counters.

The board, which never changes, and the parts of the map that seldom change are separate layers, so that a replay stores
them once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from romans_env.render.picture import Band, Picture, Theme
from romans_env.render.sheets import centred
from romans_env.render.struggle.board_drawing import board_drawing, city_names
from romans_env.render.struggle.map_layout import MAP_HEIGHT, MAP_WIDTH
from romans_env.render.struggle.palette import STYLE
from romans_env.render.struggle.panels import BANK_HEIGHT, PANEL_WIDTH, STRIP_HEIGHT, bank, panel, strip
from romans_env.render.struggle.pieces import city_pieces, figure_pieces, ground_pieces, ids
from romans_env.render.struggle.questions import QUESTIONS, about, turn_in_words
from romans_env.render.struggle.symbols import SEAT_MARKS
from romans_env.render.svg import Element, box, group
from romans_env.render.theme import HeaderForm
from romans_env.struggle.board import Board, load_board

EDGE, _GAP = 8, 4
"""Margins in pixels to the left and to the right of the map."""
WIDTH = MAP_WIDTH + PANEL_WIDTH + 2 * EDGE + 4
HEAD_HEIGHT = 58
_HEAD = HeaderForm(
    15,
    WIDTH - 15,
    title=(25, 17),
    asked=(24, 14.5),
    mark=(10, 17),
    viewer=(45, 12.5),
    detail=(45, 13),
    marks=SEAT_MARKS,
)
PANELS_LEFT = EDGE + MAP_WIDTH + _GAP
_MOST_PANELS = 4
_NUMBERS = range(2, 13)


def draw(
    position: dict[str, Any],
    viewer: str | None = None,
    winners: Sequence[str] = (),
    theme: Theme = "auto",
    board: Board | None = None,
) -> Picture:
    """Draw a position as a picture, see `romans_env.draw`: 1120 wide, with the same height for all positions.

    The board is that of the position (STRUGGLE 9.1) unless ``board`` is given.
    """
    board = board_of(position) if board is None else board
    high = panel_height(position)
    left, num_panels = PANELS_LEFT, len(position["players"])
    *below, figures = map_layers(position, board)
    on_map = (*below, ids(position, board), figures)
    bands = [
        Band(HEAD_HEIGHT, tuple(_head(position, viewer, winners))),
        *(_layer(parts, EDGE, 0, MAP_WIDTH, MAP_HEIGHT) for parts in on_map),
        *(
            _layer(
                panel(position, k, high - _GAP, winners) if k < num_panels else (), left, k * high, PANEL_WIDTH, high
            )
            for k in range(_MOST_PANELS)
        ),
        _layer(bank(position), left, MAP_HEIGHT - BANK_HEIGHT, PANEL_WIDTH, BANK_HEIGHT),
        Band(MAP_HEIGHT, ()),
        Band(STRIP_HEIGHT, tuple(strip(position, WIDTH))),
    ]
    return Picture(tuple(bands), WIDTH, STYLE, theme)


def map_layers(position: dict[str, Any], board: Board) -> list[Sequence[Element]]:
    """Return the layers of the map from the bottom up, without the ids of places."""
    return [
        board_drawing(board),
        ground_pieces(position, board),
        city_pieces(position, board),
        city_names(board),
        figure_pieces(position, board),
    ]


def panel_height(position: dict[str, Any]) -> int:
    """Return the vertical distance between the seats' panels, in pixels."""
    return (MAP_HEIGHT - BANK_HEIGHT) // len(position["players"])


def board_of(position: dict[str, Any]) -> Board:
    """Return the board of a position, or the stand-in if the position names none.

    Raises:
        ValueError: if the board does not have the form of STRUGGLE 1.3.
    """
    given = position.get("board")
    return load_board() if given is None else _loaded(json.dumps(given))


@lru_cache(maxsize=8)
def _loaded(text: str) -> Board:
    return load_board(json.loads(text))


def _layer(parts: Sequence[Element], x: int, y: int, width: int, height: int) -> Band:
    return Band(0, (group(*parts, x=x, y=y),) if parts else (), (x, y, width, height))


def _head(position: dict[str, Any], viewer: str | None, winners: Sequence[str]) -> list[Element]:
    """Draw the round, the thrown numbers, and the player to act."""
    parts = _HEAD.at_the_left(turn_in_words(position), viewer)
    parts += final_round(position, 132, 31)
    parts.append(group(*markers(position["markers"]), x=330, y=10))
    return parts + _HEAD.at_the_right(position["decision"], winners, list(position["players"]), QUESTIONS, about)


def final_round(position: dict[str, Any], x: float, y: float) -> list[Element]:
    """Draw the sign of the final round if this is it."""
    if not position["final"]:
        return []
    return [box(x, y, 86, 20, 10, class_="hot"), centred("final round", x + 43, y + 14, 12.5, "b paper")]


def markers(thrown: Sequence[int]) -> list[Element]:
    """Draw the possible sums of two dice; those that bear a marker are dark."""
    parts = []
    for k, number in enumerate(_NUMBERS):
        look, dashes, ink = ("ink", None, "b panel") if number in thrown else ("n sfaint", "3 3", "faint")
        parts += [
            box(31 * k + 1, 5, 27, 27, 6, class_=look, stroke_dasharray=dashes),
            centred(str(number), 31 * k + 14.5, 24.5, 15, ink),
        ]
    return parts
