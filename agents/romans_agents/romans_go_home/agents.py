"""The agents of Romans Go Home! by name."""

from __future__ import annotations

from collections.abc import Callable

from romans_agents.base import Agent
from romans_agents.romans_go_home import scripted
from romans_agents.romans_go_home.plan_mc import PlanMCAgent
from romans_agents.romans_go_home.round_ismcts import RoundISMCTSAgent
from romans_agents.romans_go_home.rounds.round_response import RoundResponseAgent
from romans_agents.romans_go_home.rounds.tribune import TribuneAgent
from romans_agents.romans_go_home.trained.legate import LegateAgent
from romans_agents.romans_go_home.trained.legate_1 import Legate1Agent

_FACTORIES = (
    scripted.GreedyAgent,
    scripted.HoarderAgent,
    scripted.LegionaryAgent,
    scripted.SkirmisherAgent,
    scripted.MixerAgent,
    scripted.SchemerAgent,
    LegateAgent,
    Legate1Agent,
    PlanMCAgent,
    RoundISMCTSAgent,
    RoundResponseAgent,
    TribuneAgent,
)
AGENTS: dict[str, Callable[..., Agent]] = {
    **{factory.name: factory for factory in _FACTORIES},
    # The policy of a numbered name never changes: when `legate` gets a new policy, this name keeps the current one.
    "legate-2": LegateAgent,
}
"""Factories of the agents by their names in agent specs."""
