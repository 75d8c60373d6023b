"""The opponents, which play the seats that the learner does not play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from romans_env.core.games import spec_of
from romans_env.core.protocol import Rules
from romans_env.core.unknown_settings import check_settings, names_of_settings
from romans_env.errors import is_integer, shortened

MOST_SKIPPED = 1000
"""The largest number of games skipped in a row because they are over before the learner has a choice."""


class OpponentSeats(NamedTuple):
    """A game and the learner's opponents.

    Attributes:
        rules: the game with its setup.
        opponents: an agent spec or an agent for each other seat, in seat order from the learner's left, or a pool.
        is_pool: whether each opponent of each game is sampled from ``opponents``.
    """

    rules: Rules
    opponents: list[Any]
    is_pool: bool


def line_up_of(
    environment: type,
    game: str,
    opponents: Sequence[Any] | None,
    num_players: int | None,
    settings: Mapping[str, Any],
    is_pool: bool = False,
) -> OpponentSeats:
    """Return the rules and the opponents, given the opponents, the number of players, or both.

    Args:
        environment: the environment's class; errors about unknown settings list its arguments, too.
        game: the name of the game.
        opponents: one for each other seat, or a pool; None for the game's default pool.
        num_players: number of players, the learner included; by default one more than ``opponents``.
        settings: the game's other settings.
        is_pool: whether opponents are sampled from ``opponents``.

    Raises:
        ValueError: if the opponents are a string, ``num_players`` is missing although they are a pool, or a setting
            does not exist or is invalid. An error about the number of players says how they were counted.
    """
    spec = spec_of(game)
    check_settings(settings, [*names_of_settings(environment), *spec.setting_names()])
    if not isinstance(is_pool, (bool, np.bool_)):
        raise ValueError(f"mix_opponents is True or False, not {shortened(is_pool)}")
    if opponents is None:
        num_players = spec.default_players if num_players is None else num_players
        opponents, is_pool = spec.default_pool or [spec.default_opponent], True
    if isinstance(opponents, str):
        raise ValueError(f"opponents is a list of agents, such as [{opponents!r}], not the text {opponents!r}")
    if num_players is None:
        if is_pool:
            raise ValueError("mix_opponents needs num_players, because opponents is a pool: pass num_players as well")
        num_players = len(opponents) + 1
    try:
        return OpponentSeats(spec.make_rules(num_players=num_players, **settings), list(opponents), is_pool)
    except ValueError as error:
        try:
            spec.make_rules(**settings)
        except ValueError:
            raise error from None
        raise ValueError(f"{error}; the players are the learner and its opponents, here {num_players}") from None


def check_opponents(opponents: Sequence[Any], num_players: int, is_pool: bool) -> None:
    """Check that each other seat has an opponent, or that a pool is not empty; raise ValueError otherwise."""
    if is_pool:
        if not opponents and num_players > 1:
            raise ValueError("opponents is an empty pool: name at least one opponent to sample from")
    elif len(opponents) != num_players - 1:
        raise ValueError(
            f"opponents is a list of {num_players - 1} for {num_players} players, one for each other seat, "
            f"not {list(opponents)!r}"
        )


def check_seat(seat: int | None, num_players: int) -> None:
    """Check that a seat exists or is None; raise ValueError otherwise."""
    if seat is not None and (not is_integer(seat) or not 0 <= seat < num_players):
        raise ValueError(f"seat is None (a random one each game) or 0 to {num_players - 1}, not {shortened(seat)}")
