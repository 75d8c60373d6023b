"""Replays records (`replay`) and checks them while it does."""

from __future__ import annotations

from typing import Any

from romans_env.core.game import Game
from romans_env.core.records import RecordError, checked_agents, checked_spec
from romans_env.errors import in_one_line, shortened


def replay(record: Any) -> Game:
    """Replay a record and return the game at the position where the record ends.

    Args:
        record: the record, as `romans_env.load_record` or ``game.record()`` returns it; untrusted.

    Raises:
        RecordError: if it is not a record, or does not agree with the rules; the message says where.
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
    """Play the actions of a record; raise RecordError at the first one that is not possible."""
    if not isinstance(actions, list):
        raise RecordError("the record's actions are not a list")
    for number, entry in enumerate(actions, 1):
        where = f"action {number} of {len(actions)}, {shortened(entry)}"
        player, _, name = entry.partition(" ") if isinstance(entry, str) else ("", "", "")
        if game.is_over:
            raise RecordError(f"{where}: the game is over before it")
        if player != game.agent_to_act:
            raise RecordError(f"{where}: the player to act here is {game.agent_to_act}")
        try:
            game.act(name)
        except ValueError as error:
            raise RecordError(f"{where}: {in_one_line(error)}") from None


def check_end(game: Game, record: dict[str, Any]) -> None:
    """Check that a record's deal and result agree with the game that was replayed from it.

    Args:
        game: the game, whose prescribed outcomes are the record's deal, after the record's last action.
        record: the record.

    Raises:
        RecordError: if the game used fewer outcomes, or has another result; the message says which.
    """
    expected, result = game.result(), record["result"]
    given, needed = len(game.chance.prescribed), len(game.outcomes)
    if given != needed:
        raise RecordError(f"the record's deal has {given} outcomes, its actions need {needed}")
    if result is not None and expected is None:
        raise RecordError("the record gives a result, but its actions stop before the end of the game")
    if result != expected:
        raise RecordError(f"the record's result is {shortened(result)}, its actions give {expected}")
