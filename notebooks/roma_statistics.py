"""Statistics of games of Roma between agents, for `07_roma.ipynb` and the page `docs/research/roma_statistics.md`.

`played_games` plays duplicate deals, `statistics_of` counts what happened in them, with 95 % intervals clustered by
deal; `figure_of` and `discs_figure_of` draw it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from game_statistics import lengths_and_wins, played_deals, spread
from matplotlib.figure import Figure

from romans_agents import Agent
from romans_env import Game
from romans_env.roma import Roma
from romans_env.roma.actions import LAY, THROW
from romans_env.roma.material import CARDS, NUM_CARDS, NUM_DISCS, NUM_SEATS
from romans_env.roma.moving import moves_cards
from romans_training.figures import styled
from romans_training.measure.intervals import Estimate, mean_in_clusters, rate_in_clusters

ENDS = ("a seat has no points", "the stock is empty", "turn 200 is over")
"""Ways in which a game ends (ROMA 7.1, 7.2); the first one that applies."""


class PlayedGame(NamedTuple):
    """A game that was played to its end.

    Attributes:
        deal: number of its deal.
        returns: returns of `player_0` and `player_1`: +1 for the winner, -1 for the loser, 0 if they share the win.
        turns: number of turns begun.
        decisions: number of decisions by both seats, including the opening.
        end: index of the ending in ENDS.
        lays: (seat, kind of card, disc from 0) of every card laid in the opening or from a hand, in order.
    """

    deal: int
    returns: tuple[float, float]
    turns: int
    decisions: int
    end: int
    lays: tuple[tuple[int, int, int], ...]


def played_games(
    agent: str = "expectimax",
    num_deals: int = 1500,
    seed: int = 0,
    on_progress: Callable[[int], object] = lambda games: None,
) -> list[PlayedGame]:
    """Play an agent against itself on duplicate deals, with separate random streams and swapped seats.

    Args:
        agent: agent spec.
        num_deals: number of deals, each played twice.
        seed: seed of the deals and of the agents' random choices.
        on_progress: called with the number of finished games.

    Raises:
        romans_agents.UnknownAgentError: if the spec names no agent.
    """
    return played_deals(Roma(), [agent, agent], num_deals, seed, on_progress, _played)


def _played(deal: int, game: Game, agents: list[Agent], order: list[int]) -> PlayedGame:
    lays = []
    while (seat := game.seat_to_act) is not None:
        action = agents[seat].act(game.view(seat))
        if LAY <= action < THROW and not moves_cards(game.states[0].effect):
            kind, disc = divmod(action - int(LAY), NUM_DISCS)
            lays.append((seat, kind, disc))
        game.act(action)
    state = game.states[0]
    end = 0 if 0 in state.points else 1 if state.stock == 0 else 2
    first, second = game.returns().values()
    return PlayedGame(deal, (first, second), int(state.turn), len(game.actions), end, tuple(lays))


class CardStatistics(NamedTuple):
    """Statistics of a card.

    Attributes:
        name: name of the card.
        laid: mean number of times that a player lays it in a game.
        discs: share of these at discs 1 to 6, float64, shape ``(6,)``; nan if it was never laid.
        win_share: win share of the players that laid it; a shared win counts one half.
    """

    name: str
    laid: Estimate
    discs: npt.NDArray[np.float64]
    win_share: Estimate


class Statistics(NamedTuple):
    """Statistics of games.

    Attributes:
        num_games: number of games.
        num_deals: number of deals.
        win_shares: win shares of `player_0` and `player_1`; a shared win counts one half.
        draws: share of games whose win is shared.
        turns: mean number of turns.
        decisions: mean number of decisions.
        turns_spread, decisions_spread: 10 %, 50 % and 90 % quantiles.
        ends: share of games with each ending of ENDS.
        cards: statistics of each kind of card.
    """

    num_games: int
    num_deals: int
    win_shares: tuple[Estimate, Estimate]
    draws: Estimate
    turns: Estimate
    decisions: Estimate
    turns_spread: tuple[int, int, int]
    decisions_spread: tuple[int, int, int]
    ends: tuple[Estimate, ...]
    cards: tuple[CardStatistics, ...]


def statistics_of(games: Sequence[PlayedGame]) -> Statistics:
    """Compute the statistics of games.

    Args:
        games: games from `played_games`, of at least two deals.
    """
    deals = np.array([game.deal for game in games])
    shares = (1.0 + np.array([game.returns for game in games])) / 2.0
    turns, decisions = (np.array([getattr(game, name) for game in games]) for name in ("turns", "decisions"))
    ends = np.array([game.end for game in games])
    laid = np.zeros((len(games), NUM_SEATS, NUM_CARDS, NUM_DISCS))
    for k, game in enumerate(games):
        for seat, kind, disc in game.lays:
            laid[k, seat, kind, disc] += 1.0
    return Statistics(
        num_games=len(games),
        num_deals=len(set(deals.tolist())),
        win_shares=(rate_in_clusters(shares[:, 0], deals), rate_in_clusters(shares[:, 1], deals)),
        draws=rate_in_clusters(shares[:, 0] == 0.5, deals),
        turns=mean_in_clusters(turns, deals),
        decisions=mean_in_clusters(decisions, deals),
        turns_spread=spread(turns),
        decisions_spread=spread(decisions),
        ends=tuple(rate_in_clusters(ends == end, deals) for end in range(len(ENDS))),
        cards=tuple(_of_card(kind, laid[:, :, kind], shares, deals) for kind in range(NUM_CARDS)),
    )


def _of_card(
    kind: int, laid: npt.NDArray[np.float64], shares: npt.NDArray[np.float64], deals: npt.NDArray[np.int64]
) -> CardStatistics:
    counts, of_seats = laid.sum(axis=2), np.repeat(deals, NUM_SEATS)
    has_laid = counts.ravel() > 0
    discs = laid.sum(axis=(0, 1))
    return CardStatistics(
        name=CARDS[kind],
        laid=mean_in_clusters(counts.ravel(), of_seats),
        discs=discs / discs.sum() if discs.any() else np.full(NUM_DISCS, np.nan),
        win_share=rate_in_clusters(shares.ravel()[has_laid], of_seats[has_laid]),
    )


def figure_of(games: Sequence[PlayedGame], found: Statistics) -> Figure:
    """Return a matplotlib figure of the lengths of games, and the win share of players that lay each card."""
    cards = sorted((card for card in found.cards if card.laid.mean), key=lambda card: card.win_share.mean)
    shares = {card.name: card.win_share for card in cards}
    turns = [game.turns for game in games]
    return lengths_and_wins(4.6, "turns", turns, 1, "Players that laid the card", shares, seats=2)


@styled
def discs_figure_of(found: Statistics) -> Figure:
    """Return a matplotlib figure of the discs at which each card is laid; cards laid most often come first."""
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
