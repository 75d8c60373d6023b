"""The agents of Romans Go Home! by name."""

from __future__ import annotations

from collections.abc import Callable

from romans_agents.base import Agent
from romans_agents.romans_go_home.flat_mc import FlatMCAgent
from romans_agents.romans_go_home.ismcts import ISMCTSAgent
from romans_agents.romans_go_home.scripted import (
    GreedyAgent,
    HoarderAgent,
    LegionaryAgent,
    MixerAgent,
    SchemerAgent,
    SkirmisherAgent,
)
from romans_agents.romans_go_home.trained.legate import LegateAgent

AGENTS: dict[str, Callable[..., Agent]] = {
    factory.name: factory
    for factory in (
        GreedyAgent,
        HoarderAgent,
        LegionaryAgent,
        SkirmisherAgent,
        MixerAgent,
        SchemerAgent,
        LegateAgent,
        FlatMCAgent,
        ISMCTSAgent,
    )
}
"""Factories by the names that agent specs have."""
