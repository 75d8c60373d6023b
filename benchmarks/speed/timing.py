"""How speed is measured: every round times each case once, so that a busy moment of the machine slows all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Chunk = Callable[[], int]
"""Does some work, and returns the number of steps."""


@dataclass(frozen=True)
class Case:
    """Something whose speed is measured.

    Attributes:
        name: unique among the cases that are measured together.
        prepare: called once, untimed; returns the chunk to time. ModuleNotFoundError where a package is missing.
        compared_with: name of the case that the ratio is taken to.
        is_baseline: whether another library is measured.
    """

    name: str
    prepare: Callable[[], Chunk]
    compared_with: str | None = None
    is_baseline: bool = False


@dataclass
class Measurement:
    """The speed of a case.

    Attributes:
        part: the part of the benchmark.
        name: of the case.
        is_baseline: as for `Case`.
        rates: steps per second, one for each round.
        missing: why there are none.
        compared_with: as for `Case`.
        ratio: how many times as fast as that: the median of the rounds' ratios.
    """

    part: str
    name: str
    is_baseline: bool = False
    rates: list[float] = field(default_factory=list)
    missing: str | None = None
    compared_with: str | None = None
    ratio: float | None = None

    @property
    def median(self) -> float | None:
        """The median rate; None where there is none."""
        return statistics.median(self.rates) if self.rates else None

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, the median included."""
        return {**asdict(self), "median": self.median}


def measure(
    part: str, cases: Sequence[Case], runs: int, seconds: float, on_case: Callable[[str], object] = lambda name: None
) -> list[Measurement]:
    """Time cases in rounds.

    Args:
        part: noted in the measurements.
        cases: with different names.
        runs: number of rounds.
        seconds: how long a case is timed in a round, at least: its last chunk is finished.
        on_case: called with a case's name before it is prepared, and before it is timed: ``runs`` + 1 times each.
    """
    found = {one.name: Measurement(part, one.name, one.is_baseline, compared_with=one.compared_with) for one in cases}
    chunks: dict[str, Chunk] = {}
    for case in cases:
        on_case(case.name)
        try:
            chunk = case.prepare()
            chunk()  # compiled, and warm, before it is timed
            chunks[case.name] = chunk
        except ModuleNotFoundError as error:
            found[case.name].missing = f"{error.name} is not installed"
    for _ in range(runs):
        for name, chunk in chunks.items():
            on_case(name)
            found[name].rates.append(rate(chunk, seconds))
    for one in found.values():
        if one.compared_with in chunks and one.rates:
            pairs = zip(one.rates, found[one.compared_with].rates, strict=True)
            one.ratio = statistics.median(rate / other for rate, other in pairs)
    return list(found.values())


def rate(chunk: Chunk, seconds: float) -> float:
    """Steps per second of a chunk that is warm, repeated for so many seconds at least."""
    steps = 0
    start = now = time.perf_counter()
    while now - start < seconds:
        steps += chunk()
        now = time.perf_counter()
    return steps / (now - start)
