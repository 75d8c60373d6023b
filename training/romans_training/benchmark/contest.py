"""How speed is measured: contestants take turns, so that a busy moment of the machine falls on all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Chunk = Callable[[], int]
"""Does some work, and gives back how many steps it was."""


@dataclass(frozen=True)
class Contestant:
    """Something whose speed is measured.

    Attributes:
        name: what it is, for the table.
        prepare: makes it ready, and gives back the chunk to be timed; ModuleNotFoundError where a package is missing.
        compared_with: the name of the contestant that its ratio is taken to.
        is_peer: whether it is other people's work.
    """

    name: str
    prepare: Callable[[], Chunk]
    compared_with: str | None = None
    is_peer: bool = False


@dataclass
class Figure:
    """The speed of a contestant.

    Attributes:
        part: the part of the benchmark.
        name: the contestant.
        rates: steps per second, one for each run.
        missing: why there are none.
        compared_with: the contestant that ``ratio`` is taken to.
        ratio: how many times as fast: the median over the runs of the ratio within a run.
    """

    part: str
    name: str
    is_peer: bool = False
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
        return {**self.__dict__, "median": self.median}


class Contest:
    """Contestants measured in turns.

    Args:
        part: noted in the figures.
        contestants: with different names.
        runs: how many turns each gets.
        seconds: length of a turn, at least; a turn ends with the chunk it is in.

    Attributes:
        figures: one for each contestant; whole when `turns` has come to its end.
    """

    def __init__(self, part: str, contestants: list[Contestant], runs: int, seconds: float):
        self._contestants, self._runs, self._seconds = contestants, runs, seconds
        self.figures = [Figure(part, one.name, one.is_peer, compared_with=one.compared_with) for one in contestants]

    def turns(self) -> Iterator[str]:
        """Measure; gives the name of each contestant whose turn comes, and one turn more for making it ready."""
        chunks: dict[str, Chunk] = {}
        by_name = {figure.name: figure for figure in self.figures}
        for one in self._contestants:
            yield one.name
            try:
                chunks[one.name] = one.prepare()
                chunks[one.name]()  # compiled, and warm, before it is timed
            except ModuleNotFoundError as error:
                by_name[one.name].missing = f"{error.name} is not installed"
        for _ in range(self._runs):
            for name, chunk in chunks.items():
                yield name
                by_name[name].rates.append(_rate(chunk, self._seconds))
        for figure in self.figures:
            other = by_name.get(figure.compared_with or "")
            if other is not None and other.rates and figure.rates:
                pairs = zip(figure.rates, other.rates, strict=True)
                figure.ratio = statistics.median(ours / theirs for ours, theirs in pairs)


def _rate(chunk: Chunk, seconds: float) -> float:
    steps = 0
    start = now = time.perf_counter()
    while now - start < seconds:
        steps += chunk()
        now = time.perf_counter()
    return steps / (now - start)
