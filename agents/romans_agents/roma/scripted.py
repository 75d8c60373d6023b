"""The scripted agents of Roma; they share `romans_agents.roma.heuristics` and differ in `romans_agents.roma.styles`."""

from __future__ import annotations

from romans_agents import scripted_agent
from romans_agents.loops.codes import FIRST_OWN
from romans_agents.roma import compiled_agents, styles


class _RomaScriptedAgent(scripted_agent.ScriptedAgent):
    """Base class of agents that choose the legal action with the highest score."""

    compiled_for = "roma"
    choose = staticmethod(compiled_agents.choose)


class ForumRunnerAgent(_RomaScriptedAgent, name="forum-runner", code=FIRST_OWN + styles.FORUM_RUNNER):
    """Collects points with forums, basilicas, templa, tribunes and legates."""


class RaiderAgent(_RomaScriptedAgent, name="raider", code=FIRST_OWN + styles.RAIDER):
    """Attacks the opponent's cards."""


class DenierAgent(_RomaScriptedAgent, name="denier", code=FIRST_OWN + styles.DENIER):
    """Fills its own discs and empties the opponent's, so that the opponent loses points for them."""
