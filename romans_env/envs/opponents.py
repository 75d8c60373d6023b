"""The agents on the seats that the learner does not play, the same in every environment with opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from romans_env.games import GameSpec
from romans_env.protocol import Rules

if TYPE_CHECKING:
    from romans_agents import Agent


def resolve_opponents(
    spec: GameSpec, opponents: Sequence[Any] | None, num_players: int | None, is_pool: bool = False
) -> tuple[list[Any], int]:
    """The opponents and the number of players; what is None follows from the other.

    Args:
        spec: the game.
        opponents: one for each other seat, or a pool; None: the game's default opponent everywhere.
        num_players: the learner included; None: one more than ``opponents``.
        is_pool: whether opponents are drawn from ``opponents``.

    Raises:
        ValueError: opponents that are no list, or a pool without ``num_players``.
    """
    if opponents is None:
        num_players = 2 if num_players is None else num_players
        return [spec.default_opponent] * (1 if is_pool else num_players - 1), num_players
    if isinstance(opponents, str):
        raise ValueError(f"opponents is a list of agents, such as [{opponents!r}], not the text {opponents!r}")
    if num_players is None:
        if is_pool:
            raise ValueError("say num_players with mix_opponents: opponents is a pool, not a line-up")
        num_players = len(opponents) + 1
    return list(opponents), num_players


def rules_for(spec: GameSpec, num_players: int, settings: Mapping[str, Any]) -> Rules:
    """The rules with the learner and its opponents; an error about the players says how they were counted.

    Raises:
        ValueError: settings that the game does not have.
    """
    try:
        return spec.make_rules(num_players=num_players, **settings)
    except ValueError as error:
        try:
            spec.make_rules(**settings)
        except ValueError:
            raise error from None
        raise ValueError(f"{error}; the players are the learner and its opponents, here {num_players}") from None


def check_opponents(opponents: Sequence[Any], num_players: int) -> None:
    """ValueError unless there is an opponent for each other seat."""
    if len(opponents) != num_players - 1:
        raise ValueError(
            f"opponents is a list of {num_players - 1} for {num_players} players, one for each other seat, "
            f"not {list(opponents)!r}"
        )


def check_seat(seat: int | None, num_players: int) -> None:
    """ValueError for a seat the table does not have."""
    if seat is not None and (not isinstance(seat, (int, np.integer)) or not 0 <= seat < num_players):
        raise ValueError(f"seat is None (a random one each game) or 0 to {num_players - 1}, not {seat!r}")


def as_agent(opponent: str | Agent, game: str) -> Agent:
    """The agent that an opponent is or names.

    Raises:
        TypeError: for what is neither.
        romans_agents.UnknownAgentError: an agent spec that names no agent.
    """
    # Agents are a layer above: looked up when an environment is created, never imported with it.
    import romans_agents

    if isinstance(opponent, romans_agents.Agent):
        return opponent
    if isinstance(opponent, str):
        return romans_agents.make(opponent, game=game)
    hint = ": give an object of that class, not the class" if isinstance(opponent, type) else ""
    raise TypeError(f"an opponent is the text of an agent or an romans_agents.Agent, not {opponent!r}{hint}")
