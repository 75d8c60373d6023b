"""What loops ask of a game: the functions of its module ``step``, as types (docs/project/adding_a_game.md prints them).

Readers, editors and mypy use them; numba infers its own. In all of them ``states`` are records, shape (n,), and
``state`` is one; random streams and chance words are int64, shape (n, 4), the words of game i in row i.
"""

# pyright: reportReturnType=false
# The methods of a protocol are their docstrings.

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from romans_env.engine.random_stream import Streams

States = npt.NDArray[Any]
Integer = int | np.integer[Any]
"""What a function gives Python is an int when it is compiled, and else what it computes."""
ChanceWords = npt.NDArray[np.int64]


class StepFunctions(Protocol):
    """The steps of a compiled game: first those of ``states[i]``, for loops over many games; then of one record.

    `romans_env.core.python_step.PythonStep` makes the first of any rules.
    """

    def num_players(self, states: States) -> Integer:
        """Return how many play; in all games of an array it is the same."""

    def start(self, states: States, i: int, deal_streams: Streams, words: ChanceWords) -> None:
        """Start with chance from ``deal_streams[i]``, which moves on, up to the first decision; write the words."""

    def act(self, states: States, i: int, action: int, words: ChanceWords) -> None:
        """Play a legal action, and what follows up to the next decision or the end."""

    def is_over(self, states: States, i: int) -> bool:
        """Return whether the game has ended."""

    def seat_to_act(self, states: States, i: int) -> Integer:
        """Return the seat that decides; of a game that is over, anything."""

    def is_legal(self, states: States, i: int, action: int) -> bool:
        """Return whether an integer is a legal action."""

    def random_action(self, states: States, i: int, streams: Streams, row: int) -> Integer:
        """Draw a legal action, each with equal chance, from ``streams[row]``."""

    def legal_actions(self, states: States, i: int, out: npt.NDArray[np.int64]) -> Integer:
        """Write the legal actions, ascending, into a vector as long as the action space; return how many there are."""

    def observe(self, states: States, i: int, seat: int, observations: npt.NDArray[Any], row: int) -> None:
        """Write what a seat may know into ``observations[row]``, of the observations' dtype and length."""

    def write_mask(self, states: States, i: int, masks: npt.NDArray[np.int8], row: int) -> None:
        """Write the action mask of the seat that decides into ``masks[row]``: int8, as long as the action space."""

    def redact(self, states: States, i: int, seat: int) -> None:
        """Overwrite all that a seat may not know."""

    def determinize(self, states: States, view: int, target: int, viewer: int, streams: Streams, row: int) -> None:
        """Sample a determinization of ``states[view]``, redacted for the viewer, into another, ``states[target]``."""

    def points(self, states: States, i: int, seat: int) -> Integer:
        """Return the points of a player."""

    def game_return(self, states: States, i: int, seat: int) -> float:
        """Return the return of a player of a finished game, in [-1, 1]."""

    def is_winner(self, states: States, i: int, seat: int) -> bool:
        """Return whether a seat has won a finished game."""

    def num_actions(self, states: States, i: int) -> Integer:
        """Return the size of the action space."""

    def begin(self, state: Any) -> None:
        """Start, up to the first chance event."""

    def choose(self, state: Any, action: int) -> None:
        """Play a legal action, and nothing that follows from it."""

    def apply(self, state: Any, action: int) -> None:
        """Play a legal action, and what follows up to the next decision, chance event or the end."""

    def current_player(self, state: Any) -> Integer:
        """Return the seat that decides, or GAME_OVER or CHANCE of `romans_env.core.protocol`."""

    def observe_everything(self, state: Any, out: npt.NDArray[Any], row: int) -> None:
        """Write the global state into ``out[row]``, of its dtype and length."""

    def only_legal_action(self, state: Any) -> Integer:
        """Write the legal actions of the decision that comes next; return the only one, or -1 for more, or none."""

    def event_of(self, state: Any) -> Integer:
        """Return the kind of the next chance event: DIE or DRAWN of `romans_env.engine.chance`, or one from 1 on."""

    def event_key(self, state: Any) -> Integer:
        """Return its key, from 0 on and below 2**62, which no other event of the game has."""

    def num_copies(self, state: Any, event: int, outcome: int) -> Integer:
        """Return how many copies an outcome of this kind of event has, which is no die: its weight."""

    def draw_outcome(self, state: Any, words: ChanceWords, k: int) -> Integer:
        """Return its outcome by the chance words ``words[k]``: a face from 1 to 6, or the number of an outcome.

        One that is DRAWN is written into the record, and may take the words as a random stream, which moves on.
        """

    def answer(self, state: Any, outcome: int) -> None:
        """Play a possible outcome, and nothing that follows from it."""

    def apply_outcome(self, state: Any, outcome: int) -> None:
        """Play a possible outcome, and what follows up to the next decision, chance event or the end."""

    def resolve_chance(self, state: Any, words: ChanceWords, k: int) -> None:
        """Play the chance events that come next by the chance words ``words[k]``, up to a decision or the end."""
