"""Descriptions of the agents of a game (options, uses and ratings), for users who choose an agent."""

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
"""Matches the name of a module in brackets in a docstring; summaries leave it out."""


class PublishedRating(NamedTuple):
    """The rating of an agent in ``romans benchmark``: ``random`` has 0 points, the game's default opponent 1000.

    Attributes:
        mean: the rating.
        low: the lower end of the 95 % confidence interval.
        high: the upper end of the 95 % confidence interval.
        options: the options with which the agent was measured, as in its spec; empty for the defaults.
    """

    mean: float
    low: float
    high: float
    options: str = ""


class PublishedRatings(NamedTuple):
    """The ratings of a game's agents on the leaderboard (docs/measuring/leaderboard.md).

    Attributes:
        protocol: the name of the benchmark protocol by which the agents were measured.
        agents: the rating of each measured agent, by its name.
    """

    protocol: str
    agents: dict[str, PublishedRating]


@dataclass(frozen=True)
class AgentDescription:
    """Description of a registered agent.

    Attributes:
        name: the agent's name, which is its agent spec without options.
        summary: the first paragraph of the agent's docstring; empty without a docstring.
        options: the default of each option that has one, by the option's name.
        needed: the names of the options without a default, which a spec must give.
        good_for: the agent's use in a few words; empty for an agent that does not come with the package.
        level: the strength from 1 (weakest) to 5, by the agent's rank among the rated agents of its game; None if the
            agent was not rated with default options.
    """

    name: str
    summary: str
    options: dict[str, Any]
    needed: tuple[str, ...] = ()
    good_for: str = ""
    level: int | None = None


def describe_agents(game: str = DEFAULT_GAME) -> list[AgentDescription]:
    """Describe the agents that play a game, sorted by name.

    Raises:
        ValueError: if there is no such game.
    """
    return [describe_agent(name, game) for name in registry.names(game)]


def describe_agent(spec: str, game: str = DEFAULT_GAME) -> AgentDescription:
    """Describe the agent that a spec names: a registered agent or a class in a Python file.

    Raises:
        romans_agents.UnknownAgentError: if there is no such agent.
        ValueError: if there is no such game.
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
    """Return the spec of the agent that gives hints to players.

    This is a trained policy, which has probabilities and values; for a game without trained policies, it is the game's
    default opponent.

    Raises:
        ValueError: if there is no such game.
    """
    named = (one.name for one in describe_agents(game) if not one.needed)
    policies = (name for name in named if isinstance(registry.make(name, game=game), PolicyAgent))
    return next(policies, spec_of(game).default_opponent)


def ratings_of(game: str = DEFAULT_GAME) -> PublishedRatings | None:
    """Return the published ratings of a game's agents; None if the game has no published ratings.

    The ratings are in ``ratings.json`` in the folder of the game's agents.

    Raises:
        ValueError: if there is no such game.
    """
    found = _published(game)
    agents = {name: PublishedRating(**rating) for name, rating in found.get("agents", {}).items()}
    return PublishedRatings(found["protocol"], agents) if found else None


def _level(name: str, ratings: PublishedRatings | None) -> int | None:
    """Return the agent's level from 1 to 5, by its rank among the agents that were rated with default options."""
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
