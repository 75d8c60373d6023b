"""The learners of `recipes.other_libraries` on the leaderboard: their mean ratings over seeds, and their costs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.pages import unbroken
from romans_env.core.files import json_of, read_text
from romans_training.compare.leaderboard.protocols import BenchmarkError
from romans_training.compare.leaderboard.rating import Rating, in_points
from romans_training.compare.leaderboard.verify import checked
from romans_training.measure.intervals import mean_of_clusters
from romans_training.reporting import in_milliseconds
from romans_training.schema import fits

FOLDER = Path(__file__).with_name("results") / "learners"
"""A result, such as ``torchrl-1.json``, has its cost next to it, in ``torchrl-1.cost.json``."""


class Learner(NamedTuple):
    """A learner on a protocol: for every seed the result, and the cost as noted by the recipe."""

    title: str
    results: list[dict[str, Any]]
    costs: list[dict[str, Any]]

    @property
    def rating(self) -> Rating:
        """The mean over seeds, with Student's t interval; without bounds for a single seed."""
        means = np.array([[one["rating"]["mean"]] for one in self.results])
        return Rating(*mean_of_clusters(means)) if len(means) > 1 else Rating(float(means[0, 0]), None, None)

    @property
    def milliseconds(self) -> float:
        """The time per decision, averaged over the seeds."""
        return float(np.mean([one["machine"]["milliseconds"] for one in self.results]))


def learners(folder: Path = FOLDER) -> dict[str, list[Learner]]:
    """Return the learners of every protocol, best first.

    Raises:
        BenchmarkError: if a result has no rating, or learners of a protocol had different resources.
    """
    found: dict[str, dict[str, Learner]] = {}
    for path in sorted(folder.glob("*.cost.json")):
        cost = _cost(path)
        result = checked(path.with_name(path.name.replace(".cost.json", ".json")))[0].as_json()
        if not result["rating"] or result["rating"]["mean"] is None:
            raise BenchmarkError(f"the result next to {path} has no rating; leave both files out")
        of_protocol = found.setdefault(result["protocol"], {})
        learner = of_protocol.setdefault(cost["title"], Learner(cost["title"], [], []))
        learner.results.append(result)
        learner.costs.append(cost)
    for name, of_protocol in found.items():
        runs = [run for one in of_protocol.values() for run in zip(one.results, one.costs, strict=True)]
        if len({(cost["budget"], cost["cores"], result["deals"]) for result, cost in runs}) > 1:
            raise BenchmarkError(f"learners of {name} differ in minutes, cores or deals; they must be equal in a table")
    return {name: sorted(ones.values(), key=lambda one: -(one.rating.mean or 0.0)) for name, ones in found.items()}


def _cost(path: Path) -> dict[str, Any]:
    texts, numbers, times = ("title", "command", "library", "machine"), ("decisions", "cores"), ("budget", "minutes")
    kinds = {**dict.fromkeys(texts, str), **dict.fromkeys(numbers, range(1, 2**40)), **dict.fromkeys(times, float)}
    with suppress(ValueError):
        cost: dict[str, Any] = json_of(read_text(path))
        if fits(cost, kinds) and not set("`|<>\n") & set("".join(cost[name] for name in texts)):
            return cost
    raise BenchmarkError(f"{path} was not written by recipes.other_libraries: copy the run's cost.json again")


def table(of_protocol: list[Learner]) -> str:
    """Return a section of the page: the learners' resources, and a row for each learner."""
    result, cost = of_protocol[0].results[0], of_protocol[0].costs[0]
    lines = [
        "\n### Learners with default settings\n",
        "This is not a contest of libraries: their defaults were made for other tasks, while those of `romans train` "
        "were [tuned on this game](../research/training.md#how-the-defaults-were-chosen), and in the same time it "
        "learns from many times more decisions. "
        f"Each learner had {cost['budget']:g} minutes of processor time on one core, its library's "
        "default settings and the environment's default opponents. Exceptions are in the first "
        "lines of its module in [recipes/other_libraries](../../recipes/other_libraries/__main__.py). The policy plays "
        "its most likely action. The rating is the mean over the seeds, with Student's t interval; the ratings of the "
        f"seeds follow, each measured with {result['deals']} deals. Decisions and minutes (processor time of the "
        f"training, {cost['machine']}) are means over the seeds.\n",
        "| learner | rating | of each seed | ms per decision | decisions | minutes | library | command |",
        "|---|---:|---:|---:|---:|---:|---|---|",
    ]
    return "\n".join([*lines, *map(_row, of_protocol)]) + "\n"


def _row(one: Learner) -> str:
    cost = one.costs[0]
    cells = [
        one.title,
        unbroken(in_points(one.rating)),
        unbroken(" ".join(f"{result['rating']['mean']:,.0f}" for result in one.results)),
        in_milliseconds(one.milliseconds),
        f"{np.mean([run['decisions'] for run in one.costs]):,.0f}",
        f"{np.mean([run['minutes'] for run in one.costs]):.1f}",
        cost["library"],
        f"`{cost['command']}`",
    ]
    return f"| {' | '.join(cells)} |"
