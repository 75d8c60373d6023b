"""The fixed parts of a picture: sea, hexes, borders, connections and cities, with their names."""

from __future__ import annotations

import math
from functools import lru_cache

from romans_env.render.labels import Box, around, overlaps, placed
from romans_env.render.sheets import centred, stretched
from romans_env.render.struggle.castle import CASTLE_HEIGHT, castle, castle_width
from romans_env.render.struggle.map_layout import MAP_HEIGHT, MAP_WIDTH, MapLayout, Point, layout_of
from romans_env.render.struggle.names import PROVINCE_CODES, city_title
from romans_env.render.struggle.text_width import width_of
from romans_env.render.svg import Element, box, element, group, letters, stroke
from romans_env.struggle.board import Board, City, Hex
from romans_env.struggle.board_form import LIMES, PROVINCES

TOKEN_RADIUS = 13.5
LABEL_SIZE, LABEL_HEIGHT = 13.0, 13.4
_BORDER_INSET, _BORDER_WIDTH = 4.2, 3.6
_BADGE_LONG, _BADGE_WIDE = 19.0, 9.0
_CODE_RADIUS = 10.5
_PATTERNS = {
    "field": ("m0 5v-11m0 5l-4-3.5m4 3.5l4-3.5m-4 7.5l-4-3.5m4 3.5l4-3.5", False),
    "mountain": ("m-8 5l6.5-12 3 4 1.5-2 5.5 10z", True),
    "pasture": ("m-5 4l-1.5-6m5 6v-8.5m3.5 8.5l1.5-6.5m1.5 6.5l2-4", False),
    "forest": ("m0-8l6 11h-4.8v4h-2.4v-4h-4.8z", True),
}
"""The pattern of each terrain: its outline relative to its middle, and whether it is filled."""
_PATTERN_PLACES = ((-17.5, -13.0), (17.5, -13.0), (-21.0, 8.0), (21.0, 8.0), (0.0, 22.0), (0.0, -23.0))
_FOREST_PLACES = (*_PATTERN_PLACES, (-7.0, -4.0), (8.0, 2.0))


@lru_cache(maxsize=16)
def board_drawing(board: Board) -> tuple[Element, ...]:
    """Draw a board without pieces."""
    layout = layout_of(board)
    return (
        box(0, 0, MAP_WIDTH, MAP_HEIGHT, 8, class_="sea"),
        *_land(board, layout),
        *_borders(board, layout),
        *_connections(board, layout),
        *(_token(one, layout) for one in board.hexes if one.number is not None),
        *_castles(board, layout),
        *_codes(board, layout),
        _label_of_board(board),
    )


# -- land


def _land(board: Board, layout: MapLayout) -> list[Element]:
    outlines = [_closed(layout.corners(one.id)) for one in board.hexes]
    coast = "".join(outlines)
    round_line = {"stroke_linejoin": "round"}
    parts = [
        element("path", d=coast, class_="n sshallow", stroke_width=0.62 * layout.side, **round_line),
        element("path", d=coast, class_="n scoast", stroke_width=5, **round_line),
    ]
    for one, outline in zip(board.hexes, outlines, strict=True):
        parts.append(element("path", d=outline, class_=f"{one.terrain} sside", stroke_width=1))
    parts += [_pattern(terrain, board, layout) for terrain in _PATTERNS]
    # Land outside of the Empire is pale.
    limes = "".join(outlines[one.id] for one in board.hexes if one.province == LIMES)
    if limes:
        parts.append(element("path", d=limes, class_="paper", fill_opacity=0.42))
    return parts


