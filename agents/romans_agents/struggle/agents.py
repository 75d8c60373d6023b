"""The agents of Struggle for Rome by name."""

from __future__ import annotations

from collections.abc import Callable

from romans_agents.base import Agent
from romans_agents.struggle.scripted import ChieftainAgent, KingdomBuilderAgent, PlundererAgent, TraderAgent
from romans_agents.struggle.trained.odoacer import OdoacerAgent
from romans_agents.struggle.trained.stilicho import StilichoAgent

_FACTORIES = (ChieftainAgent, PlundererAgent, KingdomBuilderAgent, TraderAgent, OdoacerAgent, StilichoAgent)
AGENTS: dict[str, Callable[..., Agent]] = {factory.name: factory for factory in _FACTORIES}
"""Factories of the agents by their names in agent specs."""
