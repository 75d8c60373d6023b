"""The functions that compiled loops call on a game, as types; docs/project/adding_a_game.md lists them.

Readers, editors and mypy use these types; numba infers its own.
"""

# pyright: reportReturnType=false
# The methods of a protocol have docstrings for bodies.

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from romans_env.engine.random_stream import Streams

States = npt.NDArray[Any]
Integer = int | np.integer[Any]
"""A returned integer: an int from compiled code, possibly a numpy integer from interpreted code."""
ChanceWords = npt.NDArray[np.int64]
"""Chance words of games: int64, shape ``(n, 4)``, each word in [0, 2**32)."""


class StepFunctions(Protocol):
    """The step functions of a game.

    The first group, for loops over many games, takes game ``i`` of ``states``, an array of records, shape ``(n,)``; the
    second group takes ``state``, a single record. `romans_env.core.python_step.PythonStep` derives the first group from
    the rules of a game without compiled code.

    Random streams and chance words are int64, shape ``(rows, 4)``, each word in [0, 2**32); ``words`` of the first
    group have one row for each game.
    """

    def num_players(self, states: States) -> Integer:
        """Return the number of players, the same in all games of ``states``, shape ``(n,)``."""

    def start(self, states: States, i: int, deal_streams: Streams, words: ChanceWords) -> None:
        """Begin game i and play to the first decision.

        Its chance comes from ``deal_streams[i]``, int64, shape ``(n, 4)``, which advances; its chance words are written
        into ``words[i]``, int64, shape ``(n, 4)``.
        """

    def act(self, states: States, i: int, action: int, words: ChanceWords) -> None:
        """Play a legal action and all that follows, up to the next decision or the end of the game.

        Chance events are drawn with ``words[i]``, int64, shape ``(n, 4)``.
        """

    def is_over(self, states: States, i: int) -> bool:
        """Return whether game i of ``states``, shape ``(n,)``, has ended."""

    def seat_to_act(self, states: States, i: int) -> Integer:
        """Return the seat to act in game i of ``states``, shape ``(n,)``; undefined once the game is over."""

    def is_legal(self, states: States, i: int, action: int) -> bool:
        """Return whether any integer is a legal action in game i of ``states``, shape ``(n,)``."""

    def random_action(self, states: States, i: int, streams: Streams, row: int) -> Integer:
        """Draw a legal action uniformly with ``streams[row]``, int64, shape ``(rows, 4)``, which advances."""

    def legal_actions(self, states: States, i: int, out: npt.NDArray[np.int64]) -> Integer:
        """Write the legal actions, ascending, into ``out``, int64, shape ``(num_actions,)``; return their number."""

    def observe(self, states: States, i: int, seat: int, observations: npt.NDArray[Any], row: int) -> None:
        """Write the observation of a seat into ``observations[row]``.

        ``observations`` have shape ``(rows, observation_size)`` and the game's dtype, such as int8 or int16.
        """

    def write_mask(self, states: States, i: int, masks: npt.NDArray[np.int8], row: int) -> None:
        """Write the action mask of the seat to act into ``masks[row]``: int8, shape ``(rows, num_actions)``."""

    def redact(self, states: States, i: int, seat: int) -> None:
        """Overwrite everything in game i of ``states``, shape ``(n,)``, that a seat may not know."""

    def determinize(self, states: States, view: int, target: int, viewer: int, streams: Streams, row: int) -> None:
        """Sample a determinization of ``states[view]``, the private view of ``viewer``, into ``states[target]``.

        It is drawn with ``streams[row]``, int64, shape ``(rows, 4)``, which advances.
        """

    def points(self, states: States, i: int, seat: int) -> Integer:
        """Return the current points of a player in game i of ``states``, shape ``(n,)``."""

    def game_return(self, states: States, i: int, seat: int) -> float:
        """Return the return of a player, in [-1, 1], in game i of ``states``, shape ``(n,)``, which is over."""

    def is_winner(self, states: States, i: int, seat: int) -> bool:
        """Return whether a player has won game i of ``states``, shape ``(n,)``, which is over."""

    def num_actions(self, states: States, i: int) -> Integer:
        """Return the size of the action space of game i of ``states``, shape ``(n,)``."""

    def begin(self, state: Any) -> None:
        """Begin the game, up to the first chance event."""

    def choose(self, state: Any, action: int) -> None:
        """Play a legal action, and nothing that follows it."""

    def apply(self, state: Any, action: int) -> None:
        """Play a legal action and the forced actions after it, up to the next decision, chance event or the end."""

    def current_player(self, state: Any) -> Integer:
        """Return the seat to act, or CHANCE or GAME_OVER of `romans_env.core.protocol`."""

    def observe_everything(self, state: Any, out: npt.NDArray[Any], row: int) -> None:
        """Write the full state into ``out[row]``: shape ``(rows, global_state_size)``, in the game's dtype."""

    def only_legal_action(self, state: Any) -> Integer:
        """Write the legal actions of the next decision into the record; return the action if there is only one, or -1.

        At a chance event or the end, no action is legal, and it returns -1.
        """

    def event_of(self, state: Any) -> Integer:
        """Return the kind of the next chance event: DIE or DRAWN of `romans_env.engine.chance`, or a number from 1 on.

        Kinds from 1 on are a game's own, with listed outcomes.
        """

    def event_key(self, state: Any) -> Integer:
        """Return the key of the next chance event: an integer in [0, 2**62), unique within the game."""

    def num_copies(self, state: Any, event: int, outcome: int) -> Integer:
        """Return the weight of an outcome of the next chance event, of kind ``event``: the copies of a card, say.

        It is not called for dice.
        """

    def draw_outcome(self, state: Any, words: ChanceWords, k: int) -> Integer:
        """Draw the outcome of the next chance event with ``words[k]``, int64, shape ``(rows, 4)``.

        Returns the face of a die, 1 to 6, or the number of a listed outcome. A DRAWN event writes its outcome into the
        record, and may use the words as a random stream, which advances.
        """

    def answer(self, state: Any, outcome: int) -> None:
        """Play a possible outcome of the next chance event, and nothing that follows it."""

    def apply_outcome(self, state: Any, outcome: int) -> None:
        """Play a possible outcome and the forced actions after it, up to the next decision, chance event or the end."""

    def resolve_chance(self, state: Any, words: ChanceWords, k: int) -> None:
        """Play chance events, drawn with ``words[k]``, int64, shape ``(rows, 4)``, up to a decision or the end."""
