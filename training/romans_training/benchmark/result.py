"""The result of a benchmark, and the file that holds it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_training.benchmark.protocols import Protocol
from romans_training.benchmark.rating import Rating, rating_of
from romans_training.intervals import Estimate, estimate_of_rate, estimate_of_share
from romans_training.tournament.result import FaultReport
from romans_training.variance_reduction import NONE

FORMAT = "romans-benchmark/1"
BLOCK = 50
"""Deals that share a digest."""
MOST_FAULTS = 0.01
"""Share of the games lost by faults above which there is no rating."""
DIED = "died"
"""A kind of fault beside those of `romans_agents.referee.FAULTS`: the process in which the agent played is gone."""
_PARTS = 10_000
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class OpponentResult:
    """The games against an opponent.

    Attributes:
        spec: the opponent.
        games: how many.
        share: of the wins, with reduced variance where the protocol says so; a win shared by k counts 1/k.
        values: what ``share`` is the mean of, for every deal: base64 of little-endian int32, in parts of 10,000.
        digests: of the winners and points of every 50 deals: 16 letters of SHA-256.
    """

    spec: str
    games: int
    share: Estimate
    values: str
    digests: tuple[str, ...]


@dataclass(frozen=True)
class BenchmarkResult:
    """The result of a benchmark.

    Attributes:
        protocol: its name.
        agent: spec of the agent.
        files: a digest of the files that the spec names; empty without any.
        version: of the package.
        deals: that were played against every opponent; 0 where the agent was stopped because of its faults.
        rating: on the scale of the protocol; None where too many games were lost by faults.
        share: of the wins, the mean over the opponents; None where the agent was stopped.
        opponents: in the order of the panel.
        faults: games that the agent lost by faults, by kind.
        games: that the agent played.
        machine: the processor, and the agent's mean time of a decision there, in milliseconds.
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

    def as_json(self) -> dict[str, Any]:
        """Plain JSON. All but ``machine`` is the same on every machine; ``digest`` is of that."""
        plain = asdict(self)
        machine = plain.pop("machine")
        plain["rating"] = None if self.rating is None else self.rating._asdict()
        plain["share"] = None if self.share is None else self.share._asdict()
        for one, opponent in zip(plain["opponents"], self.opponents, strict=True):
            one["share"] = opponent.share._asdict()
        plain["faults"] = [fault._asdict() for fault in self.faults]
        # As it is read from a file: tuples are lists.
        result = json.loads(json.dumps({"format": FORMAT, **plain}))
        return {**result, "digest": digest_of_result(result), "machine": machine}


def digest_of_result(result: dict[str, Any]) -> str:
    """SHA-256 of a result as JSON, without its digest and what depends on the machine."""
    kept = {key: value for key, value in result.items() if key not in ("digest", "machine")}
    text = json.dumps(kept, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def packed(values: Floats) -> str:
    """Values of deals as text."""
    return base64.b64encode(np.rint(values * _PARTS).astype("<i4").tobytes()).decode()


def unpacked(text: str) -> Floats:
    """The values of `packed`; ValueError for another text."""
    return np.frombuffer(base64.b64decode(text, validate=True), dtype="<i4") / _PARTS


def share_of(values: Sequence[Floats], protocol: Protocol) -> Estimate:
    """The mean share over opponents, with the interval over deals, which are other ones against each opponent."""
    estimate = estimate_of_rate if protocol.variance_reduction == NONE else estimate_of_share
    variances = np.array([of_deals.var(ddof=1) / len(of_deals) for of_deals in values])
    # The degrees of freedom of Welch (1947): where opponents differ in variance, those with the largest count.
    squares = (variances**2 / [len(of_deals) - 1 for of_deals in values]).sum()
    clusters = 1 + (variances.sum() ** 2 / squares if squares else sum(map(len, values)))
    mean = float(np.mean([of_deals.mean() for of_deals in values]))
    # Rounded: the last digits of a sum depend on the machine.
    found = estimate(mean, float(variances.sum()) / len(values) ** 2, clusters)
    return Estimate(*(round(value, 8) for value in found))


def rating_in(protocol: Protocol, share: Estimate) -> Rating:
    """The rating on a protocol's scale, to a tenth of a point."""
    rating = rating_of(share, list(protocol.copies.values()), protocol.setup.num_players, protocol.unit)
    return Rating(*(None if value is None else round(value, 1) for value in rating))
