"""The picture of the statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from romans_training.roma.analysis.played_games import PlayedGame
from romans_training.roma.analysis.statistics import Statistics
from romans_training.statistics_page import lengths_and_wins


def figure_of(games: Sequence[PlayedGame], found: Statistics) -> Any:
    """How long games are, and how often those win that lay a card: a matplotlib figure."""
    cards = sorted((card for card in found.cards if card.laid.mean), key=lambda card: card.win_share.mean)
    shares = {card.name: card.win_share for card in cards}
    turns = [game.turns for game in games]
    return lengths_and_wins(5, "turns", turns, 1, "players that laid the card", shares, seats=2)


def discs_figure_of(found: Statistics) -> Any:
    """On which discs each card is laid: a matplotlib figure, a row a card, those laid most often first."""
    from matplotlib.figure import Figure

    cards = sorted((card for card in found.cards if card.laid.mean), key=lambda card: -card.laid.mean)
    shares = 100 * np.array([card.discs for card in cards])
    figure = Figure(figsize=(7, 0.27 * len(cards) + 0.9), layout="constrained")
    axes = figure.subplots()
    axes.imshow(shares, cmap="Greys", aspect="auto", vmin=0, vmax=100)
    for (row, disc), share in np.ndenumerate(shares):
        axes.text(disc, row, f"{share:.0f}", ha="center", va="center", color="white" if share > 50 else "black")
    axes.set_xticks(np.arange(shares.shape[1]), np.arange(1, shares.shape[1] + 1))
    axes.set_yticks(np.arange(len(cards)), [f"{card.name}  {card.laid.mean:.2f}" for card in cards], fontsize=8)
    axes.set(xlabel="disc", title="times laid by a player in a game, and % of these on each disc")
    return figure
