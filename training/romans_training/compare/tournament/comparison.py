"""Comparisons of entries: the win shares in every deal among the entries that played it together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import Setup
from romans_training.compare.tournament.entries import Entry
from romans_training.compare.tournament.line_ups import LineUp
from romans_training.compare.tournament.match import Played

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class TournamentComparison:
    """Games that the same entries played together.

    Attributes:
        entries: the indices of the entries, ascending.
        seats: number of seats of each in a game: float64, shape ``(entries,)``.
        wins: share of each deal's games that each entry won, a win shared by k counting 1/k; each row sums to 1:
            float64, shape ``(deals, entries)``.
    """

    entries: tuple[int, ...]
    seats: Array
    wins: Array


def comparisons_of(
    setup: Setup, entries: Sequence[Entry], results: Sequence[tuple[LineUp, Played]]
) -> tuple[TournamentComparison, ...]:
    """Return the comparisons of a tournament: one per line-up, or one per pair of entries in a solo game.

    In a solo game two entries play the same deal, each alone. The better return wins (RULES 7.4), then the more points;
    a tie is shared.

    Args:
        setup: the setup of the game.
        entries: the entries of the tournament.
        results: the results of all line-ups.
    """
    number = {entry: k for k, entry in enumerate(entries)}
    if setup.num_players > 1:
        return tuple(_of_line_up(number, line_up, played) for line_up, played in results)
    # Points are below 1000, so the return is compared first.
    scores = {
        number[line_up.slots[0]]: 1000.0 * solo_returns(played) + played.points[:, 0, 0] for line_up, played in results
    }
    return tuple(_of_pair(a, b, scores) for a, b in combinations(sorted(scores), 2))


def shares_of_seats(played: Played, num_clans: int) -> Array:
    """Return each seat's share of the win in every game, 1/k for a win shared by k seats.

    Args:
        played: the results of a line-up.
        num_clans: the number of seats, neutral ones included.

    Returns:
        float64, shape ``(deals, seatings, num_clans)``.
    """
    bits = played.winners[..., None] >> np.arange(num_clans) & 1
    return np.asarray(bits / bits.sum(axis=2, keepdims=True))


def by_slots(line_up: LineUp, by_seats: npt.NDArray[Any]) -> Array:
    """Reorder values by seat into values by slot.

    Args:
        line_up: the line-up that played.
        by_seats: numbers, shape ``(deals, seatings, seats, ...)``.

    Returns:
        float64, shape ``(deals, seatings, slots, ...)``.
    """
    # A seating is a permutation from seats to slots; argsort inverts it.
    seat_of_slot = np.argsort(np.array(line_up.seatings), axis=1)
    places = seat_of_slot.reshape(1, *seat_of_slot.shape, *[1] * (by_seats.ndim - 3))
    return np.asarray(np.take_along_axis(by_seats, places, axis=2), dtype=np.float64)


def _of_line_up(number: dict[Entry, int], line_up: LineUp, played: Played) -> TournamentComparison:
    holders = np.array([number[entry] for entry in line_up.slots])
    entries = np.unique(holders)
    holds = (holders[:, None] == entries).astype(np.float64)
    return TournamentComparison(
        entries=tuple(entries.tolist()),
        seats=holds.sum(axis=0),
        wins=by_slots(line_up, shares_of_seats(played, len(line_up.slots))).mean(axis=1) @ holds,
    )


def solo_returns(played: Played) -> Array:
    """Return the player's return in each deal of a solo game, 1, 0 or -1 (RULES 7.4): float64, shape ``(deals,)``."""
    won = played.winners[:, 0] & 1
    alone = played.winners[:, 0] == 1
    return np.where(won, np.where(alone, 1.0, 0.0), -1.0)


def _of_pair(a: int, b: int, scores: dict[int, Array]) -> TournamentComparison:
    both = min(len(scores[a]), len(scores[b]))
    wins = 0.5 + 0.5 * np.sign(scores[a][:both] - scores[b][:both])
    return TournamentComparison((a, b), np.ones(2), np.stack([wins, 1.0 - wins], axis=1))
