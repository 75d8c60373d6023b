"""The agents of a game with their options, for people who look for one."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

from romans_agents.policies.policy import PolicyAgent
from romans_agents.specs import registry
from romans_env.core.games import DEFAULT_GAME, spec_of

_PLACE = re.compile(r"\s*\(`[^`]*`\)")
"""A module that a docstring names in brackets."""


class PublishedRating(NamedTuple):
    """How strong an agent is, in points of ``romans benchmark``: ``random`` has 0, the game's default opponent 1000.

    Attributes:
        mean: the rating.
        low: the lower end of its 95 % confidence interval.
        high: the upper end.
        options: of the agent spec that was measured; empty: the defaults.
    """

    mean: float
    low: float
    high: float
    options: str = ""


class PublishedRatings(NamedTuple):
    """The ratings of a game's agents on the leaderboard (docs/measuring/leaderboard.md).

    Attributes:
        protocol: name of the protocol by which they were measured.
        agents: by name; an agent that is missing has not been measured.
    """

    protocol: str
    agents: dict[str, PublishedRating]


@dataclass(frozen=True)
class AgentDescription:
    """An agent that the registry knows.

    Attributes:
        name: its agent spec without options.
        summary: the first paragraph of its docstring; empty where it has none.
        options: what may follow the name in an agent spec, with the default of each.
        needed: options without a default.
        good_for: what to use it for, in a few words; empty for an agent that does not come with the package.
        level: how strong it is beside the others of its game, by its place among them, from 1 to 5; None: it was not
            measured without options.
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
    uses = json.loads((files("romans_agents.specs") / "good_for.json").read_text(encoding="utf-8"))
    good_for, level = (uses | _published(game).get("good_for", {})).get(name, ""), _level(name, ratings_of(game))
    return AgentDescription(name, " ".join(_PLACE.sub("", first).split()), defaults, needed, good_for, level)


def adviser_of(game: str = DEFAULT_GAME) -> str:
    """Return who gives hints: a trained policy, which has probabilities and values, or else the default opponent.

    Raises:
        ValueError: there is no such game.
    """
    named = (one.name for one in describe_agents(game) if not one.needed)
    policies = (name for name in named if isinstance(registry.make(name, game=game), PolicyAgent))
    return next(policies, spec_of(game).default_opponent)


def ratings_of(game: str = DEFAULT_GAME) -> PublishedRatings | None:
    """Return the ratings in ``ratings.json``, beside the module that lists a game's agents; None without such a file.

    Raises:
        ValueError: there is no such game.
    """
    found = _published(game)
    agents = {name: PublishedRating(**rating) for name, rating in found.get("agents", {}).items()}
    return PublishedRatings(found["protocol"], agents) if found else None


def _level(name: str, ratings: PublishedRatings | None) -> int | None:
    """Return a level of five, by the agent's place among those that were measured without options."""
    of_all = {key: one.mean for key, one in ratings.agents.items() if not one.options} if ratings else {}
    if name not in of_all:
        return None
    return 1 + round(4 * sum(mean < of_all[name] for mean in of_all.values()) / max(1, len(of_all) - 1))


def _published(game: str) -> dict[str, Any]:
    agents = spec_of(game).agents
    if not isinstance(agents, str):
        return {}
    module = agents.partition(":")[0]
    file = files(module.rpartition(".")[0]) / "ratings.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found
