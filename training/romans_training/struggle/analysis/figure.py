"""The picture of the statistics."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from romans_training.game_statistics import lengths_and_wins
from romans_training.struggle.analysis.played_games import PlayedGame
from romans_training.struggle.analysis.statistics import Statistics


def figure_of(games: Sequence[PlayedGame], found: Statistics) -> Figure:
    """How long games are, and how often those win that found a kingdom in a province: a matplotlib figure."""
    rounds, shares = [game.rounds for game in games], {one.name: one.win_share for one in found.provinces}
    title = "Seats with a kingdom in the province"
    return lengths_and_wins(3, "rounds", rounds, min(rounds), title, shares, found.num_seats)
