"""The offers of a server: every game with the setups, settings and agents that a player can choose."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import click

import romans_agents
from romans_agents import UnknownAgentError
from romans_agents.specs.listing import adviser_of, describe_agents
from romans_env.core.games import GameSpec, spec_of
from romans_serve.thinking import AgentOffer, Field, GameOffer, SetupOffer

MOST_PLAYERS = 8


def offer_of(game: str, trusted: Sequence[str] = ()) -> GameOffer:
    """Return the offer of a game, which lists its setups, settings and agents.

    Args:
        game: name of the game.
        trusted: agent specs from the command line; those that name an agent of this game are offered as well.
    """
    spec = spec_of(game)
    fields = [
        Field(name, _label(name), tuple(option.type.choices))
        for name, option in spec.part("command_line").options.items()
        if isinstance(option.type, click.Choice)
    ]
    fields += [Field(name, _label(name), (default, not default)) for name, default in _switches(spec)]
    agents = [AgentOffer(one.name, one.summary, one.level) for one in describe_agents(game) if not one.needed]
    agents += [AgentOffer(one, "from the command line") for one in trusted if plays(one, game)]
    return GameOffer(game, _setups(spec), fields, agents, spec.default_opponent, adviser_of(game))


def _setups(spec: GameSpec) -> list[SetupOffer]:
    """Return the game's named setups or, without names, a setup for each number of players; the default is first."""
    default, names = spec.make_setup(), spec.part("command_line").names
    if names is not None:
        found = [SetupOffer(name, names.settings(name, {})) for name in names.names]
    else:
        found = [SetupOffer(f"{number} players", {"num_players": number}) for number in _numbers_of_players(spec)]
    is_default = [spec.make_setup(**one.settings) == default for one in found]
    if len(found) < 2 or not any(is_default):
        return [SetupOffer(str(default), {}), *(found if len(found) > 1 else [])]
    found.insert(0, found.pop(is_default.index(True)))
    return found


def _numbers_of_players(spec: GameSpec) -> list[int]:
    found = []
    for number in range(1, MOST_PLAYERS + 1) if "num_players" in spec.setting_names() else ():
        try:
            found.append(spec.make_setup(num_players=number).num_players)
        except ValueError:
            continue
    return found


def _switches(spec: GameSpec) -> list[tuple[str, bool]]:
    """Return the name and the default of each boolean setting of a game's setup."""
    makes = spec.part("setup") or spec.part("rules").from_settings
    parameters = inspect.signature(makes).parameters.values()
    return [(one.name, one.default) for one in parameters if isinstance(one.default, bool)]


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def plays(spec: str, game: str) -> bool:
    """Return whether a spec names an agent of a game."""
    try:
        romans_agents.make(spec, game=game)
    except UnknownAgentError:
        return False
    return True
