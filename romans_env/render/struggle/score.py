"""How a game of Struggle for Rome came out: what each seat's points are for."""

from __future__ import annotations

from romans_env.core.game import Game
from romans_env.render.text_interface import HelpTable, by_points
from romans_env.struggle.board_form import PROVINCES
from romans_env.struggle.points import CITIES_OF_AN_HEIR, POINTS_OF_A_SPECIAL_CARD


def score(game: Game) -> HelpTable:
    """Return a row for each seat: points of its cities, of special cards and of culture, their sum, and its gold."""
    position, rows = game.position(), []
    for player, one in position["players"].items():
        owned = [city["tribe"] for city in position["cities"].values() if city["owner"] == player]
        tribes = one["tribes"]
        points = [
            len(owned),
            POINTS_OF_A_SPECIAL_CARD * (position["diplomacy"] == player),
            POINTS_OF_A_SPECIAL_CARD * sum(len(box["counters"]) == len(PROVINCES) for box in tribes.values()),
            POINTS_OF_A_SPECIAL_CARD * all(owned.count(tribe) >= CITIES_OF_AN_HEIR for tribe in tribes),
            one["played"].get("culture", 0),
        ]
        rows.append((player, *map(str, points), str(one["points"]), str(one["gold"])))
    heads = ("", "cities", "Diplomacy", "Scourge", "Heir", "culture", "points", "gold")
    return HelpTable("Points at the end", heads, tuple(rows))


def decisive(game: Game) -> str:
    """Return by what the only winner has won (STRUGGLE 7.3)."""
    if found := by_points(game):
        return found
    players, (winner,) = game.position()["players"], game.winners()
    level = [one["gold"] for name, one in players.items() if one["points"] == players[winner]["points"]]
    return f"with {players[winner]['gold']} gold to {sorted(level)[-2]}, at {players[winner]['points']} points"
