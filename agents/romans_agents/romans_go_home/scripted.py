"""The scripted players of Romans Go Home! as agents; `romans_agents.romans_go_home.styles` describes them."""

from __future__ import annotations

import numpy as np

from romans_agents import scripted_agent
from romans_agents.romans_go_home import compiled_agents, plan_search, styles
from romans_agents.romans_go_home.planning_agent import Plan, PlanningAgent, Streams
from romans_env import View
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import States


class RomansGoHomeScriptedAgent(scripted_agent.ScriptedAgent):
    """Base class of the scripted players that choose without random numbers."""

    compiled_for = "romans-go-home"

    choose = staticmethod(compiled_agents.choose)


class PlanSearchAgent(PlanningAgent, RomansGoHomeScriptedAgent):
    """Base class of the scripted players that evaluate plans by sampling (`romans_agents.romans_go_home.plan_search`).

    Args:
        seed: the seed of the samples.
    """

    def __init__(self, seed: int = 0):
        self.seed(seed)

    def _make_plan(self, root: States, seat: int, stream: Streams) -> Plan:
        plan = np.empty(HAND_SIZE, dtype=np.int64)
        records = np.repeat(root, plan_search.NUM_RECORDS)
        plan_search.make_plan_in(self.code, records, seat, plan, stream)
        return plan

    def _act_without_plan(self, view: View) -> int:
        return RomansGoHomeScriptedAgent.act(self, view)


class GreedyAgent(RomansGoHomeScriptedAgent, name="greedy", code=styles.GREEDY):
    """Arranges its warriors for the highest expected score (`romans_agents.romans_go_home.greedy`)."""


class HoarderAgent(RomansGoHomeScriptedAgent, name="hoarder", code=styles.HOARDER):
    """Saves its strength for the most valuable fort of the wall."""


class LegionaryAgent(RomansGoHomeScriptedAgent, name="legionary", code=styles.LEGIONARY):
    """Tries to capture three Legion forts, which win the game at once."""


class SkirmisherAgent(RomansGoHomeScriptedAgent, name="skirmisher", code=styles.SKIRMISHER):
    """Avoids Legion forts, which cost points, and plays Filchy on them."""


class MixerAgent(PlanSearchAgent, name="mixer", code=styles.MIXER):
    """Samples its plan from a mixed strategy close to an equilibrium."""


class SchemerAgent(PlanSearchAgent, name="schemer", code=styles.SCHEMER):
    """Plays a best response to plausible plans of its opponents.

    Args:
        seed: the seed of the samples.
        quick: whether to evaluate 12 plans against 12 samples instead of 32 against 32, which takes a seventh of the
            time; meant for training.
    """

    def __init__(self, seed: int = 0, quick: bool = False):
        super().__init__(seed)
        if quick:
            self.code = self.compiled_code = styles.QUICK_SCHEMER
