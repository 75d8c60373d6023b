"""Common parts of the game statistics: playing the deals, and a figure of lengths and wins."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

import romans_agents
from romans_agents import Agent
from romans_env import Game
from romans_env.core.protocol import Rules
from romans_training.figures import styled
from romans_training.measure.deals import deal_seed
from romans_training.measure.intervals import Estimate

Played = TypeVar("Played")


def played_deals(
    rules: Rules,
    specs: Sequence[str],
    deals: int,
    seed: int,
    on_progress: Callable[[int], object],
    play: Callable[[int, Game, list[Agent], list[int]], Played],
) -> list[Played]:
    """Return the results of ``play(deal, game, agents, numbers)`` for every deal and every seating.

    The agents keep their order around the table, and have random streams of their own. ``on_progress`` is called with
    the number of games.
    """
    agents = [romans_agents.make(spec, game=rules.name) for spec in specs]
    played: list[Played] = []
    for deal, first in itertools.product(range(deals), range(len(agents))):
        for k, player in enumerate(agents):
            player.seed(int(np.random.SeedSequence([seed, 1, deal, k]).generate_state(1)[0]))
        order = [(first + seat) % len(agents) for seat in range(len(agents))]
        played.append(play(deal, Game(rules, seed=deal_seed(seed, deal)), [agents[k] for k in order], order))
        on_progress(len(played))
    return played


@styled
def lengths_and_wins(
    height: float, unit: str, lengths: Sequence[int], first: int, title: str, wins: Mapping[str, Estimate], seats: int
) -> Figure:
    """Return a figure of the lengths of games, and of win shares by name, compared with an even share."""
    figure = Figure(figsize=(9, height), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(2, 3))
    width = 1 + (max(lengths) - first) // 15
    left.hist(lengths, bins=np.arange(first - 0.5, max(lengths) + width, width), edgecolor="white")
    left.set(xlabel=f"length ({unit})", ylabel="games", title="Length of games")
    left.grid(False, axis="x")
    mean, low, high = 100 * np.array(list(wins.values())).T
    places = np.arange(len(mean))
    right.errorbar(mean, places, xerr=[mean - low, high - mean], fmt="o")
    right.axvline(100 / seats, color="grey", linestyle=":")
    right.set_yticks(places, list(wins))
    right.grid(False, axis="y")
    right.set(xlabel="win rate (%)", title=title)
    return figure


def spread(values: npt.NDArray[Any]) -> tuple[int, int, int]:
    """Return the 10 %, 50 % and 90 % quantiles of integers, each of which is one of the integers."""
    low, middle, high = np.quantile(values, [0.1, 0.5, 0.9], method="inverted_cdf").tolist()
    return low, middle, high
