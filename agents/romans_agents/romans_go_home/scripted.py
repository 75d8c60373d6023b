"""The scripted players of Romans Go Home! as agents; `styles` describes each."""

from __future__ import annotations

import numpy as np

from romans_agents import scripted_agent
from romans_agents.romans_go_home import compiled_agents, plan_search, styles
from romans_agents.romans_go_home.planning_agent import Plan, PlanningAgent, Streams
from romans_env import View
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import States


class RomansGoHomeScriptedAgent(scripted_agent.ScriptedAgent):
    """A player whose choices follow from what it sees, without chance; `compiled_agents` describes each."""

    compiled_for = "romans-go-home"

    choose = staticmethod(compiled_agents.choose)


class PlanSearchAgent(PlanningAgent, RomansGoHomeScriptedAgent):
    """A scripted player that evaluates whole plans, with chance in it; `plan_search` describes each.

    Args:
        seed: the seed of its chance.
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
    """Saves up for the big fort."""


class LegionaryAgent(RomansGoHomeScriptedAgent, name="legionary", code=styles.LEGIONARY):
    """Goes for three Legion forts."""


class SkirmisherAgent(RomansGoHomeScriptedAgent, name="skirmisher", code=styles.SKIRMISHER):
    """Keeps out of Legion forts, and plays Filchy on them."""


class MixerAgent(PlanSearchAgent, name="mixer", code=styles.MIXER):
    """Samples its plan from a mix close to an equilibrium."""


class SchemerAgent(PlanSearchAgent, name="schemer", code=styles.SCHEMER):
    """Plans against what its rivals may well plan.

    Args:
        seed: the seed of its chance.
        quick: evaluate 12 plans against 12 samples instead of 32 against 32, in a seventh of the time, for training.
    """

    def __init__(self, seed: int = 0, quick: bool = False):
        super().__init__(seed)
        if quick:
            self.code = self.compiled_code = styles.QUICK_SCHEMER
