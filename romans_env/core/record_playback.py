"""Records played again: `replay`, and what it checks."""

from __future__ import annotations

from typing import Any

from romans_env.core.game import Game
from romans_env.core.records import RecordError, checked_agents, checked_spec
from romans_env.errors import in_one_line, shortened


def replay(record: Any) -> Game:
    """Play a record again, and return the game where the record ends.

    Raises:
        RecordError: not a record, or one that does not fit the rules; the message says where.
    """
    spec = checked_spec(record)
    try:
        game = Game.of_deal(spec.part("rules").from_json(record["table"]), record["deal"])
    except (ValueError, TypeError) as error:
        raise RecordError(f"the record's table or deal does not fit: {in_one_line(error)}") from None
    game.agents = checked_agents(record["agents"], game.players)
    _replay_actions(game, record["actions"])
    check_end(game, record)
    game.play_on()
    return game


def _replay_actions(game: Game, actions: Any) -> None:
    """Play the actions of a record; raise RecordError for the first one that does not fit."""
    if not isinstance(actions, list):
        raise RecordError("the record's actions are not a list")
    for number, entry in enumerate(actions, 1):
        where = f"action {number} of {len(actions)}, {shortened(entry)}"
        player, _, name = entry.partition(" ") if isinstance(entry, str) else ("", "", "")
        if game.is_over:
            raise RecordError(f"{where}: the game is over before it")
        if player != game.agent_to_act:
            raise RecordError(f"{where}: it is {game.agent_to_act} who must act here")
        try:
            game.act(name)
        except ValueError as error:
            raise RecordError(f"{where}: {in_one_line(error)}") from None


def check_end(game: Game, record: dict[str, Any]) -> None:
    """Check that a record's result, and the outcomes of chance, are those of its game, whose deal is the record's.

    Raises:
        RecordError: they are not; the message says which.
    """
    expected, result = game.result(), record["result"]
    given, needed = len(game.chance.prescribed), len(game.outcomes)
    if given != needed:
        raise RecordError(f"the record's deal has {given} outcomes, its actions need {needed}")
    if result is not None and expected is None:
        raise RecordError("the record gives a result, but its actions stop before the end of the game")
    if result != expected:
        raise RecordError(f"the record's result is {shortened(result)}, its actions give {expected}")
