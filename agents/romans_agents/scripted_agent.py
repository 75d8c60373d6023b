"""Base class of scripted agents, whose choices a compiled function makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from romans_agents.base import Agent
from romans_env import View
from romans_env.core.state_records import copied
from romans_env.engine.step_functions import Integer


class ScriptedAgent(Agent):
    """Base class of scripted agents: a compiled function chooses the action from a private view.

    Attributes:
        code: the number by which compiled loops know the agent. It is an argument of the class statement, as in
            ``class RaiderAgent(ScriptedAgent, name="raider", code=RAIDER)``. A subclass without this argument has no
            ``compiled_code`` and plays in Python only, because its choices may differ from the compiled agent's.
        choose: the compiled function. ``choose(views, code)`` returns the action of the seat to act in ``views[0]``, a
            private view that the function may overwrite.
    """

    code: int
    choose: Callable[[Any, int], Integer]

    def __init_subclass__(cls, name: str = "", code: int | None = None, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if code is not None:
            cls.name, cls.code, cls.compiled_code = name, code, code

    def act(self, view: View) -> int:
        return int(self.choose(copied(view.states), self.code))
