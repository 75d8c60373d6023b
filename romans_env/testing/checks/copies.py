"""Checks of copies, pickles, records and setups: each must carry on the same game."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

from romans_env.core.game import Game
from romans_env.core.games import GameSpec
from romans_env.core.protocol import Rules
from romans_env.core.record_playback import replay
from romans_env.testing.moment import Moment, played_on

_COPIES: dict[str, Callable[[Game], Game]] = {
    "clone()": Game.clone,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
}


def copies(moment: Moment) -> Iterator[str]:
    """Check that a copy is independent of the original and goes on with the same chance."""
    seed = moment.random.randrange(2**31)
    original = moment.game.clone()
    for name, copied in _COPIES.items():
        one, other = copied(original), copied(original)
        if one.states.tobytes() != original.states.tobytes():
            yield f"{name} of a game has another state"
            return
        before = original.states.tobytes()
        played_on(one, seed)
        if original.states.tobytes() != before or other.states.tobytes() != before:
            yield f"playing on a copy made by {name} changes the original"
            return
        if played_on(other, seed).states.tobytes() != one.states.tobytes() or other.outcomes != one.outcomes:
            yield f"two copies made by {name} differ after the same actions: each has chance of its own"
            return


def records(moment: Moment) -> Iterator[str]:
    """Check that a record is JSON that replays the game."""
    game = moment.game
    again = replay(json.loads(json.dumps(game.record())))
    if again.states.tobytes() != game.states.tobytes():
        yield "a record replays to another state"
    elif again.record() != game.record():
        yield "the record of a replayed game differs from the original"


def setup(rules: Rules, spec: GameSpec) -> Iterator[str]:
    """Check that the setup is JSON that restores the same rules, and that unknown settings are refused."""
    kind, settings = type(rules), json.loads(json.dumps(rules.setup.as_json()))
    again = kind.from_json(settings)
    if again.setup.as_json() != rules.setup.as_json() or again.num_players != rules.num_players:
        yield "from_json(setup.as_json()) returns another setup"
    if rules.setup.num_players != rules.num_players:
        yield f"the setup has {rules.setup.num_players} players, and the rules {rules.num_players}"
    if kind.name != spec.name or rules.setup.game != spec.name:
        yield f"the spec is called {spec.name!r}, the rules {kind.name!r} and the setup {rules.setup.game!r}"
    others: tuple[Any, ...] = (None, [], {**settings, "no_such_setting": 1})
    for wrong in others:
        try:
            kind.from_json(wrong)
        except ValueError:
            continue
        except Exception as error:
            yield f"from_json raises {type(error).__name__}, not ValueError, for {wrong!r}"
            return
        yield f"from_json accepts {wrong!r} instead of raising ValueError"
        return
