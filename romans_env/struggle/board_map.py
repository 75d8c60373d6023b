"""Consistency of a board's entries (STRUGGLE 1.3): corners, sides of hexes, coasts, ways to the cities."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from romans_env.struggle.board_form import wrong

CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""The corners of a hex relative to its middle, clockwise from the uppermost, in the units of ``x`` and ``y``."""
_INLAND = 3
"""Number of hexes around a crossroads that is not on the coast."""


def middle(q: int, r: int) -> tuple[int, int]:
    """Return the middle of a hex with axial coordinates q and r, in the units of ``x`` and ``y``."""
    return 2 * q + r, 3 * r


def check_map(data: dict[str, Any]) -> None:
    """Check a board that has passed `check_form`.

    Raises:
        BoardError: if entries do not fit each other; the message names one.
    """
    _check_corners(data)
    _check_edges(data)
    _check_places(data)
    _check_ways(data)


def _check_corners(data: dict[str, Any]) -> None:
    at: dict[tuple[int, int], int] = {}
    for number, one in enumerate(data["hexes"]):
        place = one["q"], one["r"]
        if at.setdefault(place, number) != number:
            raise wrong(f"hexes[{number}]", f"hexes[{at[place]}] has the same q and r, {place[0]} and {place[1]}")
    corners: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, one in enumerate(data["hexes"]):
        x, y = middle(one["q"], one["r"])
        for dx, dy in CORNERS:
            corners[x + dx, y + dy].append(number)
    seen: dict[tuple[int, int], int] = {}
    for number, one in enumerate(data["crossroads"]):
        entry, place = f"crossroads[{number}]", (one["x"], one["y"])
        for touched in one["hexes"]:
            if touched not in corners.get(place, ()):
                raise wrong(f"{entry}.hexes", f"x, y = {place[0]}, {place[1]} is not a corner of hex {touched}")
        for touched in corners[place]:
            if touched not in one["hexes"]:
                raise wrong(f"{entry}.hexes", f"it lacks hex {touched}, which has a corner at {place[0]}, {place[1]}")
        if seen.setdefault(place, number) != number:
            raise wrong(entry, f"crossroads[{seen[place]}] has the same x and y, {place[0]} and {place[1]}")
    for place, touching in corners.items():
        if place not in seen:
            raise wrong("crossroads", f"the corner at {place[0]}, {place[1]} of hex {touching[0]} is missing")


def _check_edges(data: dict[str, Any]) -> None:
    crossroads = data["crossroads"]
    seen: dict[tuple[int, int], int] = {}
    for number, (a, b, kind) in enumerate(data["edges"]):
        entry = f"edges[{number}]"
        if seen.setdefault((a, b), number) != number:
            raise wrong(entry, f"edges[{seen[a, b]}] connects {a} and {b}, too")
        one, other = crossroads[a], crossroads[b]
        steps = abs(one["x"] - other["x"]), abs(one["y"] - other["y"])
        is_side = steps in ((0, 2), (1, 1)) and not set(one["hexes"]).isdisjoint(other["hexes"])
        if kind == "sea":
            for end in (a, b):
                if len(crossroads[end]["hexes"]) == _INLAND:
                    raise wrong(entry, f"a sea edge connects coasts, and crossroads {end} is inland")
        if is_side == (kind == "sea"):
            raise wrong(
                entry, f"{a} and {b} are {'' if is_side else 'not '}the ends of a side of a hex, and its kind is {kind}"
            )


def _check_places(data: dict[str, Any]) -> None:
    taken: dict[int, str] = {}
    for number, one in enumerate(data["cities"]):
        here = one["crossroads"]
        if here in taken:
            raise wrong(f"cities[{number}].crossroads", f"{taken[here]} is at crossroads {here}, too")
        taken[here] = f"cities[{number}]"
    for number, pair in enumerate(data["starts"]):
        for place, here in enumerate(pair):
            if here in taken:
                raise wrong(f"starts[{number}][{place}]", f"{taken[here]} is at crossroads {here}, too")
            taken[here] = f"starts[{number}][{place}]"
    first = data["hexes"][data["legion"]]
    if (first["terrain"], first["province"]) != ("forest", "hispania"):
        raise wrong(
            "legion", f"hex {data['legion']} is a {first['terrain']} of {first['province']}, not a forest of hispania"
        )


def _check_ways(data: dict[str, Any]) -> None:
    near: dict[int, list[int]] = defaultdict(list)
    for a, b, _ in data["edges"]:
        near[a].append(b)
        near[b].append(a)
    reached: set[int] = set()
    ahead = [place for pair in data["starts"] for place in pair]
    while ahead:
        here = ahead.pop()
        if here not in reached:
            reached.add(here)
            ahead += near[here]
    for number, one in enumerate(data["cities"]):
        if one["crossroads"] not in reached:
            raise wrong(
                f"cities[{number}]", f"no start can reach {one['name']} at crossroads {one['crossroads']} along edges"
            )
