"""The result of a tournament: shares of wins, points, ratings, times and faults, with intervals clustered by deal."""

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
    """Games that an agent lost by faults of a kind.

    Attributes:
        kind: one of `romans_agents.batches.adjudicator.FAULTS`.
        games: how many.
        message: what was wrong in the first one.
    """

    kind: str
    games: int
    message: str


class ReducedStanding(NamedTuple):
    """What a standing estimates, from the same games with reduced variance.

    Attributes:
        win_share: as in `Standing`; its interval may reach beyond 0 and 1.
        points: as in `Standing`.
    """

    win_share: Estimate
    points: Estimate


@dataclass(frozen=True)
class Standing:
    """The results of an entry.

    Attributes:
        label: the agent spec, with `` #2`` for a second copy; of an agent of a folder, the name of its file.
        elo: on Elo's scale, where the mean is 0 (`romans_training.compare.tournament.ratings`).
        win_share: share of wins a seat it held, a win shared by k counting 1/k; line-ups have equal weights. In a solo
            game: of the comparisons with the others.
        points: mean at the end of a game.
        games: that it took part in.
        milliseconds: mean time of a decision. Agents that play compiled are measured afterwards, by their ``act``.
        faults: games lost by faults, by kind.
        reduced: shares and points with reduced variance; None where that was not asked for.
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
    """Two entries compared by their ratings; see `romans_training.compare.tournament.ratings.Difference`."""

    better: str
    worse: str
    elo: Estimate
    p: float
    is_significant: bool


@dataclass(frozen=True)
class TournamentResult(ShownResult):
    """The result of a tournament.

    Attributes:
        table: the setup, such as ``2+1``.
        seed: decides the deals and the chance of all agents.
        num_deals: deals that line-ups without a searching agent played.
        num_search_deals: deals that line-ups with one played; None where there was none.
        num_line_ups: line-ups, each with every seating of every deal.
        num_games: games in all.
        fair_share: of wins, for agents of equal strength: 1/n on n seats.
        standings: the best rating first.
        shares: for the entries in the order of the standings: of the wins of one of both, in games where both took
            part, the share that the row's won. None on the diagonal, for pairs that never played together, and where
            neither won.
        seat_shares: share of wins of each seat, whatever agent had it; in a solo game of the player.
        differences: of all pairs, in the order of the standings.
        variance_reduction: how shares and points were estimated once more, one of
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
        """Return the result with other labels; those that ``names`` does not have stay."""
        return replace(
            self,
            standings=tuple(replace(one, label=names.get(one.label, one.label)) for one in self.standings),
            differences=tuple(
                one._replace(better=names.get(one.better, one.better), worse=names.get(one.worse, one.worse))
                for one in self.differences
            ),
        )

    def rows(self) -> list[dict[str, Any]]:
        """See `ShownResult.rows`: the standings, the best rating first.

        The names are those of `Standing`, where ``agent`` is the label, and ``faults`` is the number of games lost by
        faults.
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
        """See `ShownResult.heading`."""
        deals = f"{self.num_deals:,} deals"
        if self.num_search_deals is not None:
            deals += f" ({self.num_search_deals:,} with agents that search)"
        line_ups = f"{self.num_line_ups:,} line-up" + "s" * (self.num_line_ups > 1)
        return f"{self.table}, {deals} with every seating, {line_ups}, {self.num_games:,} games; with 95 % intervals"

    def figure(self) -> Figure:
        """See `ShownResult.figure`: the matrix of shares beside the ratings."""
        # What draws it imports this module.
        figure: Figure = imported("romans_training.compare.tournament.picture:figure_of")(self)
        return figure

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON; variance reduction is in it only if it was asked for."""
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
        search_deals: the deals of line-ups with a searching agent; None if there was none.
        results: the results of every line-up, at least two deals of each.
        milliseconds: a function that returns the time of a decision of an agent spec that played compiled.
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
    """Return the faults of an agent, a report for each kind; its message is that of the first one."""
    kinds = {kind: [fault for fault in faults if fault.kind == kind] for kind in sorted({one.kind for one in faults})}
    return tuple(FaultReport(kind, sum(one.games for one in found), found[0].message) for kind, found in kinds.items())


