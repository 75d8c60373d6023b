"""What games of Roma show: seats, lengths, ends and cards, with 95 % intervals clustered by deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.roma.material import CARDS, NUM_CARDS, NUM_DISCS, NUM_SEATS
from romans_training.intervals import Estimate, mean_in_clusters, rate_in_clusters, spread
from romans_training.roma.analysis.played_games import ENDS, PlayedGame


class CardStatistics(NamedTuple):
    """What games show of a card.

    Attributes:
        name: of the card.
        laid: how many times a player lays it in a game, the mean.
        discs: the share of these on disc 1, …, 6: float64, shape (6,); nan where it was never laid.
        win_share: of the players that laid it, the share that won; half for a shared win.
    """

    name: str
    laid: Estimate
    discs: npt.NDArray[np.float64]
    win_share: Estimate


class Statistics(NamedTuple):
    """What games show.

    Attributes:
        num_games: how many.
        num_deals: on how many deals.
        win_shares: of `player_0` and `player_1`, half for a shared win.
        draws: the share of games whose win is shared.
        turns: the mean number of turns.
        decisions: the mean number of decisions.
        turns_spread, decisions_spread: the 10 %, 50 % and 90 % quantiles.
        ends: the share of games that end so, as ENDS.
        cards: by kind.
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
    """Count what games show.

    Args:
        games: of `played_games`, of at least two deals.
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
