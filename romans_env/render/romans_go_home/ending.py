"""The end of a game in words: how it was won, and the points of each round."""

from __future__ import annotations

from typing import Any

from romans_env.core.game import Game
from romans_env.render.romans_go_home.names import fort_title
from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import Ending, HelpTable, unbroken
from romans_env.romans_go_home.material import FORTS, POINTS


def ending(position: dict[str, Any]) -> Ending:
    """Return how a finished game was won, and why it ended (RULES 5.4, 7.1, 7.2)."""
    clans = position["clans"]
    players = [clan for name, clan in clans.items() if name.startswith("player")]
    if any(sum(fort.startswith("legion") for fort in clan["forts"]) >= 3 for clan in players):
        return Ending("by three Legion forts", "Three Legion forts win at once.")
    # In a solo game the neutral clans are ranked with the player (RULES 7.3).
    ranked = players if len(players) > 1 else list(clans.values())
    ranks = sorted(((clan["points"], len(clan["forts"])) for clan in ranked), reverse=True)
    best, second = ranks[0], ranks[1]
    if best[0] > second[0]:
        how = "on points"
    else:
        how = "with as many points and more forts" if best > second else "with as many points and the better fort"
    return Ending(how, "After three rounds most points win, then most forts, then the best fort.")


def points_table(game: Game, seat_names: SeatNames) -> HelpTable:
    """Return the points that each clan won in each round, and the forts it holds at the end."""
    rounds: list[dict[str, int]] = []
    for event in game.events():
        if event.kind == "round":
            rounds.append(dict.fromkeys(game.rules.seats, 0))
        elif event.kind in ("capture", "pays"):
            points = int(POINTS[FORTS.index(event.details["fort"])])
            rounds[-1][event.details["clan"]] += points if event.kind == "capture" else -points
    rows = [
        (
            seat_names.name(clan),
            *(str(points[clan]) for points in rounds),
            str(cards["points"]),
            unbroken([*map(fort_title, cards["forts"])]) or "none",
        )
        for clan, cards in game.position()["clans"].items()
    ]
    heads = [f"round {number}" for number in range(1, len(rounds) + 1)]
    return HelpTable("What brought the points", ("", *heads, "in all", "forts"), tuple(rows))
