"""The scripted agents of Struggle for Rome: `heuristics` scores actions, `styles` has the weights that differ."""

from __future__ import annotations

from romans_agents import scripted_agent
from romans_agents.loops.codes import FIRST_OWN
from romans_agents.struggle import compiled_agents, styles


class _StruggleScriptedAgent(scripted_agent.ScriptedAgent):
    """An agent that takes the legal action of the highest score."""

    compiled_for = "struggle"
    choose = staticmethod(compiled_agents.choose)


class ChieftainAgent(_StruggleScriptedAgent, name="chieftain", code=FIRST_OWN + styles.CHIEFTAIN):
    """The all-rounder: counters, kingdoms, development cards and trade, each for what it is worth."""


class PlundererAgent(_StruggleScriptedAgent, name="plunderer", code=FIRST_OWN + styles.PLUNDERER):
    """Gathers counters of all five colours with both tribes before it founds kingdoms."""


class KingdomBuilderAgent(_StruggleScriptedAgent, name="kingdom-builder", code=FIRST_OWN + styles.KINGDOM_BUILDER):
    """Founds kingdoms with three colours, and expands them to four cities each."""


class TraderAgent(_StruggleScriptedAgent, name="trader", code=FIRST_OWN + styles.TRADER):
    """Makes and accepts every offer that adds anything to its hand."""
