"""How the speed of Struggle for Rome falls with the size of its board.

    python -m benchmarks.struggle_board_size

The stand-in board is measured beside the same board with rings of further hexes around its land, all cities, starts and
ship lines in their places: the tribes have more crossroads to move to, so there are more actions, and observations are
longer. Distances and fares are computed once for a board. Four players, random legal actions.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from benchmarks.speed.engine import random_steps
from benchmarks.speed.env_apis import cheap_loop
from benchmarks.speed.report import print_measurements
from benchmarks.speed.timing import Case, measure
from romans_env import struggle_v0
from romans_env.games import spec_of
from romans_env.protocol import Rules
from romans_env.struggle import load_board

CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""Where the corners of a hex are from its middle (STRUGGLE 1.3)."""
NEIGHBOURS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""What is added to the axial place of a hex for each of its neighbours."""


def with_ring(board: dict[str, Any]) -> dict[str, Any]:
    """A board with a field wherever the sea touches its land, and a road along every side of these.

    A field that would close a harbour, an end of a ship line, is left out. All ids stay.

    Args:
        board: as `romans_env.struggle.Board.as_json` gives it.
    """
    hexes, crossroads = list(board["hexes"]), {(at["x"], at["y"]): dict(at) for at in board["crossroads"]}
    harbours = {end for a, b, kind in board["edges"] if kind == "sea" for end in (a, b)}
    land = {(one["q"], one["r"]) for one in hexes}
    sides = set()
    for q, r in sorted({(q + dq, r + dr) for q, r in land for dq, dr in NEIGHBOURS} - land):
        corners = [(2 * q + r + dx, 3 * r + dy) for dx, dy in CORNERS]
        known = [crossroads[corner] for corner in corners if corner in crossroads]
        if any(at["id"] in harbours and len(at["hexes"]) == 2 for at in known):
            continue
        for x, y in corners:
            found = crossroads.setdefault((x, y), {"id": len(crossroads), "x": x, "y": y, "hexes": []})
            crossroads[x, y] = {**found, "hexes": [*found["hexes"], len(hexes)]}
        hexes.append({"id": len(hexes), "q": q, "r": r, "terrain": "field", "number": 2 + q % 5, "province": "limes"})
        ids = [crossroads[corner]["id"] for corner in corners]
        sides |= {(min(ids[k], ids[k - 1]), max(ids[k], ids[k - 1])) for k in range(6)}
    listed = {(a, b) for a, b, _ in board["edges"]}
    return {
        **board,
        "name": f"{board['name']} and a ring",
        "hexes": hexes,
        "crossroads": list(crossroads.values()),
        "edges": [*board["edges"], *([a, b, "road"] for a, b in sorted(sides - listed))],
    }


def boards(rings: int) -> list[tuple[str, Rules]]:
    """The stand-in board and those with 1 to ``rings`` rings around it: what is called, and the rules with it."""
    spec, data, found = spec_of("struggle"), load_board().as_json(), []
    for number in range(rings + 1):
        if number:
            data = with_ring(data)
        rules = spec.make_rules(board=data) if number else spec.make_rules()
        name = f"{len(data['hexes'])} hexes, {len(data['crossroads'])} crossroads, {rules.num_actions} actions"
        found.append((name, rules))
    return found


def env_steps(rules: Rules) -> Any:
    """Steps of ``env()``."""
    return cheap_loop(struggle_v0.env(**rules.setup.as_json()))


@click.command()
@click.option("--rings", type=click.IntRange(min=0), default=3, show_default=True, help="Rings around the land.")
@click.option("--runs", type=click.IntRange(min=1), default=5, show_default=True, help="How often a case is timed.")
@click.option("--seconds", type=click.FloatRange(min=0.01), default=0.5, show_default=True, help="Of a run, at least.")
@click.option("--size", type=click.IntRange(min=1), default=4096, show_default=True, help="Games of a batch.")
def main(rings: int, runs: int, seconds: float, size: int) -> None:
    """Print decisions a second, and the ratio to the stand-in board in the same rounds."""
    every = boards(rings)
    ways = {
        f"batch, N = {size}": lambda rules: random_steps(rules, size),
        "batch, neither mask nor observation": lambda rules: random_steps(rules, size, watches=False),
        "env()": env_steps,
    }
    for way, makes in ways.items():
        first = every[0][0]
        cases = [Case(name, partial(makes, rules), None if name == first else first) for name, rules in every]
        print_measurements(f"{way}: decisions a second", measure(way, cases, runs, seconds))


if __name__ == "__main__":
    main()
