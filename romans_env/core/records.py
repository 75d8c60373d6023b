"""Records: whole games as JSON, with setup (key ``table``), deal, actions and result; they replay exactly."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import Any

from romans_env.core.files import json_of, read_text, write_text
from romans_env.core.games import GameSpec, imported, names, spec_of, there_are
from romans_env.errors import UserError, in_one_line, is_control_character, shortened

_KEYS = {"format", "table", "deal", "agents", "actions", "result"}


class Record(dict[str, Any]):
    """A record: a dict that notebooks display as a replay."""

    def _repr_html_(self) -> str | None:
        page: Callable[[Record], Any] = imported("romans_env.render.replay_page:replay_page")
        try:
            shown: str = page(self)._repr_html_()
            return shown
        except RecordError:  # an edited record is displayed as a dict
            return None


class RecordError(UserError, ValueError):
    """A record is damaged or does not agree with the rules; the message says where."""


def checked_spec(record: Any) -> GameSpec:
    """Return the spec of the game that a record belongs to.

    Raises:
        RecordError: if it is not a record, or its game is unknown.
    """
    if not isinstance(record, dict):
        raise RecordError(
            f"a record is a dict, as game.record() and load_record(path) give it, not {shortened(record)}"
        )
    missing = _KEYS - set(record)
    if missing:
        raise RecordError(f"not a record of a game: it lacks {', '.join(sorted(missing))}")
    spec = _spec_of_format(record["format"])
    if record["deal"] is None:
        raise RecordError("the record's deal is missing: without it there is no telling what was played")
    return spec


def _spec_of_format(given: Any) -> GameSpec:
    """Return the spec of the game whose records have a format, such as ``"roma/1"``; raise RecordError if unknown."""
    game = given.removesuffix("/1") if isinstance(given, str) and given.endswith("/1") else ""
    if game in names() or ":" in game:
        try:
            return spec_of(game)
        except UserError as error:  # of a family of games
            raise RecordError(f"the record's game cannot be played: {in_one_line(error)}") from None
        except ValueError:
            pass
    raise RecordError(f"unknown record format {shortened(given)}; {there_are(f'{name}/1' for name in names())}")


def checked_agents(agents: Any, players: Sequence[str]) -> dict[str, str | None] | None:
    """Return a copy of the agents that a record names, by player; raise RecordError if they are invalid."""
    if agents is None:
        return None
    if not isinstance(agents, dict):
        raise RecordError(f"the record's agents are null or an object, not {shortened(agents)}")
    for player, agent in agents.items():
        if player not in players:
            raise RecordError(f"the record's agents name {shortened(player)}; the players are {', '.join(players)}")
        if agent is not None and not isinstance(agent, str):
            raise RecordError(f"the record's agents: {player} is {shortened(agent)}, which is neither a text nor null")
        if agent is not None and any(map(is_control_character, agent)):
            raise RecordError(f"the record's agents: {player} is {shortened(agent)}, which has a control character")
    return dict(agents)


def save_record(record: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a record as a JSON file."""
    write_text(path, json.dumps(record) + "\n")


def load_record(path: str | os.PathLike[str]) -> Record:
    """Read a record from a JSON file.

    Raises:
        RecordError: if the file does not exist, is not a regular file of at most 16 MB, or is not JSON, for instance
            because it is truncated.
    """
    try:
        record = json_of(read_text(path))
    except OSError as error:
        raise RecordError(f"cannot read the record {in_one_line(path)}: {in_one_line(error.strerror)}") from None
    except ValueError as error:
        raise RecordError(f"{in_one_line(path)} is not a whole record: {in_one_line(error)}") from None
    if not isinstance(record, dict):
        raise RecordError(f"{in_one_line(path)} is not a record of a game")
    return Record(record)
