"""Recorded games, followed for what is shown of them."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from romans_env import Game
from romans_env.struggle import StruggleForRome, StruggleSetup, load_board
from tests.tools import recorded_games


def started(recorded: dict[str, Any], board: Any = None) -> Game:
    """A recorded game at its first decision."""
    rules = StruggleForRome(StruggleSetup(**recorded["table"], board=board))
    return Game(rules, deal=recorded["deal"])


@cache
def played(part: int, number: int) -> Game:
    """A recorded game at its end; it is not to be changed."""
    recorded = recorded_games("struggle", part + 11 * number, 66)[0]
    game = started(recorded)
    for step in recorded["steps"]:
        game.act(step["action"])
    return game


def decisions(part: int, number: int, every: int = 1) -> Iterator[Game]:
    """A recorded game at each of its decisions, or some, and at its end."""
    recorded = recorded_games("struggle", part + 11 * number, 66)[0]
    game = started(recorded)
    for place, step in enumerate(recorded["steps"]):
        if place % every == 0:
            yield game
        game.act(step["action"])
    yield game


def other_board(**changes: Any) -> dict[str, Any]:
    """The stand-in under another name, with some of its keys replaced."""
    return {**copy.deepcopy(load_board().as_json()), "name": "mine", **json.loads(json.dumps(changes))}
