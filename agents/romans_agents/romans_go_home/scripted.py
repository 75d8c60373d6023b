"""The scripted players as agents. Each is described in its module: `greedy`, `hoarder`, `legionary`, `skirmisher`,
`mixer` and `schemer`."""

from __future__ import annotations

import numpy as np

from romans_agents.base import Agent
from romans_agents.romans_go_home import characters, compiled_games, weighing
from romans_agents.romans_go_home.plan_memory import Plan, PlanMemory, Streams
from romans_agents.romans_go_home.round_lab import NUM_RECORDS
from romans_env import View
from romans_env.romans_go_home.cards import HAND_SIZE
from romans_env.romans_go_home.state import States


class ScriptedAgent(Agent):
    """A player whose choices follow from what it sees, without chance."""

    character: int

    def act(self, view: View) -> int:
        return int(compiled_games.act_scripted(self.character, view.states.copy(), 0, view.seat))


class PlanningAgent(ScriptedAgent):
    """A player that evaluates whole plans, with chance in it.

    Args:
        seed: the seed of its chance.
    """

    def __init__(self, seed: int = 0):
        self._memory = PlanMemory(self._make_plan)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        self._memory.seed(seed)

    def act(self, view: View) -> int:
        action = self._memory.action(view)
        return super().act(view) if action is None else action

    def _make_plan(self, root: States, seat: int, stream: Streams) -> Plan:
        records = np.repeat(root, NUM_RECORDS)
        plan = np.empty(HAND_SIZE, dtype=np.int64)
        weighing.weigh_plan(self.character, records, seat, plan, stream, 0)
        return plan


class GreedyAgent(ScriptedAgent):
    """Arranges its warriors for the highest expected score (`romans_agents.romans_go_home.greedy`)."""

    name = "greedy"
    compiled_code = character = characters.GREEDY


class HoarderAgent(ScriptedAgent):
    """Saves up for the big fort (`romans_agents.romans_go_home.hoarder`)."""

    name = "hoarder"
    compiled_code = character = characters.HOARDER


class LegionaryAgent(ScriptedAgent):
    """Goes for three Legion forts (`romans_agents.romans_go_home.legionary`)."""

    name = "legionary"
    compiled_code = character = characters.LEGIONARY


class SkirmisherAgent(ScriptedAgent):
    """Keeps out of Legion forts, and plays Filchy on them (`romans_agents.romans_go_home.skirmisher`)."""

    name = "skirmisher"
    compiled_code = character = characters.SKIRMISHER


class MixerAgent(PlanningAgent):
    """Draws its plan from a mix close to an equilibrium (`romans_agents.romans_go_home.mixer`)."""

    name = "mixer"
    compiled_code = character = characters.MIXER


class SchemerAgent(PlanningAgent):
    """Plans against what its rivals may well plan (`romans_agents.romans_go_home.schemer`).

    Args:
        seed: the seed of its chance.
        quick: evaluate 12 plans against 12 draws instead of 32 against 32, in a seventh of the time, for training.
    """

    name = "schemer"
    compiled_code = character = characters.SCHEMER

    def __init__(self, seed: int = 0, quick: bool = False):
        super().__init__(seed)
        if quick:
            self.compiled_code = self.character = characters.QUICK_SCHEMER
