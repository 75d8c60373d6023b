"""Agents whose decisions have a budget, and whose searches are compiled before the first true decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from romans_agents.base import Agent
from romans_env import Game, RomansGoHome, Table, View


class TimedAgent(Agent):
    """An agent whose decisions have a budget.

    Attributes:
        iterations: for a decision, where there is no time limit.
        seconds: the time limit, or None.
    """

    iterations: int
    seconds: float | None

    def _compile(self, decide: Sequence[Callable[[View], object]]) -> None:
        """Make decisions with the least budget, so that compiling does not eat up the time of the first true one."""
        iterations, seconds = self.iterations, self.seconds
        self.iterations, self.seconds = 1, None
        view = Game(RomansGoHome(Table()), seed=0).view(0)
        for make_one in decide:
            make_one(view)
        self.iterations, self.seconds = iterations, seconds
