"""Plans kept from one decision of a round's planning to the next, for agents that evaluate whole plans."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.planning_root import rewind_view
from romans_env import View
from romans_env.romans_go_home.actions import DISCARD, PLACE
from romans_env.romans_go_home.cards import NONE
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States

Plan = npt.NDArray[np.int64]
Streams = npt.NDArray[np.int64]


class PlanMemory:
    """Makes a plan when a seat is first asked in a round, and gives the actions that lay it.

    The plan depends on the seed and on what the seat knew when the round began, and on nothing else: an agent may play
    many games in any order, forget, or be copied, and plans the same. What is kept only saves the work.

    Args:
        make: given a redacted record at the start of the round, shape (1,), the seat and a stream, makes the plan.
        size: how many plans are kept.
    """

    def __init__(self, make: Callable[[States, int, Streams], Plan], size: int = 16384):
        self._make, self._size = make, size
        self._plans: OrderedDict[tuple[int, bytes], Plan] = OrderedDict()
        self.seed(0)

    def seed(self, seed: int) -> None:
        """Decide the chance in the plans to come."""
        self._seed = seed
        self._plans.clear()

    def action(self, view: View) -> int | None:
        """The next action of the plan; None when the seat is not planning, or what is there is not of this plan."""
        state = view.states[0]
        if state["phase"] not in (PHASE_DISCARD, PHASE_PLACE):
            return None
        plan = self._plan(view)
        if state["phase"] == PHASE_DISCARD:
            return DISCARD + int(plan[state["line_size"]])
        slot, line = int(state["slot"]), state["line"][view.seat]
        aside = state["set_aside"][state["round_index"], view.seat]
        if aside not in (NONE, plan[state["line_size"]]) or not np.array_equal(line[:slot], plan[:slot]):
            return None
        return PLACE + int(plan[slot])

    def _plan(self, view: View) -> Plan:
        root = view.states.copy()
        rewind_view(root, 0, view.seat)
        key = (view.seat, root.tobytes())
        if key in self._plans:
            self._plans.move_to_end(key)
            return self._plans[key]
        plan = self._make(root, view.seat, stream_for(root, self._seed))
        self._plans[key] = plan
        if len(self._plans) > self._size:
            self._plans.popitem(last=False)
        return plan


def stream_for(hidden: States, seed: int) -> Streams:
    """A stream of chance, shape (1, 4), decided by a seed and a redacted record: the same view, the same draws."""
    words = np.random.SeedSequence([seed, zlib.crc32(hidden.tobytes()), zlib.adler32(hidden.tobytes())])
    return words.generate_state(4, np.uint32).astype(np.int64).reshape(1, 4)
