"""The agent that a game's scripted players are in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from romans_agents.base import Agent
from romans_env import View
from romans_env.core.state_records import copied
from romans_env.engine.step_functions import Integer


class ScriptedAgent(Agent):
    """An agent whose choice follows from a private view, by a compiled function; a subclass names its ``code``.

    Attributes:
        code: the number of the player, by which loops over many games know it, as in ``class RaiderAgent(ScriptedAgent,
            name="raider", code=RAIDER)``. A subclass that names none may choose otherwise, and is not compiled.
        choose: ``choose(views, code)``: the action of the seat that decides in ``views[0]``, a private view that may be
            used as scratch.
    """

    code: int
    choose: Callable[[Any, int], Integer]

    def __init_subclass__(cls, name: str = "", code: int | None = None, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if code is not None:
            cls.name, cls.code, cls.compiled_code = name, code, code

    def act(self, view: View) -> int:
        """See `Agent.act`."""
        return int(self.choose(copied(view.states), self.code))
