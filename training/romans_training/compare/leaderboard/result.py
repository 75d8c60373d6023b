"""The result of a benchmark, and the file that holds it.

A file holds what was played: of every deal the agent's share of wins, its control variates, and a digest of its games.
Everything else in it (shares, intervals, the rating, the number of games) is computed from these.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_training.compare.leaderboard.protocols import BenchmarkProtocol
from romans_training.compare.leaderboard.rating import Rating, in_points, rating_of
from romans_training.compare.tournament.line_ups import LineUp
from romans_training.compare.tournament.match import Played
from romans_training.compare.tournament.result import FaultReport, shares_in_deals, variates_in_deals
from romans_training.measure.intervals import Estimate, estimate_of_rate, estimate_of_share, plain
from romans_training.measure.variance_reduction import NONE, reduced
from romans_training.shown import ShownResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMAT = "romans-benchmark/2"
MOST_FAULTS = 0.01
"""Share of the games lost by faults above which there is no rating."""
DIED = "died"
"""A kind of fault beside those of `romans_agents.batches.adjudicator.FAULTS`: the process in which the agent played is
gone."""
LETTERS = 8
"""Of the digest of a deal."""
ERROR = 2
"""Parts of 10,000 by which a control variate may differ from machine to machine: its last digit depends on it."""
_PARTS = 10_000
_MOST_VARIATES = 256
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int32]


class Deals(NamedTuple):
    """What an agent's games against one opponent came to, by deal.

    Attributes:
        won: its share of wins in parts of 10,000, of which a win that k seats share counts 1/k: int32, shape (deals,).
        variates: its control variates, likewise: int32, shape (deals, variates); (deals, 0) without variance reduction.
        digests: of the winners and points of its games: `LETTERS` letters of base64 each.
    """

    won: Integers
    variates: Integers
    digests: tuple[str, ...]


@dataclass(frozen=True)
class OpponentResult:
    """The games against an opponent.

    Attributes:
        spec: the opponent.
        games: how many.
        share: of the wins, with reduced variance where the protocol says so; a win shared by k counts 1/k.
        deals: what was played.
    """

    spec: str
    games: int
    share: Estimate
    deals: Deals


@dataclass(frozen=True)
class BenchmarkResult(ShownResult):
    """The result of a benchmark.

    Attributes:
        protocol: its name.
        agent: spec of the agent.
        files: a digest of the files that the spec names; empty without any.
        version: of the package.
        deals: that were played against every opponent; 0 where the agent was stopped because of its faults.
        rating: on the scale of the protocol; None where too many games were lost by faults.
        share: of the wins, the mean over the opponents; None where the agent was stopped.
        opponents: in the order of the protocol.
        faults: games that the agent lost by faults, by kind.
        games: that the agent played.
        machine: the processor, and the agent's mean time of a decision there, in milliseconds.
        held_out: whether the deals are those of the protocol's seed that is not published; in JSON where it is true.
        scale: the scale of a protocol that was measured on the spot; in JSON where there is one.
    """

    protocol: str
    agent: str
    files: str
    version: str
    deals: int
    rating: Rating | None
    share: Estimate | None
    opponents: tuple[OpponentResult, ...]
    faults: tuple[FaultReport, ...]
    games: int
    machine: dict[str, Any]
    held_out: bool = False
    scale: dict[str, Any] | None = None

    def rows(self) -> list[dict[str, Any]]:
        """See `ShownResult.rows`: a row for each opponent, with the share of wins against it."""
        return [
            {
                "against": one.spec,
                "wins": one.share.mean,
                "wins_low": one.share.low,
                "wins_high": one.share.high,
                "games": one.games,
            }
            for one in self.opponents
        ]

    def heading(self) -> str:
        """See `ShownResult.heading`."""
        rating = "no rating" if self.rating is None else f"rating {in_points(self.rating)}"
        own = "" if self.scale is None else ", on a scale of its own"
        return f"{self.agent} on {self.protocol}: {rating} (95 % interval), {self.games:,} games{own}"

    def figure(self) -> Figure:
        """See `ShownResult.figure`: the share of wins against every opponent."""
        from romans_training.figures import intervals_figure

        return intervals_figure({one.spec: one.share for one in self.opponents}, "wins, %")

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON. All but ``machine`` is the same on every machine; ``digest`` is of that."""
        left_out = {"opponents", "machine"} | {name for name in ("held_out", "scale") if not getattr(self, name)}
        fields = [name for name in self.__dataclass_fields__ if name not in left_out]
        opponents = [
            {
                "spec": one.spec,
                "games": one.games,
                "share": one.share,
                "won": packed(one.deals.won),
                "variates": packed(one.deals.variates),
                "digests": "".join(one.deals.digests),
            }
            for one in self.opponents
        ]
        own = {name: getattr(self, name) for name in fields}
        result = plain({"format": FORMAT, **own, "opponents": opponents})
        return {**result, "digest": digest_of_result(result), "machine": self.machine}


