"""The base class of agents that evaluate whole plans, and the random streams of searches."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.romans_go_home.round_start import undo_planning_in
from romans_env import View
from romans_env.romans_go_home.actions import DISCARD, PLACE
from romans_env.romans_go_home.material import HAND_SIZE, NONE, NUM_WARRIORS
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States

MOST_PLANS = 16384
"""The most plans that an agent caches."""
Plan = npt.NDArray[np.int64]
Streams = npt.NDArray[np.int64]


class PlanningAgent(Agent):
    """Base class of agents that make a plan at the first decision of a round and then follow it.

    The plan depends only on the seed and on what the seat knew at the start of the round. So an agent may play many
    games in any order, or be copied, and still makes the same plans; they are cached only to save time.
    """

    def seed(self, seed: int) -> None:
        self._seed = seed
        self._plans: OrderedDict[tuple[int, bytes], Plan] = OrderedDict()

    def act(self, view: View) -> int:
        action = self._planned_action(view)
        return self._act_without_plan(view) if action is None else action

    def _make_plan(self, root: States, seat: int, stream: Streams) -> Plan:
        """Make the seat's plan for a round: int64, shape ``(7,)``.

        ``root`` is the seat's private view at the start of the round, shape ``(1,)``.
        """
        raise NotImplementedError

    def _act_without_plan(self, view: View) -> int:
        """Return the action in the attack, or in planning if the warriors laid so far differ from the agent's plan."""
        raise NotImplementedError

    def _planned_action(self, view: View) -> int | None:
        """Return the next action of the plan; None if the seat is not planning, or has laid other warriors."""
        if view.states[0]["phase"] not in (PHASE_DISCARD, PHASE_PLACE):
            return None
        plan = self._plan(view)[None]
        return int(next_actions(plan, view)[0]) if agreeing(plan, view)[0] else None

    def _plan(self, view: View) -> Plan:
        root = view.states.copy()
        undo_planning_in(root, 0, view.seat)
        key = (view.seat, root.tobytes())
        if key in self._plans:
            self._plans.move_to_end(key)
            return self._plans[key]
        plan = self._plans[key] = self._make_plan(root, view.seat, stream_for(root, self._seed))
        if len(self._plans) > MOST_PLANS:
            self._plans.popitem(last=False)
        return plan


def agreeing(plans: npt.NDArray[Any], view: View) -> npt.NDArray[np.bool_]:
    """Return which plans agree with what a planning seat has already laid.

    Args:
        plans: integers, shape ``(n, 7)``.
        view: the view of the planning seat.

    Returns:
        True for plans that agree: bool, shape ``(n,)``.
    """
    state, seat = view.states[0], view.seat
    slot = int(state["slot"]) if state["phase"] == PHASE_PLACE else 0
    aside = state["set_aside"][state["round_index"], seat]
    is_aside = (aside == NONE) | (plans[:, state["line_size"]] == aside)
    return np.asarray(is_aside & (plans[:, :slot] == state["line"][seat, :slot]).all(axis=1))


def next_actions(plans: npt.NDArray[Any], view: View) -> npt.NDArray[np.int64]:
    """Return the next action of each plan for a planning seat.

    Args:
        plans: plans that agree with what the seat has laid, integers, shape ``(n, 7)``.
        view: the view of the planning seat.

    Returns:
        Action ids: int64, shape ``(n,)``.
    """
    state = view.states[0]
    if state["phase"] == PHASE_PLACE:
        return np.asarray(PLACE + plans[:, state["slot"]].astype(np.int64))
    return np.asarray(DISCARD + plans[:, state["line_size"]].astype(np.int64))


def stream_for(private: States, seed: int) -> Streams:
    """Return a random stream, int64, shape ``(1, 4)``, derived from a seed and a redacted record, shape ``(1,)``."""
    words = np.random.SeedSequence([seed, zlib.crc32(private.tobytes()), zlib.adler32(private.tobytes())])
    return words.generate_state(4, np.uint32).astype(np.int64).reshape(1, 4)


def own_plans(root: States, seat: int) -> npt.NDArray[np.int8]:
    """Return all distinct plans of a seat's hand at the start of a round: int8, shape ``(n, 7)``.

    Args:
        root: the record at the start of the round, full or redacted for the seat, shape ``(1,)``.
        seat: the seat.
    """
    cards = np.repeat(np.arange(NUM_WARRIORS), root[0]["hand"][seat])
    plans = np.array(sorted(set(permutations(cards.tolist()))), dtype=np.int8)
    return np.pad(plans, ((0, 0), (0, HAND_SIZE - len(cards))))
