"""Plans that an agent might have laid instead: drawn anew, each independent of what it laid."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent, has_action_probabilities
from romans_agents.romans_go_home import plan_search
from romans_agents.romans_go_home.control_variates.kernels import playouts
from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_agents.romans_go_home.rounds.rival import Player, Rival
from romans_agents.romans_go_home.scripted import PlanSearchAgent, ScriptedAgent
from romans_env import RomansGoHome
from romans_env.romans_go_home.actions import NUM_ACTIONS
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import States

Plans = npt.NDArray[np.int8]
"""Lines with the warrior set aside after them (`romans_agents.romans_go_home.plans`): shape (n, 7)."""
Draw = Callable[[States, np.random.Generator], Plans]
"""Draws a plan for the deciding seat of each game, which stands where it sets a warrior aside."""
_BITS = np.arange(NUM_ACTIONS, dtype=np.int64)


def draw_of(agent: Agent, rules: RomansGoHome) -> Draw | None:
    """How plans of an agent are drawn; None for one whose policy is not known.

    Known are agents that state their action probabilities, scripted agents, and those that evaluate plans by samples of
    their own (`mixer`, `schemer`), whose plans are made anew with other samples. An agent of a user's own that states
    no probabilities may keep anything from decision to decision, and a search takes as long for a draw as for a move.
    """
    # Of a subclass that changes what a scripted agent does, only the parent is compiled.
    if agent.compiled_code is not None and isinstance(agent, ScriptedAgent):
        return (_Searched if isinstance(agent, PlanSearchAgent) else _Scripted)(agent.agent_code)
    policy = stated_policy(agent, rules)
    return None if policy is None else _Stated(policy)


def stated_policy(agent: Agent, rules: RomansGoHome) -> Player | None:
    """The action probabilities of an agent that states them; None for any other.

    A class that chooses otherwise than the one whose probabilities it inherits states none.
    """
    if not has_action_probabilities(agent) or _place(agent, "act") < _place(agent, "action_probabilities"):
        return None
    return Rival(agent, rules)


def _place(agent: Agent, name: str) -> int:
    """How far up among an agent's classes a method, or that for batches, is defined first."""
    names = (name, f"{name}_batch")
    return next(k for k, one in enumerate(type(agent).__mro__) if any(name in vars(one) for name in names))


class _Scripted:
    """The plans of a scripted agent: one for a hand."""

    def __init__(self, agent_code: int):
        self._code = agent_code

    def __call__(self, states: States, rng: np.random.Generator) -> Plans:
        plans = np.zeros((len(states), HAND_SIZE), dtype=np.int8)
        playouts.scripted_plans(self._code, states.copy(), plans)
        return plans


class _Searched:
    """The plans of an agent that evaluates plans by samples."""

    def __init__(self, agent_code: int):
        self._code = agent_code

    def __call__(self, states: States, rng: np.random.Generator) -> Plans:
        plans = np.zeros((len(states), HAND_SIZE), dtype=np.int64)
        records = np.empty(plan_search.NUM_RECORDS, dtype=states.dtype)
        streams = rng.integers(0, 2**32, size=(1, 4), dtype=np.int64)
        seats = states["seat"].tolist()
        for k, seat in enumerate(seats):
            records[:] = states[k]
            RomansGoHome.kernels.redact(records, 0, seat)
            plan_search.make_plan_in(self._code, records, seat, plans[k], streams)
        return plans.astype(np.int8)


class _Stated:
    """Plans by stated action probabilities, card by card."""

    def __init__(self, policy: Player):
        self._policy = policy

    def __call__(self, states: States, rng: np.random.Generator) -> Plans:
        states = states.copy()
        size = int(states["line_size"][0])
        rows = np.arange(len(states))
        seats = states["seat"].astype(np.int64)
        while True:
            # A plan is decided once a single kind is left; the rules lay the rest.
            legal = (states["legal"][:, None] >> _BITS) & 1
            open_rows = np.flatnonzero((legal.sum(axis=1) > 0) & (states["slot"] < size))
            if not len(open_rows):
                break
            actions = legal[open_rows].argmax(axis=1)
            asked = legal[open_rows].sum(axis=1) > 1
            chances = self._policy.probabilities(states[open_rows[asked]])
            actions[asked] = sampled(chances, rng)
            part = states[open_rows]
            kernels.plan_each(part, actions)
            states[open_rows] = part
        plans = np.zeros((len(states), HAND_SIZE), dtype=np.int8)
        plans[:, :size] = states["line"][rows, seats, :size]
        plans[:, size] = states["set_aside"][rows, states["round_index"], seats]
        return plans


def sampled(chances: npt.NDArray[np.float64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """A column of each row, drawn with the row's probabilities."""
    sums = np.cumsum(chances, axis=1)
    return (sums <= rng.random((len(chances), 1)) * sums[:, -1:]).sum(axis=1)
