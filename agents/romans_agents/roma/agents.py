"""The agents of Roma by name."""

from __future__ import annotations

from collections.abc import Callable

from romans_agents.base import Agent
from romans_agents.roma.expectimax import ExpectimaxAgent
from romans_agents.roma.scripted import DenierAgent, ForumRunnerAgent, RaiderAgent

AGENTS: dict[str, Callable[..., Agent]] = {
    factory.name: factory for factory in (ForumRunnerAgent, RaiderAgent, DenierAgent, ExpectimaxAgent)
}
"""Factories by the names that agent specs have."""
