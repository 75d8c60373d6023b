"""The layout of a board's drawing in pixels, computed once per board."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from romans_env.render.svg import Element, group
from romans_env.struggle.board import Board
from romans_env.struggle.board_map import CORNERS, middle

MAP_WIDTH, MAP_HEIGHT = 770, 780
_MARGIN = 25
_LARGEST_SIDE = 44.0
Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class MapLayout:
    """The drawing of a board in a box of `MAP_WIDTH` by `MAP_HEIGHT`.

    Attributes:
        side: the length of a side of a hex.
        middles: the middle of each hex.
        points: the place of each crossroads.
    """

    side: float
    middles: tuple[Point, ...]
    points: tuple[Point, ...]

    @property
    def scale(self) -> float:
        """Scale of the things drawn on the map; about 1 for the stand-in board."""
        return self.side / 39.5

    def at(self, point: Point, *parts: Element) -> Element:
        """Return parts moved to a point of the map."""
        return group(*parts, x=point[0], y=point[1], scale=self.scale)

    def corners(self, number: int) -> list[Point]:
        """Return the corners of a hex, clockwise from the uppermost."""
        x, y = self.middles[number]
        return [(x + dx * math.sqrt(0.75) * self.side, y + dy * self.side / 2) for dx, dy in CORNERS]


@lru_cache(maxsize=16)
def layout_of(board: Board) -> MapLayout:
    """Return the layout of a board, as large as its box allows."""
    xs, ys = [one.x for one in board.crossroads], [one.y for one in board.crossroads]
    wide, high = (max(xs) - min(xs)) * math.sqrt(0.75), (max(ys) - min(ys)) / 2
    side = min((MAP_WIDTH - 2 * _MARGIN) / wide, (MAP_HEIGHT - 2 * _MARGIN) / high, _LARGEST_SIDE)
    left, top = (MAP_WIDTH - wide * side) / 2, (MAP_HEIGHT - high * side) / 2

    def place(x: float, y: float) -> Point:
        return left + (x - min(xs)) * math.sqrt(0.75) * side, top + (y - min(ys)) * side / 2

    return MapLayout(
        side,
        tuple(place(*middle(one.q, one.r)) for one in board.hexes),
        tuple(place(one.x, one.y) for one in board.crossroads),
    )
