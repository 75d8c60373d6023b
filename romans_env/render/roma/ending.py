"""The end of a game of Roma in words: how it was won, and where the points came from."""

from __future__ import annotations

from collections import Counter
from typing import Any

from romans_env.core.game import Game
from romans_env.render.roma.cards import PLAYERS
from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import Ending, HelpTable, unbroken


def ending(position: dict[str, Any]) -> Ending:
    """Return how a finished game was won, and why it ended (ROMA 7)."""
    points = {player: one["points"] for player, one in position["players"].items()}
    empty = [player for player, left in points.items() if left == 0]
    if empty:
        return Ending(f"because {empty[0]} has no points left", "The game ends when one side has no points left.")
    why = "The stock is empty" if position["stock"] == 0 else "Turn 200 is over"
    return Ending("on points", f"{why}: most points win.")


def points_table(game: Game, seat_names: SeatNames) -> HelpTable:
    """Return a table of the points that both sides gained from cards and lost to the rival and for free discs."""
    cards: dict[str, Counter[str]] = {player: Counter() for player in PLAYERS}
    lost: Counter[str] = Counter()
    paid: Counter[str] = Counter()
    for event in game.events():
        one = event.details
        if event.kind in ("gets", "takes_points"):
            cards[one["player"]][one["effect"]] += one["points"]
        if event.kind == "takes_points":
            lost[one["rival"]] += one["points"]
        if event.kind == "pays":
            paid[one["player"]] += one["paid"]
    rows = []
    for player, total in game.points().items():
        won = sum(cards[player].values())
        at_first = total - won + lost[player] + paid[player]
        most = sorted(cards[player].items(), key=lambda one: -one[1])
        brought = unbroken([f"{card} {points}" for card, points in most if points])
        numbers = (at_first, won, -lost[player], -paid[player], total)
        rows.append((seat_names.name(player), *map(str, numbers), brought or "none"))
    heads = ("at first", "by cards", "to the rival", "for free discs", "in all", "cards")
    return HelpTable("What brought the points", ("", *heads), tuple(rows))
