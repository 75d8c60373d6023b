"""The result of a benchmark, and its file format.

A file holds the games: for every deal the agent's win share, its control variates, and a digest of the games.
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
"""Share of games lost by faults above which there is no rating."""
DIED = "died"
"""A kind of fault in addition to `romans_agents.batches.adjudicator.FAULTS`: the process in which the agent played has
ended."""
LETTERS = 8
"""Length of the digest of a deal, in characters."""
ERROR = 2
"""Tolerance, in parts of 10,000, for control variates of different machines: the last digit depends on the machine."""
_PARTS = 10_000
_MOST_VARIATES = 256
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int32]


class Deals(NamedTuple):
    """An agent's results against one opponent, by deal.

    Attributes:
        won: win share in parts of 10,000, where a win shared by k seats counts 1/k: int32, shape ``(deals,)``.
        variates: control variates in the same unit: int32, shape ``(deals, variates)``; ``(deals, 0)`` without variance
            reduction.
        digests: for each deal a digest of its games' winners and points: `LETTERS` characters of base64.
    """

    won: Integers
    variates: Integers
    digests: tuple[str, ...]


@dataclass(frozen=True)
class OpponentResult:
    """The result of the games against one opponent.

    Attributes:
        spec: the agent spec of the opponent.
        games: the number of games.
        share: the win share, variance-reduced if the protocol says so; a win shared by k counts 1/k.
        deals: the results by deal.
    """

    spec: str
    games: int
    share: Estimate
    deals: Deals


@dataclass(frozen=True)
class BenchmarkResult(ShownResult):
    """The result of a benchmark.

    Attributes:
        protocol: the name of the protocol.
        agent: the agent spec.
        files: a digest of the files that the spec names; empty if it names none.
        version: the version of the package.
        deals: number of deals against every opponent; 0 if the agent was stopped because of its faults.
        rating: the rating on the protocol's scale; None if too many games were lost by faults.
        share: the win share, averaged over the opponents; None if the agent was stopped.
        opponents: the results by opponent, in the order of the protocol.
        faults: games that the agent lost by faults, by kind.
        games: number of games that the agent played.
        machine: the ``processor``, and the agent's mean time per decision on it in ``milliseconds``.
        held_out: whether the deals come from the protocol's unpublished seed; in JSON only if it is True.
        scale: the scale of a protocol that was measured on the spot; in JSON only if there is one.
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
        """Return one row per opponent, with the win share against it."""
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
        rating = "no rating" if self.rating is None else f"rating {in_points(self.rating)}"
        own = "" if self.scale is None else ", on a scale of its own"
        return f"{self.agent} on {self.protocol}: {rating} (95 % interval), {self.games:,} games{own}"

    def figure(self) -> Figure:
        """Draw the win share against every opponent."""
        from romans_training.figures import intervals_figure

        return intervals_figure({one.spec: one.share for one in self.opponents}, "wins, %")

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON. Except for ``machine``, it is the same on all machines, and is covered by ``digest``."""
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
    """Return the result that follows from the games against every opponent of a protocol.

    Args:
        protocol: the protocol.
        agent: the agent spec.
        files: a digest of the files that it names.
        version: the version of the package.
        played: the results by opponent, in the order of the protocol, with the same number of deals each.
        faults: games that the agent lost by faults.
        machine: as in `BenchmarkResult`.
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
    """Return the results of one slot of a line-up, by deal."""
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
    """Return the results against an opponent from the JSON of a file.

    Raises:
        ValueError, TypeError, KeyError: if `BenchmarkResult.as_json` cannot have written it for ``num_deals`` deals.
    """
    won, variates = unpacked(stated["won"], num_deals), unpacked(stated["variates"], num_deals * _MOST_VARIATES)
    digests = [stated["digests"][k : k + LETTERS] for k in range(0, len(stated["digests"]), LETTERS)]
    if not len(won) == len(digests) == num_deals or len(variates) % num_deals:
        raise ValueError(f"the games against {stated['spec']} are not of {num_deals} deals")
    if won.min() < 0 or won.max() > _PARTS:
        raise ValueError(f"a share of the wins against {stated['spec']} is not from 0 to 1")
    return Deals(won, variates.reshape(num_deals, -1), tuple(digests))


def digest_of_result(result: dict[str, Any]) -> str:
    """Return the SHA-256 of a result's JSON, without ``digest`` and ``machine``."""
    kept = {key: value for key, value in result.items() if key not in ("digest", "machine")}
    text = json.dumps(kept, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def packed(values: Integers) -> str:
    """Return int32 numbers, shape ``(n,)``, as text: little-endian, sorted by byte position; zlib and base64."""
    columns = np.frombuffer(values.astype("<i4").tobytes(), dtype=np.uint8).reshape(-1, 4).T
    return base64.b64encode(zlib.compress(columns.tobytes(), 9)).decode()


def unpacked(text: str, most: int) -> Integers:
    """Return the numbers that `packed` was given, int32, shape ``(n,)``.

    Raises:
        ValueError: if the text is malformed, or holds more than ``most`` numbers.
    """
    stream = zlib.decompressobj()
    try:
        data = stream.decompress(base64.b64decode(text, validate=True), 4 * most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(data) % 4 or len(data) > 4 * most or not stream.eof:
        raise ValueError(f"it does not hold integers, at most {most:,}")
    return np.frombuffer(np.frombuffer(data, dtype=np.uint8).reshape(4, -1).T.tobytes(), dtype="<i4")


def values_of(played: Sequence[Deals]) -> list[Floats]:
    """Return the agent's win shares by deal, variance-reduced if there are control variates.

    The weights of the variates are common to all opponents, because slow agents play too few deals for separate ones.

    Args:
        played: the results by opponent.

    Returns:
        For each opponent, float64, shape ``(deals,)``.
    """
    values = np.concatenate([of_one.won for of_one in played]) / _PARTS
    variates = np.concatenate([of_one.variates for of_one in played]) / _PARTS
    groups = np.repeat(np.arange(len(played)), [len(of_one.won) for of_one in played])
    together = reduced(values, variates, groups, ERROR / _PARTS) if variates.size else values
    return [together[groups == k] for k in range(len(played))]


def share_of(values: Sequence[Floats], protocol: BenchmarkProtocol) -> Estimate:
    """Return the mean win share over opponents; its interval is over deals, which differ between opponents.

    Args:
        values: for each opponent the win shares by deal, float64, shape ``(deals,)``.
        protocol: the protocol.
    """
    estimate = estimate_of_rate if protocol.variance_reduction == NONE else estimate_of_share
    variances = np.array([of_deals.var(ddof=1) / len(of_deals) for of_deals in values])
    # Welch's degrees of freedom (1947), because the opponents' variances differ.
    squares = (variances**2 / [len(of_deals) - 1 for of_deals in values]).sum()
    clusters = 1 + (variances.sum() ** 2 / squares if squares else sum(map(len, values)))
    mean = float(np.mean([of_deals.mean() for of_deals in values]))
    # Rounded, because the last digits of a sum depend on the machine.
    found = estimate(mean, float(variances.sum()) / len(values) ** 2, clusters)
    return Estimate(*(round(value, 8) for value in found))


def rating_in(protocol: BenchmarkProtocol, share: Estimate) -> Rating:
    """Return the rating on a protocol's scale, rounded to a tenth of a point."""
    rating = rating_of(share, list(protocol.copies.values()), protocol.setup.num_players, protocol.unit)
    return Rating(*(None if value is None else round(value, 1) for value in rating))
