"""The scripted agents of Struggle for Rome: `tactics` scores actions, `styles` has the weights in which they differ."""

from __future__ import annotations

from romans_agents.base import Agent
from romans_agents.loops.codes import FIRST_OWN
from romans_agents.struggle import compiled_agents, styles
from romans_env import View


class ScriptedAgent(Agent):
    """An agent that takes the legal action of the highest score: its choice is a function of the private view."""

    compiled_for = "struggle"
    style: int

    def act(self, view: View) -> int:
        return int(compiled_agents.choose(view.states.copy(), self.compiled_code))


class ChieftainAgent(ScriptedAgent):
    """The all-rounder: counters, kingdoms, development cards and trade, each for what it is worth."""

    name = "chieftain"
    style = styles.CHIEFTAIN
    compiled_code = FIRST_OWN + style


class PlundererAgent(ScriptedAgent):
    """Gathers counters of all five colours with both tribes before it founds kingdoms."""

    name = "plunderer"
    style = styles.PLUNDERER
    compiled_code = FIRST_OWN + style


class KingdomBuilderAgent(ScriptedAgent):
    """Founds kingdoms with three colours, and expands them to four cities each."""

    name = "kingdom-builder"
    style = styles.KINGDOM_BUILDER
    compiled_code = FIRST_OWN + style


class TraderAgent(ScriptedAgent):
    """Makes and accepts every offer that adds anything to its hand."""

    name = "trader"
    style = styles.TRADER
    compiled_code = FIRST_OWN + style
