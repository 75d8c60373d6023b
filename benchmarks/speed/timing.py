"""Timing in rounds: each round times every case once, so that a busy moment of the machine affects all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Chunk = Callable[[], int]
"""Does some work and returns the number of steps."""


@dataclass(frozen=True)
class Case:
    """A case whose speed is measured.

    Attributes:
        name: unique among the cases that are measured together.
        prepare: called once, untimed; returns the chunk to time. Raises ModuleNotFoundError if a package is missing.
        compared_with: the name of the case that the ratio refers to.
        is_baseline: whether it measures another library.
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
        name: the name of the case.
        is_baseline: as in `Case`.
        rates: steps per second in each round.
        missing: the reason why there are none.
        compared_with: as in `Case`.
        ratio: the speed relative to that case: the median of the rounds' ratios.
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
        """The median rate; None without rates."""
        return statistics.median(self.rates) if self.rates else None

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON, including the median."""
        return {**asdict(self), "median": self.median}


def measure(
    part: str, cases: Sequence[Case], runs: int, seconds: float, on_case: Callable[[str], object] = lambda name: None
) -> list[Measurement]:
    """Time cases in rounds.

    Args:
        part: the name of the part, for the measurements.
        cases: the cases, with distinct names.
        runs: the number of rounds.
        seconds: the minimum time of a case in a round; its last chunk is finished.
        on_case: called with a case's name before it is prepared and before each time it is timed: ``runs`` + 1 times.
    """
    found = {one.name: Measurement(part, one.name, one.is_baseline, compared_with=one.compared_with) for one in cases}
    chunks: dict[str, Chunk] = {}
    for case in cases:
        on_case(case.name)
        try:
            chunk = case.prepare()
            chunk()  # compiles and warms up before it is timed
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
    """Return the steps per second of a warm chunk that is repeated for at least ``seconds``."""
    steps = 0
    start = now = time.perf_counter()
    while now - start < seconds:
        steps += chunk()
        now = time.perf_counter()
    return steps / (now - start)
