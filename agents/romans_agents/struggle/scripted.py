"""The scripted agents of Struggle for Rome; they share `heuristics` and differ in their weights, `styles`."""

from __future__ import annotations

from romans_agents import scripted_agent
from romans_agents.loops.codes import FIRST_OWN
from romans_agents.struggle import compiled_agents, styles


class _StruggleScriptedAgent(scripted_agent.ScriptedAgent):
    """Base class of agents that choose the legal action with the highest score."""

    compiled_for = "struggle"
    choose = staticmethod(compiled_agents.choose)


class ChieftainAgent(_StruggleScriptedAgent, name="chieftain", code=FIRST_OWN + styles.CHIEFTAIN):
    """Plays all strategies, counters, kingdoms, development cards and trade, with balanced weights."""


class PlundererAgent(_StruggleScriptedAgent, name="plunderer", code=FIRST_OWN + styles.PLUNDERER):
    """Collects counters of all five colours with both tribes before it founds kingdoms."""


class KingdomBuilderAgent(_StruggleScriptedAgent, name="kingdom-builder", code=FIRST_OWN + styles.KINGDOM_BUILDER):
    """Founds kingdoms as soon as it has three colours, and expands them to four cities each."""


class TraderAgent(_StruggleScriptedAgent, name="trader", code=FIRST_OWN + styles.TRADER):
    """Makes and accepts every trade offer that improves its hand."""
