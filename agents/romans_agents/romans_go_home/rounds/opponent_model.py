"""Opponent models: the action probabilities of other seats' agents, for many positions at once."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.batches.game_arrays import code_of
from romans_agents.errors import raised_by
from romans_agents.loops import agent_loops
from romans_agents.loops.codes import EXTERNAL, RANDOM
from romans_agents.romans_go_home import compiled_agents
from romans_agents.romans_go_home.planning_agent import PlanningAgent, agreeing, next_actions, stream_for
from romans_agents.romans_go_home.round_start import undo_planning_in
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.plan_distributions import Floats, Plans, hand_of
from romans_agents.romans_go_home.rounds.round_networks import round_networks
from romans_env import RomansGoHome, View
from romans_env.compiling.templates import bound
from romans_env.romans_go_home import step
from romans_env.romans_go_home.actions import NUM_ACTIONS
from romans_env.romans_go_home.observation import OBSERVATION_SIZE
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States

SAMPLES = 48
"""Number of plans sampled for each hand of an agent that randomizes its plans, but gives no probabilities."""
SEARCH_SAMPLES = 4
"""The same for an agent that searches."""
_MOST_SAMPLED = 512
_LOOPS = bound(agent_loops, game=step, players=compiled_agents)


def hashes_of(states: States, seats: npt.NDArray[np.int64] | int) -> npt.NDArray[np.int64]:
    """Return a hash of a seat's private view in every game.

    Args:
        states: records, shape ``(n,)``.
        seats: the seat in each game, int64, shape ``(n,)``, or one for all; NONE for records already redacted.

    Returns:
        Hashes: int64, shape ``(n,)``.
    """
    hashes = np.empty(len(states), dtype=np.int64)
    scratch = np.empty(1, dtype=states.dtype)
    owners = np.broadcast_to(np.asarray(seats, dtype=np.int64), len(states)).copy()
    record_loops.view_hashes(states, scratch, scratch.view(np.int64).reshape(1, -1), owners, hashes)
    return hashes


def observed(states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Return the observations, int8, shape ``(n, OBSERVATION_SIZE)``, and the action masks of the seats to act.

    The masks are int8, shape ``(n, NUM_ACTIONS)``; ``states`` are records, shape ``(n,)``.
    """
    observations = np.zeros((len(states), OBSERVATION_SIZE), dtype=np.int8)
    masks = np.zeros((len(states), NUM_ACTIONS), dtype=np.int8)
    _LOOPS.observe_games(states, np.arange(len(states)), observations, masks)
    return observations, masks


def rollout_actions(states: States) -> npt.NDArray[np.int64]:
    """Return the actions of the seats to act in the attack of rollouts: int64, shape ``(n,)``.

    `romans_agents.romans_go_home.rounds.compiled.attack` describes them; ``states`` are records, shape ``(n,)``.
    """
    actions = np.empty(len(states), dtype=np.int64)
    record_loops.rollout_actions(states, round_networks(), actions)
    return actions


class Player(Protocol):
    """A model of the other seats, which gives action probabilities."""

    def probabilities(self, states: States) -> Floats:
        """Return the action probabilities of the seat to act in each game.

        Args:
            states: records of full states, shape ``(n,)``.

        Returns:
            Probabilities: float64, shape ``(n, NUM_ACTIONS)``.
        """
        ...


class RolloutPlayer:
    """Chooses as all seats do in the attack of rollouts (`romans_agents.romans_go_home.rounds.compiled.attack`)."""

    def probabilities(self, states: States) -> Floats:
        """Return probability 1 for the action chosen in rollouts: float64, shape ``(n, NUM_ACTIONS)``."""
        return np.asarray(np.eye(NUM_ACTIONS)[rollout_actions(states)])


class MixedPlayer(NamedTuple):
    """A mixture of two players: at every decision, the first one plays with probability ``share``."""

    first: Player
    second: Player
    share: float

    def probabilities(self, states: States) -> Floats:
        """Return the mixed action probabilities: float64, shape ``(n, NUM_ACTIONS)``."""
        return self.share * self.first.probabilities(states) + (1 - self.share) * self.second.probabilities(states)


