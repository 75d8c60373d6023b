"""The picture of the statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from romans_training.struggle.analysis.played_games import PlayedGame
from romans_training.struggle.analysis.statistics import Statistics


def figure_of(games: Sequence[PlayedGame], found: Statistics) -> Any:
    """How long games are, and how often those win that found a kingdom in a province: a matplotlib figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3), layout="constrained")
    lengths, wins = figure.subplots(1, 2, width_ratios=(2, 3))
    rounds = [game.rounds for game in games]
    lengths.hist(rounds, bins=np.arange(min(rounds) - 0.5, max(rounds) + 1.5), color="grey")
    lengths.set(xlabel="rounds", ylabel="games", title="length of games")
    mean, low, high = 100 * np.array([one.win_share for one in found.provinces]).T
    places = np.arange(len(mean))
    wins.errorbar(mean, places, xerr=[mean - low, high - mean], fmt="o", color="black", markersize=3)
    wins.axvline(100 / found.num_seats, color="grey", linestyle=":")
    wins.set_yticks(places, [one.name for one in found.provinces], fontsize=8)
    wins.set(xlabel="games won, %, with 95 % intervals", title="seats with a kingdom there")
    return figure
