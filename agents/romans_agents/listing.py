"""The agents of a game with their options, for people who look for one."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

from romans_agents import registry
from romans_env.games import DEFAULT_GAME, spec_of

_PLACE = re.compile(r"\s*\(`[^`]*`\)")
"""A module that a docstring names in brackets."""


class Rating(NamedTuple):
    """How often an agent wins against the reference agent of its game, in measured games.

    Attributes:
        win_rate: in %, every deal from both seats; a shared win counts half.
        half_width: of the 95 % confidence interval, in %.
        options: of the agent spec that was measured; empty: the defaults.
        command: with which it was measured, in a checkout.
    """

    win_rate: float
    half_width: float
    options: str
    command: str


class Ratings(NamedTuple):
    """The published ratings of a game's agents.

    Attributes:
        against: agent spec of the reference agent.
        setup: of the games, such as ``2+0``.
        agents: by name; an agent that is missing has not been measured against the reference agent.
    """

    against: str
    setup: str
    agents: dict[str, Rating]


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


def ratings_of(game: str = DEFAULT_GAME) -> Ratings | None:
    """The ratings in ``ratings.json``, beside the module that lists a game's agents; None where there is no such file.

    Raises:
        ValueError: no such game.
    """
    where = spec_of(game).agents
    if where is None:
        return None
    file = files(where.partition(":")[0].rpartition(".")[0]) / "ratings.json"
    if not file.is_file():
        return None
    found = json.loads(file.read_text(encoding="utf-8"))
    agents = {name: Rating(**{"options": "", **rating}) for name, rating in found["agents"].items()}
    return Ratings(found["against"], found["setup"], agents)


def _description(name: str, game: str) -> AgentDescription:
    factory = registry.factory_of(name, game)
    parameters = registry.parameters_of(name, factory)
    defaults = {key: one.default for key, one in parameters.items() if one.default is not one.empty}
    needed = tuple(key for key in parameters if key not in defaults)
    first = (inspect.getdoc(factory) or "").partition("\n\n")[0]
    return AgentDescription(name, " ".join(_PLACE.sub("", first).split()), defaults, needed)