def result_of(
    protocol: BenchmarkProtocol,
    agent: str,
    files: str,
    version: str,
    played: Sequence[Deals],
    faults: Sequence[FaultReport],
    machine: dict[str, Any],
) -> BenchmarkResult:
    """Return the result that follows from what was played against every opponent of a protocol.

    Args:
        protocol: how the agent was measured.
        agent: its spec.
        files: a digest of the files that it names.
        version: of the package.
        played: against the opponents in the order of the protocol, the same number of deals against each.
        faults: games that the agent lost by faults.
        machine: as in the result.
    """
    values = values_of(played)
    share, num_games = share_of(values, protocol), protocol.setup.num_players * len(values[0])
    is_rated = sum(fault.games for fault in faults) <= MOST_FAULTS * num_games * len(values)
    return BenchmarkResult(
        protocol.name,
        agent,
        files,
        version,
        len(values[0]),
        rating_in(protocol, share) if is_rated else None,
        share,
        tuple(
            OpponentResult(spec, num_games, share_of([of_deals], protocol), deals)
            for spec, of_deals, deals in zip(protocol.opponents, values, played, strict=True)
        ),
        tuple(faults),
        num_games * len(values),
        machine,
        protocol.is_held_out,
        protocol.scale,
    )


def deals_of(line_up: LineUp, slot: int, played: Played) -> Deals:
    """Return what the games of a line-up came to for one of its slots."""
    won, variates = shares_in_deals([slot], line_up, played), variates_in_deals([slot], line_up, played)
    if variates is None:
        variates = np.zeros((len(won), 0))
    games = [
        one.tobytes() + points.tobytes()
        for one, points in zip(played.winners, played.points.astype("<i2"), strict=True)
    ]
    digests = [base64.b64encode(hashlib.sha256(of_deal).digest())[:LETTERS].decode() for of_deal in games]
    parts = [np.rint(one * _PARTS).astype(np.int32) for one in (won, variates)]
    return Deals(parts[0], parts[1], tuple(digests))


def deals_in(stated: dict[str, Any], num_deals: int) -> Deals:
    """Return what was played against an opponent as a file states it.

    Raises:
        ValueError, TypeError, KeyError: it is not what `BenchmarkResult.as_json` writes of so many deals.
    """
    won, variates = unpacked(stated["won"], num_deals), unpacked(stated["variates"], num_deals * _MOST_VARIATES)
    digests = [stated["digests"][k : k + LETTERS] for k in range(0, len(stated["digests"]), LETTERS)]
    if not len(won) == len(digests) == num_deals or len(variates) % num_deals:
        raise ValueError(f"the games against {stated['spec']} are not of {num_deals} deals")
    if won.min() < 0 or won.max() > _PARTS:
        raise ValueError(f"a share of the wins against {stated['spec']} is not from 0 to 1")
    return Deals(won, variates.reshape(num_deals, -1), tuple(digests))


def digest_of_result(result: dict[str, Any]) -> str:
    """Return the SHA-256 of a result as JSON, without its digest and what depends on the machine."""
    kept = {key: value for key, value in result.items() if key not in ("digest", "machine")}
    text = json.dumps(kept, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def packed(values: Integers) -> str:
    """Return numbers as text: little-endian int32, all first bytes, then all second ones, by zlib and base64."""
    columns = np.frombuffer(values.astype("<i4").tobytes(), dtype=np.uint8).reshape(-1, 4).T
    return base64.b64encode(zlib.compress(columns.tobytes(), 9)).decode()


def unpacked(text: str, most: int) -> Integers:
    """Return the numbers of `packed`; ValueError for another text, or one of more numbers than ``most``."""
    stream = zlib.decompressobj()
    try:
        data = stream.decompress(base64.b64decode(text, validate=True), 4 * most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(data) % 4 or len(data) > 4 * most or not stream.eof:
        raise ValueError(f"it does not hold whole numbers, {most:,} at most")
    return np.frombuffer(np.frombuffer(data, dtype=np.uint8).reshape(4, -1).T.tobytes(), dtype="<i4")


def values_of(played: Sequence[Deals]) -> list[Floats]:
    """Return the agent's share of wins in every deal against each opponent, with reduced variance if it has variates.

    The weights are the same against all opponents: those of a slow agent have too few deals for weights of their own.
    """
    values = np.concatenate([of_one.won for of_one in played]) / _PARTS
    variates = np.concatenate([of_one.variates for of_one in played]) / _PARTS
    groups = np.repeat(np.arange(len(played)), [len(of_one.won) for of_one in played])
    together = reduced(values, variates, groups, ERROR / _PARTS) if variates.size else values
    return [together[groups == k] for k in range(len(played))]


def share_of(values: Sequence[Floats], protocol: BenchmarkProtocol) -> Estimate:
    """Return the mean share over opponents; the interval is over deals, which are other ones against each opponent."""
    estimate = estimate_of_rate if protocol.variance_reduction == NONE else estimate_of_share
    variances = np.array([of_deals.var(ddof=1) / len(of_deals) for of_deals in values])
    # The degrees of freedom of Welch (1947): where opponents differ in variance, those with the largest count.
    squares = (variances**2 / [len(of_deals) - 1 for of_deals in values]).sum()
    clusters = 1 + (variances.sum() ** 2 / squares if squares else sum(map(len, values)))
    mean = float(np.mean([of_deals.mean() for of_deals in values]))
    # Rounded: the last digits of a sum depend on the machine.
    found = estimate(mean, float(variances.sum()) / len(values) ** 2, clusters)
    return Estimate(*(round(value, 8) for value in found))


def rating_in(protocol: BenchmarkProtocol, share: Estimate) -> Rating:
    """Return the rating on a protocol's scale, to a tenth of a point."""
    rating = rating_of(share, list(protocol.copies.values()), protocol.setup.num_players, protocol.unit)
    return Rating(*(None if value is None else round(value, 1) for value in rating))
