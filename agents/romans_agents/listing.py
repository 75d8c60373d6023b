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
    """How strong an agent is, in measured games.

    Attributes:
        value: by the measure of its game.
        half_width: of the 95 % confidence interval.
        command: with which it was measured, in a checkout.
        options: of the agent spec that was measured; empty: the defaults.
    """

    value: float
    half_width: float
    command: str
    options: str = ""


class Ratings(NamedTuple):
    """The published ratings of a game's agents.

    Attributes:
        measure: what they are, such as ``rating`` or ``wins %``.
        explained: the measure, in words.
        agents: by name; an agent that is missing has not been measured.
    """

    measure: str
    explained: str
    agents: dict[str, Rating]


@dataclass(frozen=True)
class AgentDescription:
    """An agent that the registry knows.

    Attributes:
        name: its agent spec without options.
        summary: the first paragraph of its docstring; empty where it has none.
        options: what may follow the name in an agent spec, with the default of each.
        needed: options without a default.
        good_for: what to use it for, in a few words; empty for an agent that does not come with the package.
        level: how strong it is beside the others of its game, from 1 to 5; None: it was not measured without options.
    """

    name: str
    summary: str
    options: dict[str, Any]
    needed: tuple[str, ...] = ()
    good_for: str = ""
    level: int | None = None


def describe_agents(game: str = DEFAULT_GAME) -> list[AgentDescription]:
    """Describe the agents that play a game, by name.

    Raises:
        ValueError: there is no such game.
    """
    return [describe_agent(name, game) for name in registry.names(game)]


def describe_agent(spec: str, game: str = DEFAULT_GAME) -> AgentDescription:
    """Describe the agent that a spec names, a class in a file included.

    Raises:
        romans_agents.UnknownAgentError: there is no such agent.
        ValueError: there is no such game.
    """
    _, name, factory, *_ = registry.named(spec, game)
    parameters = registry.parameters_of(name, factory)
    defaults = {key: one.default for key, one in parameters.items() if one.default is not one.empty}
    needed = tuple(key for key in parameters if key not in defaults)
    first = (inspect.getdoc(factory) or "").partition("\n\n")[0]
    uses = json.loads((files("romans_agents") / "good_for.json").read_text(encoding="utf-8"))
    good_for, level = (uses | _published(game).get("good_for", {})).get(name, ""), _level(name, ratings_of(game))
    return AgentDescription(name, " ".join(_PLACE.sub("", first).split()), defaults, needed, good_for, level)


def ratings_of(game: str = DEFAULT_GAME) -> Ratings | None:
    """Return the ratings in ``ratings.json``, beside the module that lists a game's agents; None without such a file.

    Raises:
        ValueError: there is no such game.
    """
    found = _published(game)
    agents = {name: Rating(**rating) for name, rating in found.get("agents", {}).items()}
    return Ratings(found["measure"], found["explained"], agents) if found else None


def _level(name: str, ratings: Ratings | None) -> int | None:
    """Return a level of five equal steps from the random agent, which every measure has at 0, to the strongest."""
    rating = ratings.agents.get(name) if ratings else None
    if ratings is None or rating is None or rating.options:
        return None
    return 1 + round(4 * max(0.0, rating.value) / max(one.value for one in ratings.agents.values()))


def _published(game: str) -> dict[str, Any]:
    module = spec_of(game).agents.partition(":")[0]
    file = files(module.rpartition(".")[0]) / "ratings.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found
