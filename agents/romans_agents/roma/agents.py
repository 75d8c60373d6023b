"""The agents of Roma by name."""

from __future__ import annotations

from collections.abc import Callable

from romans_agents.base import Agent
from romans_agents.roma.expectimax import ExpectimaxAgent
from romans_agents.roma.scripted import DenierAgent, ForumRunnerAgent, RaiderAgent
from romans_agents.roma.trained.quaestor import QuaestorAgent
from romans_agents.searches.policy_rollouts import PolicyRolloutsAgent


class _RomaPolicyRolloutsAgent(PolicyRolloutsAgent):
    """Rollouts of a policy in Roma."""

    __doc__ = PolicyRolloutsAgent.__doc__
    game = "roma"

    def __init__(
        self,
        policy: str = QuaestorAgent.name,
        iterations: int = 100,
        seconds: float | None = None,
        candidates: int = 6,
        value_weight: float = 80.0,
        seed: int = 0,
        turns: int = 1,
        prior_floor: float = 0.0,
    ):
        super().__init__(policy, iterations, seconds, candidates, value_weight, seed, turns, prior_floor)


_FACTORIES = (ForumRunnerAgent, RaiderAgent, DenierAgent, ExpectimaxAgent, QuaestorAgent, _RomaPolicyRolloutsAgent)
AGENTS: dict[str, Callable[..., Agent]] = {factory.name: factory for factory in _FACTORIES}
"""Factories of the agents by their names in agent specs."""
