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
        agents: agent specs, two at least; for a mirror match name one twice.
        setup: the game.
        deals: deals that every line-up plays, each with every distinct seating; 2 at least.
        search_deals: deals of line-ups with an agent that searches, if that is fewer.
        seed: of the deals and the chance of all agents.
        line_ups: play a balanced sample of this number of line-ups; None for all.
        move_time: seconds that a decision may take; None for no limit. Compiled agents are not timed.
        variance_reduction: how results are estimated once more, one of
            `romans_training.measure.variance_reduction.METHODS`.
        own_deals: whether every line-up has deals of its own, so that its results say nothing of those of another; by
            default all have the same, which compares agents best.
        hosted: whether agents in Python files and models play in a process beside the one that plays the games, so
            that no fault of theirs ends it (`romans_agents.external.hosted_agent`).
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
            raise TournamentError("the number of deals is at least 2, or there is no interval")
        if self.move_time is not None and self.move_time <= 0:
            raise TournamentError(f"a decision may take more than 0 seconds, not {self.move_time}")
        check_method(self.variance_reduction, self.setup.game)
