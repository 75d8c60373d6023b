"""The agents of Romans Go Home! by name."""

from __future__ import annotations

from collections.abc import Callable

from romans_agents.base import Agent
from romans_agents.romans_go_home.flat_mc import FlatMCAgent
from romans_agents.romans_go_home.ismcts import ISMCTSAgent
from romans_agents.romans_go_home.rounds.solver import RoundSolverAgent
from romans_agents.romans_go_home.scripted import (
    GreedyAgent,
    HoarderAgent,
    LegionaryAgent,
    MixerAgent,
    SchemerAgent,
    SkirmisherAgent,
)
from romans_agents.romans_go_home.trained.legate import LegateAgent
from romans_agents.romans_go_home.trained.legate_1 import Legate1Agent
from romans_agents.romans_go_home.trained.legate_2 import Legate2Agent

_FACTORIES = (
    *(GreedyAgent, HoarderAgent, LegionaryAgent, SkirmisherAgent, MixerAgent, SchemerAgent),
    *(LegateAgent, Legate1Agent, Legate2Agent, FlatMCAgent, ISMCTSAgent, RoundSolverAgent),
)
AGENTS: dict[str, Callable[..., Agent]] = {factory.name: factory for factory in _FACTORIES}
"""Factories by the names that agent specs have."""
