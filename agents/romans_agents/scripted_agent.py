"""The agent that a game's scripted players are in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from romans_agents.base import Agent
from romans_env import View


class ScriptedAgent(Agent):
    """An agent whose choice follows from a private view, by a compiled function; a subclass names its ``code``.

    Attributes:
        code: the number of the player, by which loops over many games know it. A subclass that names none may choose
            otherwise, and is not compiled.
        choose: ``choose(views, code)``: the action of the seat that decides in ``views[0]``, a private view that may be
            used as scratch.
    """

    code: int
    choose: Callable[[Any, int], int]

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "code" in cls.__dict__:
            cls.compiled_code = cls.code

    def act(self, view: View) -> int:
        """See `Agent.act`."""
        return int(self.choose(view.states.copy(), self.code))
