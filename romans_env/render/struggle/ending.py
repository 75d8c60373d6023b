"""The end of a game in words: how it was won, and where the points came from."""

from __future__ import annotations

from typing import Any

from romans_env.core.game import Game
from romans_env.render.seat_names import SeatNames
from romans_env.render.struggle.names import TRIBES
from romans_env.render.struggle.text import cities_of
from romans_env.render.text_interface import Ending, HelpTable, unbroken
from romans_env.render.wording import counted
from romans_env.struggle.board_form import PROVINCES
from romans_env.struggle.points import CITIES_OF_AN_HEIR, POINTS_OF_A_SPECIAL_CARD


def ending(position: dict[str, Any]) -> Ending:
    """Return how a finished game was won, and why it ended (STRUGGLE 7.2, 7.3)."""
    best, second, *_ = sorted((one["points"] for one in position["players"].values()), reverse=True)
    how = f"with {counted(best, 'point')}" if best > second else "with as many points and more gold"
    why = "Ten points were reached" if position["final"] else "The last round is over"
    return Ending(how, f"{why}: most points win, then most gold.")


def points_table(game: Game, seat_names: SeatNames) -> HelpTable:
    """Return the points of each seat by source (STRUGGLE 7.1, 7.3)."""
    position = game.position()
    rows = []
    for player, one in position["players"].items():
        cities = [city for tribe in TRIBES for city in cities_of(position, player, tribe)]
        special = special_cards(position, player)
        culture = one["played"].get("culture", 0)
        numbers = (len(cities), POINTS_OF_A_SPECIAL_CARD * len(special), culture, one["points"], one["gold"])
        what = "; ".join(unbroken(part) for part in (cities, special) if part)
        rows.append((seat_names.name(player), *map(str, numbers), what or "none"))
    heads = ("cities", "special cards", "culture", "in all", "gold", "cities and special cards")
    return HelpTable("What brought the points", ("", *heads), tuple(rows))


def special_cards(position: dict[str, Any], player: str) -> list[str]:
    """Return the titles of the special cards for which a seat has points (STRUGGLE 7.1)."""
    tribes = position["players"][player]["tribes"]
    cards = ["Diplomacy"] if position["diplomacy"] == player else []
    cards += ["Scourge of Rome" for tribe in TRIBES if len(tribes[tribe]["counters"]) == len(PROVINCES)]
    if all(len(cities_of(position, player, tribe)) >= CITIES_OF_AN_HEIR for tribe in TRIBES):
        cards.append("Heir to Rome")
    return cards