def _closed(corners: list[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "z"


def _pattern(terrain: str, board: Board, layout: MapLayout) -> Element:
    """Draw the pattern of all hexes of a terrain."""
    d, is_filled = _PATTERNS[terrain]
    colour = f"v{terrain}"
    scale = layout.scale
    outline = "".join(
        f"M{layout.middles[one.id][0] / scale + dx:.1f} {layout.middles[one.id][1] / scale + dy:.1f}{d}"
        for one in board.hexes
        if one.terrain == terrain
        for dx, dy in (_FOREST_PLACES if one.number is None else _PATTERN_PLACES)
    )
    pattern = element("path", d=outline, class_=colour) if is_filled else stroke(outline, colour, 1.5)
    return group(pattern, scale=scale)


def _token(one: Hex, layout: MapLayout) -> Element:
    """Draw the number of a hex, with one dot for each pair of dice that throws it."""
    number = one.number or 0
    dots = 6 - abs(7 - number)
    ink = "hot" if dots == 5 else "ink"
    points = "".join(f"M{3.2 * (k - (dots - 1) / 2):.1f} 8.6h0" for k in range(dots))
    return layout.at(
        layout.middles[one.id],
        element("circle", cx=0, cy=0, r=TOKEN_RADIUS, class_="paper sink", stroke_width=1),
        centred(str(number), 0, 4.6, 15.5, f"b {ink}"),
        stroke(points, ink, 2.3),
    )


def _borders(board: Board, layout: MapLayout) -> list[Element]:
    """Draw a line along the inner side of each province's border, in the province's colour."""
    at = {(one.q, one.r): one.province for one in board.hexes}
    lines: dict[str, list[str]] = {province: [] for province in PROVINCES}
    for one in board.hexes:
        if one.province == LIMES:
            continue
        corners = layout.corners(one.id)
        # Entry k: whether the neighbour beyond the side from corner k to corner k + 1 is in another province.
        beyond = [
            at.get((one.q + dq, one.r + dr)) != one.province
            for dq, dr in ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
        ]
        inset = _BORDER_INSET * layout.scale / math.sqrt(0.75)
        for k in range(6):
            if beyond[k]:
                start = _inset_end(layout.middles[one.id], corners, k, k - 1, beyond[k - 1], inset)
                end = _inset_end(layout.middles[one.id], corners, (k + 1) % 6, (k + 2) % 6, beyond[(k + 1) % 6], inset)
                lines[one.province].append(f"M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}")
    return [
        stroke("".join(line), f"p{number}", _BORDER_WIDTH * layout.scale)
        for number, line in enumerate(lines.values())
        if line
    ]


def _inset_end(middle: Point, corners: list[Point], here: int, further: int, turns: bool, inset: float) -> Point:
    """Return the end of the line along a side near a corner: inside the hex, or on the side shared with another."""
    x, y = corners[here]
    toward = middle if turns else corners[further]
    length = math.dist((x, y), toward)
    return x + (toward[0] - x) * inset / length, y + (toward[1] - y) * inset / length


# -- connections


def _connections(board: Board, layout: MapLayout) -> list[Element]:
    roads: list[str] = []
    routes: list[str] = []
    badges: list[Element] = []
    for a, b, kind in board.edges:
        start, end = layout.points[a], layout.points[b]
        line = f"M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"
        (routes if kind == "sea" else roads).append(line)
        if kind != "road":
            badges.append(_badge(_halfway(layout, (a, b, kind)), start, end, kind, layout.scale))
    width = layout.scale
    dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in layout.points)
    return [
        stroke("".join(roads), "side", 5 * width),
        stroke("".join(roads), "road", 2.4 * width),
        stroke("".join(routes), "route", 2.4 * width, stroke_dasharray="2 6"),
        *badges,
        stroke(dots, "road", 7 * width),
        stroke(dots, "side", 3.6 * width),
    ]


def _halfway(layout: MapLayout, edge: tuple[int, int, str]) -> Point:
    (ax, ay), (bx, by) = layout.points[edge[0]], layout.points[edge[1]]
    return (ax + bx) / 2, (ay + by) / 2


def _badge(middle: Point, start: Point, end: Point, kind: str, scale: float) -> Element:
    """Draw a two-way arrow in the middle of a connection."""
    turn = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    long, wide = _BADGE_LONG / 2, _BADGE_WIDE / 2
    d = f"M{-long} 0l6 {-wide}v3h{2 * long - 12}v-3l6 {wide}-6 {wide}v-3H{6 - long}v3z"
    colour = "route" if kind == "sea" else "hot"
    arrow = element("path", d=d, class_=f"{colour} spaper", stroke_width=1.6, stroke_linejoin="round")
    scale *= 1.25 if kind == "sea" else 1
    return group(arrow, x=middle[0], y=middle[1], turn=round(turn, 2), scale=round(scale, 3))


# -- cities


def city_box(city: City, layout: MapLayout) -> Box:
    """Return the rectangle of a city's towers."""
    x, y = layout.points[city.crossroads]
    return around(x, y, layout.scale * castle_width(city.towers), layout.scale * CASTLE_HEIGHT)


def _castles(board: Board, layout: MapLayout) -> list[Element]:
    return [
        layout.at(layout.points[city.crossroads], castle(city.towers, "paper", "ink", str(city.towers)))
        for city in board.cities
    ]


@lru_cache(maxsize=16)
def name_boxes(board: Board) -> tuple[Box, ...]:
    """Return the rectangles of the cities' names, in the order of the cities."""
    layout = layout_of(board)
    scale = layout.scale
    size, height = LABEL_SIZE * scale, LABEL_HEIGHT * scale
    bodies = [_with_room(city_box(city, layout)) for city in board.cities]
    titles = [city_title(city.name) for city in board.cities]
    widths = [0.81 * width_of(title, size, True) + 4 for title in titles]
    others = [
        *((token, 3.0) for token in tokens(board, layout)),
        # Places of the owners' marks and of figures.
        *((Box(body.left, body.top - 8 * scale, body.right, body.top), 2.0) for body in bodies),
        *((around(*layout.points[place], 26 * scale, 26 * scale), 0.6) for pair in board.starts for place in pair),
        *((around(x, y, 14 * scale, 14 * scale), 2.0) for x, y in layout.points),
        *(
            (around(*_halfway(layout, edge), 14 * scale, 14 * scale), 0.5)
            for edge in board.edges
            if edge.kind != "road"
        ),
    ]
    within = Box(3, 3, MAP_WIDTH - 3, MAP_HEIGHT - 3)
    return tuple(placed(bodies, widths, height, others, within))


@lru_cache(maxsize=16)
def city_names(board: Board) -> tuple[Element, ...]:
    """Draw the names of the cities, which lie above everything except figures."""
    scale = layout_of(board).scale
    size, height = LABEL_SIZE * scale, LABEL_HEIGHT * scale
    parts = []
    for city, place in zip(board.cities, name_boxes(board), strict=True):
        wide, title = place.right - place.left, city_title(city.name)
        fit = stretched(wide - 4)
        parts += [
            box(place.left, place.top, wide, height, 3, class_="paper", fill_opacity=0.86),
            centred(title, (place.left + place.right) / 2, place.bottom - 0.25 * height, size, "b ink", **fit),
        ]
    return tuple(parts)


def tokens(board: Board, layout: MapLayout) -> list[Box]:
    """Return the rectangles of the hexes' numbers."""
    across = 2 * TOKEN_RADIUS * layout.scale
    return [around(*layout.middles[one.id], across, across) for one in board.hexes if one.number is not None]


def _codes(board: Board, layout: MapLayout) -> list[Element]:
    """Draw the code of each province, inside the province if there is room."""
    bodies = [_with_room(city_box(city, layout)) for city in board.cities]
    taken = [*bodies, *name_boxes(board), *tokens(board, layout)]
    parts = []
    size = (2 * _CODE_RADIUS + 2) * layout.scale
    for number, province in enumerate(PROVINCES):
        middles = [layout.middles[one.id] for one in board.hexes if one.province == province]
        if not middles:
            continue
        centre = sum(x for x, _ in middles) / len(middles), sum(y for _, y in middles) / len(middles)
        free = [
            (x + dx * layout.scale, y + dy * layout.scale) for x, y in middles for dx, dy in ((0, 0), *_PATTERN_PLACES)
        ]
        covered = overlaps([around(x, y, size, size) for x, y in free], taken).sum(1)
        best = int((covered + [math.dist(place, centre) for place in free]).argmin())
        parts.append(layout.at(free[best], province_code(number)))
    return parts


def province_code(number: int) -> Element:
    """Draw the sign of a province, its code on a disc, centred at (0, 0)."""
    return group(
        element("circle", cx=0, cy=0, r=_CODE_RADIUS, class_=f"p{number} spaper", stroke_width=1.2),
        centred(PROVINCE_CODES[PROVINCES[number]], 0, 4.1, 11.6, "b onp"),
    )


def _with_room(body: Box) -> Box:
    return Box(body.left - 1, body.top - 2, body.right + 1, body.bottom + 1)


def _label_of_board(board: Board) -> Element:
    """Draw the label of the board: a reconstruction, or the name in its file."""
    text = "reconstructed board (stand-in)" if board.is_stand_in else f"board: {board.name or 'without a name'}"[:60]
    wide = width_of(text, 11.5) + 12
    return group(
        box(0, 0, wide, 18, 4, class_="paper", fill_opacity=0.8),
        letters(text, 6, 13, 11.5, class_="muted", **stretched(wide - 12)),
        x=8,
        y=MAP_HEIGHT - 26,
    )
