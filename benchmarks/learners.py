"""The learners of `recipes.other_libraries` on the leaderboard: the mean over the seeds of each, and what it cost."""

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
"""A result, such as ``torchrl-1.json``, has its cost beside it, ``torchrl-1.cost.json``."""


class Learner(NamedTuple):
    """A learner of a protocol: of every seed the result, and the cost as the recipe noted it."""

    title: str
    results: list[dict[str, Any]]
    costs: list[dict[str, Any]]

    @property
    def rating(self) -> Rating:
        """The mean over the seeds, with Student's t interval; of one seed it has no bounds."""
        means = np.array([[one["rating"]["mean"]] for one in self.results])
        return Rating(*mean_of_clusters(means)) if len(means) > 1 else Rating(float(means[0, 0]), None, None)

    @property
    def milliseconds(self) -> float:
        """Of a decision, the mean over the seeds."""
        return float(np.mean([one["machine"]["milliseconds"] for one in self.results]))


def learners(folder: Path = FOLDER) -> dict[str, list[Learner]]:
    """Return the learners of every protocol, the best first.

    Raises:
        BenchmarkError: a result without a rating, or learners of a protocol that were not given the same.
    """
    found: dict[str, dict[str, Learner]] = {}
    for path in sorted(folder.glob("*.cost.json")):
        cost = _cost(path)
        result = checked(path.with_name(path.name.replace(".cost.json", ".json")))[0].as_json()
        if not result["rating"] or result["rating"]["mean"] is None:
            raise BenchmarkError(f"the result beside {path} has no rating")
        of_protocol = found.setdefault(result["protocol"], {})
        learner = of_protocol.setdefault(cost["title"], Learner(cost["title"], [], []))
        learner.results.append(result)
        learner.costs.append(cost)
    for name, of_protocol in found.items():
        runs = [run for one in of_protocol.values() for run in zip(one.results, one.costs, strict=True)]
        if len({(cost["budget"], cost["cores"], result["deals"]) for result, cost in runs}) > 1:
            raise BenchmarkError(f"learners of {name} differ in minutes, cores or deals: a table has one of each")
    return {name: sorted(ones.values(), key=lambda one: -(one.rating.mean or 0.0)) for name, ones in found.items()}


def _cost(path: Path) -> dict[str, Any]:
    texts, numbers, times = ("title", "command", "library", "machine"), ("decisions", "cores"), ("budget", "minutes")
    kinds = {**dict.fromkeys(texts, str), **dict.fromkeys(numbers, range(1, 2**40)), **dict.fromkeys(times, float)}
    with suppress(ValueError):
        cost: dict[str, Any] = json_of(read_text(path))
        if fits(cost, kinds) and not set("`|<>\n") & set("".join(cost[name] for name in texts)):
            return cost
    raise BenchmarkError(f"{path} is not what recipes.other_libraries writes: copy the run's cost.json once more")


def table(of_protocol: list[Learner]) -> str:
    """Return a section of the page: what the learners were given, and a row for each."""
    result, cost = of_protocol[0].results[0], of_protocol[0].costs[0]
    lines = [
        "\n### Learners with default settings\n",
        "This is no contest of libraries: their defaults were made for other tasks, while those of `romans train` were "
        "[tuned on this game](../research/training.md#how-the-defaults-were-chosen), and in the same time it learns "
        "from many times more decisions. "
        f"Each learner had {cost['budget']:g} minutes of the time of one core, the settings that its "
        "library has by default and the opponents that the environment has by default. Exceptions are in the first "
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