def _reduced_standing(took_part: Sequence[tuple[LineUp, Played, list[int]]]) -> ReducedStanding | None:
    """Return the shares and points of an entry, each line-up's deals corrected by their control variates."""
    shares, points = [], []
    for line_up, played, own in took_part:
        # A solo entry's share is of comparisons with others, not of its own games.
        if played.variates is None or len(line_up.slots) == 1:
            return None
        variates = _in_deals(played.variates, own, line_up)
        shares.append(reduced(shares_in_deals(own, line_up, played), variates))
        points.append(reduced(_in_deals(played.points, own, line_up), variates))
    return ReducedStanding(estimate_of_share(*mean_of_line_ups(shares)), estimate_of_mean(*mean_of_line_ups(points)))


def shares_in_deals(own: Sequence[int], line_up: LineUp, played: Played) -> Array:
    """Return the mean share of wins of some slots of a line-up in every deal: float64, shape (deals,).

    Args:
        own: the numbers of the slots.
        line_up: the line-up that played.
        played: the results of the line-up.
    """
    return _in_deals(shares_of_seats(played, len(line_up.slots)), own, line_up)


def variates_in_deals(own: Sequence[int], line_up: LineUp, played: Played) -> Array | None:
    """Return the mean control variates of some slots in every deal: float64, (deals, variates); None without any."""
    return None if played.variates is None else _in_deals(played.variates, own, line_up)


def _in_deals(by_seats: npt.NDArray[Any], own: Sequence[int], line_up: LineUp) -> Array:
    """Return the means of some slots in every deal, of values of seats: float64, shape (deals, ...)."""
    return np.asarray(by_slots(line_up, by_seats)[:, :, own].mean(axis=(1, 2)))


def mean_of_line_ups(values: Sequence[Array]) -> tuple[float, float, int]:
    """Return the mean of the line-ups' means, its variance, and the smallest number of deals.

    Args:
        values: of every line-up's deals. Deals are the clusters: equal numbers are the same deal in all line-ups.
    """
    mean = float(np.mean([of_line_up.mean() for of_line_up in values]))
    influence = _influence([of_line_up - of_line_up.mean() for of_line_up in values])
    return mean, float((influence**2).sum()), min(map(len, values))


def _influence(deviations: Sequence[Array]) -> Array:
    """Return what each deal adds to the error of a mean of line-ups' means; the sum of squares is its variance."""
    influence = np.zeros(max(map(len, deviations)))
    for of_line_up in deviations:
        count = len(of_line_up)
        influence[:count] += of_line_up / (len(deviations) * np.sqrt(count * max(1, count - 1)))
    return influence


def _share_of_pair(a: int, b: int, comparisons: Sequence[TournamentComparison]) -> Estimate | None:
    """Return the share that a won of a's and b's wins where both took part, each by the seats it held."""
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
    # A ratio, to first order (the delta method).
    deviations = [of_line_up - of_line_up.mean(axis=0) for of_line_up in won]
    influence = _influence([(mean_b * one[:, 0] - mean_a * one[:, 1]) / (mean_a + mean_b) ** 2 for one in deviations])
    share = mean_a / (mean_a + mean_b)
    return estimate_of_rate(share, float((influence**2).sum()), min(map(len, won)))


def _seat_shares(setup: Setup, results: Sequence[tuple[LineUp, Played]]) -> tuple[Estimate, ...]:
    """Return the share of the win of whoever sat in each seat, over all line-ups of a setup."""
    # By deal, seating and seat; seats of neutral clans come after those of players.
    seats = [shares_of_seats(played, setup.num_seats) for _, played in results]
    return tuple(
        estimate_of_rate(*mean_of_line_ups([of_line_up[:, :, seat].mean(axis=1) for of_line_up in seats]))
        for seat in range(setup.num_players)
    )
