"""The scripted agents of Roma: `heuristics` has their rules of thumb, `styles` says how they differ."""

from __future__ import annotations

from romans_agents import scripted_agent
from romans_agents.loops.codes import FIRST_OWN
from romans_agents.roma import compiled_agents, styles


class _RomaScriptedAgent(scripted_agent.ScriptedAgent):
    """An agent that takes the legal action of the highest score."""

    compiled_for = "roma"
    choose = staticmethod(compiled_agents.choose)


class ForumRunnerAgent(_RomaScriptedAgent, name="forum-runner", code=FIRST_OWN + styles.FORUM_RUNNER):
    """Gathers points: forums with basilicas and templa, tribunes, legates."""


class RaiderAgent(_RomaScriptedAgent, name="raider", code=FIRST_OWN + styles.RAIDER):
    """Attacks the rival's cards."""


class DenierAgent(_RomaScriptedAgent, name="denier", code=FIRST_OWN + styles.DENIER):
    """Fills its own discs, and empties the rival's, so that the rival pays for them."""
