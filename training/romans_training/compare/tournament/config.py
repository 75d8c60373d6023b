"""The settings of a tournament."""

from __future__ import annotations

from dataclasses import dataclass

from romans_env.core.protocol import Setup
from romans_training.compare.tournament.entries import TournamentError
from romans_training.measure.variance_reduction import NONE, check_method


@dataclass(frozen=True)
class TournamentConfig:
    """The settings of a tournament.

    Attributes:
        agents: agent specs, at least two; for a mirror match name one twice.
        setup: the setup of the game.
        deals: number of deals per line-up, each played with every distinct seating; at least 2.
        search_deals: number of deals of line-ups with a search agent, if fewer than ``deals``.
        seed: seed of the deals and of all agents' random numbers.
        line_ups: number of line-ups in a balanced sample to play; None for all line-ups.
        move_time: time limit for a decision in seconds; None for no limit. Compiled agents are not timed.
        variance_reduction: method of additional, variance-reduced estimates, one of
            `romans_training.measure.variance_reduction.METHODS`.
        own_deals: whether every line-up has deals of its own, so that the results of line-ups are independent. By
            default all line-ups share the same deals, which gives the most precise comparison.
        hosted: whether agents in Python files and models run in a process of their own, so that their crashes do not
            end the tournament (`romans_agents.external.hosted_agent`).
    """

    agents: tuple[str, ...]
    setup: Setup
    deals: int = 500
    search_deals: int = 50
    seed: int = 0
    line_ups: int | None = None
    move_time: float | None = None
    variance_reduction: str = NONE
    own_deals: bool = False
    hosted: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", tuple(self.agents))
        if min(self.deals, self.search_deals) < 2:
            raise TournamentError("the number of deals must be at least 2, because intervals need two")
        if self.move_time is not None and self.move_time <= 0:
            raise TournamentError(f"the time for a decision must be above 0 seconds, not {self.move_time}")
        check_method(self.variance_reduction, self.setup.game)
