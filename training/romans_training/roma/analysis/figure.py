"""The pictures of the statistics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from romans_training.figures import styled
from romans_training.game_statistics import lengths_and_wins
from romans_training.roma.analysis.played_games import PlayedGame
from romans_training.roma.analysis.statistics import Statistics


def figure_of(games: Sequence[PlayedGame], found: Statistics) -> Figure:
    """How long games are, and how often those win that lay a card: a matplotlib figure."""
    cards = sorted((card for card in found.cards if card.laid.mean), key=lambda card: card.win_share.mean)
    shares = {card.name: card.win_share for card in cards}
    turns = [game.turns for game in games]
    return lengths_and_wins(4.6, "turns", turns, 1, "Players that laid the card", shares, seats=2)


@styled
def discs_figure_of(found: Statistics) -> Figure:
    """On which discs each card is laid: a matplotlib figure, a row a card, those laid most often first."""
    cards = sorted((card for card in found.cards if card.laid.mean), key=lambda card: -card.laid.mean)
    shares = 100 * np.array([card.discs for card in cards])
    figure = Figure(figsize=(6, 0.22 * len(cards) + 0.9), layout="constrained")
    axes = figure.subplots()
    axes.imshow(shares, aspect="auto", vmin=0, vmax=100)
    for (row, disc), share in np.ndenumerate(shares):
        axes.text(disc, row, f"{share:.0f}", ha="center", va="center", color="white" if share > 50 else "black")
    axes.set_xticks(np.arange(shares.shape[1]), np.arange(1, shares.shape[1] + 1))
    axes.set_yticks(np.arange(len(cards)), [f"{card.name}  {card.laid.mean:.2f}" for card in cards])
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.set(xlabel="disc", ylabel="card, laid per game", title="Discs of each card (% of its layings)")
    return figure
