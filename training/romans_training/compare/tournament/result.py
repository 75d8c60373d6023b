"""The result of a tournament: win shares, points, ratings, times and faults, with intervals clustered by deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.core.games import imported
from romans_env.core.protocol import Setup
from romans_training.compare.tournament.comparison import (
    TournamentComparison,
    by_slots,
    comparisons_of,
    shares_of_seats,
)
from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.entries import Entry, entries_of
from romans_training.compare.tournament.line_ups import LineUp
from romans_training.compare.tournament.match import FaultCount, Played
from romans_training.compare.tournament.ratings import EloRatings, ratings_of
from romans_training.measure.intervals import Estimate, estimate_of_mean, estimate_of_rate, estimate_of_share, plain
from romans_training.measure.variance_reduction import NONE, reduced
from romans_training.shown import ShownResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = npt.NDArray[np.float64]
_ESTIMATES = ("elo", "win_share", "points")


class FaultReport(NamedTuple):
    """Games that an agent lost by one kind of fault.

    Attributes:
        kind: one of `romans_agents.batches.adjudicator.FAULTS`.
        games: the number of games.
        message: the error message of the first one.
    """

    kind: str
    games: int
    message: str


class ReducedStanding(NamedTuple):
    """Variance-reduced estimates of a standing, from the same games.

    Attributes:
        win_share: as in `Standing`; the interval may extend beyond 0 and 1.
        points: as in `Standing`.
    """

    win_share: Estimate
    points: Estimate


@dataclass(frozen=True)
class Standing:
    """The results of an entry.

    Attributes:
        label: the agent spec, followed by `` #2`` for a second copy; the file name for an agent from a folder.
        elo: the rating on Elo's scale; ratings have mean 0 (`romans_training.compare.tournament.ratings`).
        win_share: wins per seat that it occupied, from 0 to 1; a win shared by k counts 1/k, and line-ups have equal
            weights. In a solo game: wins of comparisons with other entries.
        points: mean points at the end of a game.
        games: the number of games that it took part in.
        milliseconds: mean time of a decision. For compiled agents, the time of ``act``, measured after the games.
        faults: games lost by faults, by kind.
        reduced: variance-reduced win share and points; None if not requested.
    """

    label: str
    elo: Estimate
    win_share: Estimate
    points: Estimate
    games: int
    milliseconds: float
    faults: tuple[FaultReport, ...]
    reduced: ReducedStanding | None = None


class DifferenceReport(NamedTuple):
    """The difference between two ratings, as `ratings.Difference` but with labels instead of indices."""

    better: str
    worse: str
    elo: Estimate
    p: float
    is_significant: bool


@dataclass(frozen=True)
class TournamentResult(ShownResult):
    """The result of a tournament.

    Attributes:
        table: the name of the setup, such as ``2+1``.
        seed: seed of the deals and of all agents' random numbers.
        num_deals: number of deals of line-ups without a search agent.
        num_search_deals: number of deals of line-ups with one; None if there were none.
        num_line_ups: number of line-ups, each of which played every seating of every deal.
        num_games: number of games in all.
        fair_share: the win share of agents of equal strength: 1/n with n players.
        standings: the standings, best rating first.
        shares: pairwise win shares, in the order of the standings: among the games with both agents that one of the two
            won, the share won by the row's agent. None on the diagonal, for pairs that never met, and for pairs of
            which neither won.
        seat_shares: win share of each seat over all agents; in a solo game, of the player.
        differences: of all pairs, in the order of the standings.
        variance_reduction: the method of the variance-reduced estimates, one of
            `romans_training.measure.variance_reduction.METHODS`.
    """

    table: str
    seed: int
    num_deals: int
    num_search_deals: int | None
    num_line_ups: int
    num_games: int
    fair_share: float
    standings: tuple[Standing, ...]
    shares: tuple[tuple[Estimate | None, ...], ...]
    seat_shares: tuple[Estimate, ...]
    differences: tuple[DifferenceReport, ...]
    variance_reduction: str = NONE

    def renamed(self, names: Mapping[str, str]) -> TournamentResult:
        """Return the result with labels replaced according to ``names``; other labels are kept."""
        return replace(
            self,
            standings=tuple(replace(one, label=names.get(one.label, one.label)) for one in self.standings),
            differences=tuple(
                one._replace(better=names.get(one.better, one.better), worse=names.get(one.worse, one.worse))
                for one in self.differences
            ),
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return the standings as rows, best rating first.

        The columns are attributes of `Standing`, except that ``agent`` is the label and ``faults`` the number of games
        lost by faults.
        """
        rows = []
        for standing in self.standings:
            row: dict[str, Any] = {"agent": standing.label}
            estimates: dict[str, Estimate] = {name: getattr(standing, name) for name in _ESTIMATES}
            for name, estimate in estimates.items():
                row |= {name: estimate.mean, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
            faults = sum(fault.games for fault in standing.faults)
            rows.append({**row, "games": standing.games, "milliseconds": standing.milliseconds, "faults": faults})
        return rows

    def heading(self) -> str:
        deals = f"{self.num_deals:,} deals"
        if self.num_search_deals is not None:
            deals += f" ({self.num_search_deals:,} with agents that search)"
        line_ups = f"{self.num_line_ups:,} line-up" + "s" * (self.num_line_ups > 1)
        return f"{self.table}, {deals} with every seating, {line_ups}, {self.num_games:,} games; with 95 % intervals"

    def figure(self) -> Figure:
        """Draw the matrix of win shares next to the ratings."""
        # By name, because the module that draws imports this one.
        figure: Figure = imported("romans_training.compare.tournament.picture:figure_of")(self)
        return figure

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON; it mentions variance reduction only if that was requested."""
        found = {**self.__dict__, "standings": [dict(standing.__dict__) for standing in self.standings]}
        if self.variance_reduction == NONE:
            for part in (found, *found["standings"]):
                part.pop("variance_reduction", None)
                part.pop("reduced", None)
        return plain(found)


def result_of(
    config: TournamentConfig,
    search_deals: int | None,
    results: Sequence[tuple[LineUp, Played]],
    milliseconds: Callable[[str], float],
) -> TournamentResult:
    """Compute the result of a tournament.

    Args:
        config: the settings of the tournament.
        search_deals: number of deals of line-ups with a search agent; None if there are none.
        results: the results of all line-ups, with at least two deals each.
        milliseconds: measures the time of a decision of a compiled agent, given its spec.
    """
    setup, entries = config.setup, entries_of(config.agents)
    comparisons = comparisons_of(setup, entries, results)
    labels = [entry.label for entry in entries]
    ratings = ratings_of(comparisons, len(entries), seed=config.seed)
    order = sorted(range(len(entries)), key=lambda k: -ratings.elo[k].mean)
    place = {k: rank for rank, k in enumerate(order)}
    return TournamentResult(
        table=str(setup),
        seed=config.seed,
        num_deals=config.deals,
        num_search_deals=search_deals,
        num_line_ups=len(results),
        num_games=sum(played.winners.size for _, played in results),
        fair_share=1.0 / max(2, setup.num_players),
        standings=tuple(_standing(k, entries[k], ratings, comparisons, results, milliseconds) for k in order),
        shares=tuple(tuple(None if a == b else _share_of_pair(a, b, comparisons) for b in order) for a in order),
        seat_shares=_seat_shares(setup, results),
        differences=tuple(
            DifferenceReport(labels[one.better], labels[one.worse], one.elo, one.p, one.is_significant)
            for one in sorted(ratings.differences, key=lambda one: (place[one.better], place[one.worse]))
        ),
        variance_reduction=config.variance_reduction,
    )


def _standing(
    k: int,
    entry: Entry,
    ratings: EloRatings,
    comparisons: Sequence[TournamentComparison],
    results: Sequence[tuple[LineUp, Played]],
    milliseconds: Callable[[str], float],
) -> Standing:
    shares = [
        comparison.wins[:, place] / comparison.seats[place]
        for comparison in comparisons
        for place in np.flatnonzero(np.equal(comparison.entries, k))
    ]
    took_part = [(line_up, played, line_up.slots_of(entry)) for line_up, played in results if entry in line_up.slots]
    points = [_in_deals(played.points, own, line_up) for line_up, played, own in took_part]
    seconds = sum(played.seconds[slot] for _, played, own in took_part for slot in own)
    decisions = sum(played.decisions[slot] for _, played, own in took_part for slot in own)
    faults = [fault for _, played, own in took_part for fault in played.faults if fault.slot in own]
    return Standing(
        label=entry.label,
        elo=ratings.elo[k],
        win_share=estimate_of_rate(*mean_of_line_ups(shares)),
        points=estimate_of_mean(*mean_of_line_ups(points)),
        games=sum(played.winners.size for _, played, _ in took_part),
        milliseconds=1000.0 * seconds / decisions if decisions else milliseconds(entry.spec),
        faults=faults_by_kind(faults),
        reduced=_reduced_standing(took_part),
    )


def faults_by_kind(faults: Sequence[FaultCount]) -> tuple[FaultReport, ...]:
    """Return a report for each kind of fault of an agent, with the message of the first fault of that kind."""
    kinds = {kind: [fault for fault in faults if fault.kind == kind] for kind in sorted({one.kind for one in faults})}
    return tuple(FaultReport(kind, sum(one.games for one in found), found[0].message) for kind, found in kinds.items())


def _reduced_standing(took_part: Sequence[tuple[LineUp, Played, list[int]]]) -> ReducedStanding | None:
    """Return an entry's win share and points, with the deals of each line-up corrected by control variates."""
    shares, points = [], []
    for line_up, played, own in took_part:
        # In a solo game the win share is of comparisons with other entries, which have no control variates.
        if played.variates is None or len(line_up.slots) == 1:
            return None
        variates = _in_deals(played.variates, own, line_up)
        shares.append(reduced(shares_in_deals(own, line_up, played), variates))
        points.append(reduced(_in_deals(played.points, own, line_up), variates))
    return ReducedStanding(estimate_of_share(*mean_of_line_ups(shares)), estimate_of_mean(*mean_of_line_ups(points)))


def shares_in_deals(own: Sequence[int], line_up: LineUp, played: Played) -> Array:
    """Return the mean win share of some slots of a line-up in every deal: float64, shape ``(deals,)``.

    Args:
        own: the indices of the slots.
        line_up: the line-up that played.
        played: its results.
    """
    return _in_deals(shares_of_seats(played, len(line_up.slots)), own, line_up)


def variates_in_deals(own: Sequence[int], line_up: LineUp, played: Played) -> Array | None:
    """Return the mean control variates of some slots in every deal: float64, shape ``(deals, variates)``.

    Arguments as for `shares_in_deals`. None if the games have no control variates.
    """
    return None if played.variates is None else _in_deals(played.variates, own, line_up)


def _in_deals(by_seats: npt.NDArray[Any], own: Sequence[int], line_up: LineUp) -> Array:
    """Average values by seat over some slots: float64, shape ``(deals, ...)``."""
    return np.asarray(by_slots(line_up, by_seats)[:, :, own].mean(axis=(1, 2)))


def mean_of_line_ups(values: Sequence[Array]) -> tuple[float, float, int]:
    """Return the mean of the line-ups' means, its variance, and the smallest number of deals.

    Args:
        values: for every line-up its values by deal, float64, shape ``(deals,)``. Deals are the clusters: equal indices
            mean the same deal in all line-ups.
    """
    mean = float(np.mean([of_line_up.mean() for of_line_up in values]))
    influence = _influence([of_line_up - of_line_up.mean() for of_line_up in values])
    return mean, float((influence**2).sum()), min(map(len, values))


def _influence(deviations: Sequence[Array]) -> Array:
    """Return each deal's contribution to the error of a mean of line-up means; the variance is the sum of squares."""
    influence = np.zeros(max(map(len, deviations)))
    for of_line_up in deviations:
        count = len(of_line_up)
        influence[:count] += of_line_up / (len(deviations) * np.sqrt(count * max(1, count - 1)))
    return influence


def _share_of_pair(a: int, b: int, comparisons: Sequence[TournamentComparison]) -> Estimate | None:
    """Return the share of a among the wins of a and b in games with both, per seat that each occupied."""
    won = []
    for comparison in comparisons:
        if a in comparison.entries and b in comparison.entries:
            places = [comparison.entries.index(a), comparison.entries.index(b)]
            won.append(comparison.wins[:, places] / comparison.seats[places])
    if not won:
        return None
    mean_a, mean_b = np.mean([of_line_up.mean(axis=0) for of_line_up in won], axis=0).tolist()
    if mean_a + mean_b == 0:
        return None
    # The variance of a ratio, to first order (delta method).
    deviations = [of_line_up - of_line_up.mean(axis=0) for of_line_up in won]
    influence = _influence([(mean_b * one[:, 0] - mean_a * one[:, 1]) / (mean_a + mean_b) ** 2 for one in deviations])
    share = mean_a / (mean_a + mean_b)
    return estimate_of_rate(share, float((influence**2).sum()), min(map(len, won)))


def _seat_shares(setup: Setup, results: Sequence[tuple[LineUp, Played]]) -> tuple[Estimate, ...]:
    """Return the win share of each seat, over all line-ups of a setup."""
    # By deal, seating and seat; neutral seats come after the players' seats.
    seats = [shares_of_seats(played, setup.num_seats) for _, played in results]
    return tuple(
        estimate_of_rate(*mean_of_line_ups([of_line_up[:, :, seat].mean(axis=1) for of_line_up in seats]))
        for seat in range(setup.num_players)
    )
