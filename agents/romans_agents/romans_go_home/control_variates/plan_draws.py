"""Samples of the plans that an agent might have laid instead, independent of the plan that it did lay."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent, has_action_probabilities
from romans_agents.romans_go_home.control_variates.compiled import playouts
from romans_agents.romans_go_home.rounds.beliefs import plans_laid
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel, Player
from romans_agents.romans_go_home.rounds.opponents import searched_plans
from romans_agents.romans_go_home.scripted import PlanSearchAgent, RomansGoHomeScriptedAgent
from romans_env import RomansGoHome, Table
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import States

Plans = npt.NDArray[np.int8]
"""Plans (`romans_agents.romans_go_home.plans`): int8, shape ``(n, 7)``."""
Draw = Callable[[States, np.random.Generator], Plans]
"""Draws a plan for the seat to act in each game, which is about to plan."""


def draw_of(agent: Agent, rules: RomansGoHome) -> Draw | None:
    """Return a function that draws plans of an agent; None for an agent whose policy is not known.

    Policies are known for agents that give their action probabilities, for scripted agents, and for agents that
    evaluate plans by samples (`mixer`, `schemer`), whose plans are made again with new samples. They are not known for
    other agents: one that gives no probabilities may have memory, and a search would take as long for a sample as for a
    decision.
    """
    # A subclass that changes a scripted agent has no compiled code, as only its parent is compiled.
    if agent.compiled_code is not None and isinstance(agent, RomansGoHomeScriptedAgent):
        return partial(searched_plans if isinstance(agent, PlanSearchAgent) else _scripted, agent.code)
    policy = stated_policy(agent, rules)
    return None if policy is None else partial(_stated, policy, rules.setup)


def stated_policy(agent: Agent, rules: RomansGoHome) -> Player | None:
    """Return the policy of an agent that gives its action probabilities; None for any other agent.

    A subclass that overrides ``act``, but inherits ``action_probabilities``, does not count.
    """
    if not has_action_probabilities(agent) or _place(agent, "act") < _place(agent, "action_probabilities"):
        return None
    return OpponentModel(agent, rules)


def _place(agent: Agent, name: str) -> int:
    """Return the index in the agent's method resolution order of the class that defines a method or its batch form."""
    names = (name, f"{name}_batch")
    return next(k for k, one in enumerate(type(agent).__mro__) if any(name in vars(one) for name in names))


def _scripted(agent_code: int, states: States, rng: np.random.Generator) -> Plans:
    """Return the plans of a scripted agent, which are the same whenever it has the same hand."""
    plans = np.zeros((len(states), HAND_SIZE), dtype=np.int8)
    playouts.scripted_plans(agent_code, states.copy(), plans)
    return plans


def _stated(policy: Player, table: Table, states: States, rng: np.random.Generator) -> Plans:
    """Draw a plan for each game, card by card, from an agent's action probabilities."""
    return plans_laid(policy.probabilities, states.copy(), int(states["seat"][0]), table, rng)