class OpponentModel:
    """The action probabilities of an agent.

    - Policies, `random` and the scripted agents give their probabilities.
    - An agent with a method ``mixed_plans(root, seat)`` gives the probabilities of its plans; its attribute
      ``in_attack`` may be the policy that decides in the attack.
    - For an agent that randomizes its plans without giving probabilities (`mixer`, `schemer`, `plan-mc`), they are
      estimated from plans sampled with different seeds.
    - Any other agent is taken to be deterministic.

    Args:
        agent: the agent.
        rules: the game with its setup.
        samples: the number of plans sampled for each hand, if plans are sampled; None for `SAMPLES`, or
            `SEARCH_SAMPLES` if the agent searches.
    """

    def __init__(self, agent: Agent, rules: RomansGoHome, samples: int | None = None):
        self.agent, self.rules = agent, rules
        self._samples = (SEARCH_SAMPLES if agent.searches else SAMPLES) if samples is None else samples
        self._code = code_of(rules, agent)
        self._plans: OrderedDict[bytes, npt.NDArray[np.int64]] = OrderedDict()

    def probabilities(self, states: States) -> Floats:
        """Return the agent's action probabilities for the seat to act in each game.

        Args:
            states: records of full states, shape ``(n,)``; the agent only gets the private view of the seat to act.

        Returns:
            Probabilities: float64, shape ``(n, NUM_ACTIONS)``.
        """
        if len(states) == 0:
            return np.zeros((0, NUM_ACTIONS))
        hashes = hashes_of(states, states["seat"].astype(np.int64))
        _, first, inverse = np.unique(hashes, return_index=True, return_inverse=True)
        with raised_by(self.agent):
            return self._of_different(states[first])[inverse]

    def mixed_plans(self, root: States, seat: int) -> Plans | None:
        """Return the distribution of the agent's plans over all hands, if it has ``mixed_plans``; otherwise None.

        Args:
            root: a game at the start of the round, shape ``(1,)``.
            seat: the planning seat.
        """
        agent: Any = self.agent
        return agent.mixed_plans(root, seat) if hasattr(agent, "mixed_plans") else None

    def _of_different(self, states: States) -> Floats:
        if not isinstance(self.agent, PlanningAgent):
            return self._without_plans(states)
        planning = np.isin(states["phase"], (PHASE_DISCARD, PHASE_PLACE))
        found = np.zeros((len(states), NUM_ACTIONS))
        for k in np.flatnonzero(planning):
            found[k] = self._of_sampled_plans(states[k : k + 1])
        if not planning.all():
            found[~planning] = self._without_plans(states[~planning])
        return found

    def _without_plans(self, states: States) -> Floats:
        """Return the probabilities of single decisions, in one batch if possible, of the agent or its ``in_attack``."""
        agent: Any = getattr(self.agent, "in_attack", self.agent)
        if self._code == RANDOM or hasattr(agent, "action_probabilities_batch"):
            observations, masks = observed(states)
            if self._code == RANDOM:
                return masks / masks.sum(axis=1, keepdims=True)
            return np.asarray(agent.action_probabilities_batch(observations, masks), dtype=np.float64)
        if self._code == EXTERNAL:
            return np.array([agent.action_probabilities(self._view(states, k)) for k in range(len(states))])
        actions = np.empty(len(states), dtype=np.int64)
        record_loops.scripted_actions(self._code, states, np.empty(1, dtype=states.dtype), actions)
        return np.asarray(np.eye(NUM_ACTIONS)[actions])

    def _view(self, states: States, k: int) -> View:
        seat = int(states["seat"][k])
        return View(self.rules, self.rules.redacted_for(states, k, seat), seat)

    def _of_sampled_plans(self, state: States) -> Floats:
        """Return how often each action comes next among the plans that agree with the line; uniform if none agrees."""
        view = self._view(state, 0)
        plans, weights = self._plans_of_view(view)
        agrees = agreeing(plans, view)
        cards, weights = next_actions(plans[agrees], view), weights[agrees]
        probabilities = np.zeros(NUM_ACTIONS)
        if len(cards) == 0:
            cards = np.array(view.legal_actions())
            weights = np.ones(len(cards))
        np.add.at(probabilities, cards, weights / weights.sum())
        return probabilities

    def _plans_of_view(self, view: View) -> tuple[npt.NDArray[Any], Floats]:
        """Return plans for the seat's hand at the start of the round with weights: the agent's own, or sampled ones."""
        root = view.states.copy()
        undo_planning_in(root, 0, view.seat)
        if (known := self.mixed_plans(root, view.seat)) is None:
            sampled = self._sampled_plans(root, view.seat)
            return sampled, np.ones(len(sampled))
        return known.of_hand(hand_of(root, view.seat))

    def _sampled_plans(self, root: States, seat: int) -> npt.NDArray[np.int64]:
        """Return plans that the agent makes with different seeds: int64, shape (samples, 7)."""
        agent: Any = self.agent
        key = root.tobytes()
        if key not in self._plans:
            made = [agent._make_plan(root, seat, stream_for(root, seed)) for seed in range(self._samples)]
            self._plans[key] = np.array(made)
            if len(self._plans) > _MOST_SAMPLED:
                self._plans.popitem(last=False)
        return self._plans[key]
