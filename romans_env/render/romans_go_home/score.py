"""How a game of Romans Go Home! came out: its points by round, and by fort."""

from __future__ import annotations

from romans_env.core.game import Game
from romans_env.render.romans_go_home.sentences import fort_title
from romans_env.render.text_interface import HelpTable, by_points, rivals_of
from romans_env.render.wording import counted


def _points_of(fort: str) -> int:
    return int(fort_title(fort).rpartition(" ")[2])


def score(game: Game) -> HelpTable:
    """Return a row for each clan: the points of its captures in each round, their sum, and its forts."""
    rounds: list[dict[str, int]] = []
    for event in game.events():
        if event.kind == "round":
            rounds.append(dict.fromkeys(game.rules.seats, 0))
        elif event.kind in ("capture", "pays"):
            sign = 1 if event.kind == "capture" else -1
            rounds[-1][event.details["clan"]] += sign * _points_of(event.details["fort"])
    rows = []
    for clan, one in game.position()["clans"].items():
        forts = ", ".join(map(fort_title, one["forts"])) or "none"
        rows.append((clan, *(str(points[clan]) for points in rounds), str(one["points"]), forts))
    heads = [f"round {number}" for number in range(1, len(rounds) + 1)]
    return HelpTable("Points by round", ("", *heads, "points", "forts"), tuple(rows))


def decisive(game: Game) -> str:
    """Return by what the only winner has won (RULES 5.4, 7)."""
    clans, (winner,) = game.position()["clans"], game.winners()
    own = clans[winner]["forts"]
    if sum(fort.startswith("legion") for fort in own) >= 3:
        return "by three Legion forts"
    if found := by_points(game):
        return found
    level = [one for one in map(clans.get, rivals_of(game, winner)) if one["points"] >= clans[winner]["points"]]
    return f"with {counted(len(own), 'fort')} to {max(len(one['forts']) for one in level)}"
