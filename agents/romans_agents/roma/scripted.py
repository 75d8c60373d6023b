"""The scripted agents of Roma: `tactics` has their rules of thumb, `styles` says how they differ."""

from __future__ import annotations

from romans_agents.base import Agent
from romans_agents.loops.codes import FIRST_OWN
from romans_agents.roma import compiled_agents, styles
from romans_env import View


class ScriptedAgent(Agent):
    """An agent that takes the legal action of the highest score: its choice is a function of the private view."""

    compiled_for = "roma"
    style: int

    def act(self, view: View) -> int:
        return int(compiled_agents.choose(view.states.copy(), self.compiled_code))


class ForumRunnerAgent(ScriptedAgent):
    """Gathers points: forums with basilicas and templa, tribunes, legates."""

    name = "forum-runner"
    style = styles.FORUM_RUNNER
    compiled_code = FIRST_OWN + style


class RaiderAgent(ScriptedAgent):
    """Attacks the rival's cards."""

    name = "raider"
    style = styles.RAIDER
    compiled_code = FIRST_OWN + style


class DenierAgent(ScriptedAgent):
    """Fills its own discs, and empties the rival's, so that the rival pays for them."""

    name = "denier"
    style = styles.DENIER
    compiled_code = FIRST_OWN + style
