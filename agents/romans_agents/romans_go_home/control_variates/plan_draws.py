"""Plans that an agent might have laid instead: drawn anew, each independent of what it laid."""

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
"""Lines with the warrior set aside after them (`romans_agents.romans_go_home.plans`): shape (n, 7)."""
Draw = Callable[[States, np.random.Generator], Plans]
"""Draws a plan for the deciding seat of each game, which stands where it sets a warrior aside."""


def draw_of(agent: Agent, rules: RomansGoHome) -> Draw | None:
    """How plans of an agent are drawn; None for one whose policy is not known.

    Known are agents that state their action probabilities, scripted agents, and those that evaluate plans by samples of
    their own (`mixer`, `schemer`), whose plans are made anew with other samples. An agent of a user's own that states
    no probabilities may keep anything from decision to decision, and a search takes as long for a draw as for a move.
    """
    # Of a subclass that changes what a scripted agent does, only the parent is compiled.
    if agent.compiled_code is not None and isinstance(agent, RomansGoHomeScriptedAgent):
        return partial(searched_plans if isinstance(agent, PlanSearchAgent) else _scripted, agent.code)
    policy = stated_policy(agent, rules)
    return None if policy is None else partial(_stated, policy, rules.setup)


def stated_policy(agent: Agent, rules: RomansGoHome) -> Player | None:
    """Return the action probabilities of an agent that states them; None for any other.

    A class that chooses otherwise than the one whose probabilities it inherits states none.
    """
    if not has_action_probabilities(agent) or _place(agent, "act") < _place(agent, "action_probabilities"):
        return None
    return OpponentModel(agent, rules)


def _place(agent: Agent, name: str) -> int:
    """How far up among an agent's classes a method, or that for batches, is defined first."""
    names = (name, f"{name}_batch")
    return next(k for k, one in enumerate(type(agent).__mro__) if any(name in vars(one) for name in names))


def _scripted(agent_code: int, states: States, rng: np.random.Generator) -> Plans:
    """Return the plans of a scripted agent: one for a hand."""
    plans = np.zeros((len(states), HAND_SIZE), dtype=np.int8)
    playouts.scripted_plans(agent_code, states.copy(), plans)
    return plans


def _stated(policy: Player, table: Table, states: States, rng: np.random.Generator) -> Plans:
    """Plans by stated action probabilities, card by card."""
    return plans_laid(policy.probabilities, states.copy(), int(states["seat"][0]), table, rng)
