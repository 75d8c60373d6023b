"""The agents of a game with their options, for people who look for one."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any

from romans_agents import registry
from romans_env.games import DEFAULT_GAME

_PLACE = re.compile(r"\s*\(`[^`]*`\)")
"""A module that a docstring names in brackets."""


@dataclass(frozen=True)
class AgentDescription:
    """An agent that the registry knows.

    Attributes:
        name: its agent spec without options.
        summary: the first paragraph of its docstring; empty where it has none.
        options: what may follow the name in an agent spec, with the default of each.
        needed: options without a default.
    """

    name: str
    summary: str
    options: dict[str, Any]
    needed: tuple[str, ...] = ()


def describe_agents(game: str = DEFAULT_GAME) -> list[AgentDescription]:
    """The agents that play a game, by name.

    Raises:
        ValueError: no such game.
    """
    return [_description(name, game) for name in registry.names(game)]


def _description(name: str, game: str) -> AgentDescription:
    factory = registry.factory_of(name, game)
    parameters = registry.parameters_of(name, factory)
    defaults = {key: one.default for key, one in parameters.items() if one.default is not one.empty}
    needed = tuple(key for key in parameters if key not in defaults)
    first = (inspect.getdoc(factory) or "").partition("\n\n")[0]
    return AgentDescription(name, " ".join(_PLACE.sub("", first).split()), defaults, needed)
