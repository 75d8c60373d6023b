"""Places: OpenSpiel's states, cached by their histories."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import CHANCE, GAME_OVER
from romans_env.openspiel.weights import weights_of

ENTRY = np.dtype(np.int32)
"""The dtype of an action or a chance outcome in a history."""
MOST_KNOWN = 8192
"""The smallest number of places that are cached; there are up to twice as many."""


class Place:
    """An OpenSpiel state at a decision, at a chance event or at the end of the game. It is immutable.

    Attributes:
        state: OpenSpiel's state; read-only.
        history: all actions and outcomes so far, including forced ones, as bytes of `ENTRY`.
        seat: the seat to act, CHANCE or GAME_OVER.
        num_chance: the number of chance events so far, including those with a single outcome.
        tensors: the cached observations by seat, float32, shape ``(observation_size,)``.
        samples: a cached determinization by seat, as a history; None if none can be sampled.
    """

    __slots__ = ("_legal", "_outcomes", "history", "num_chance", "samples", "seat", "state", "tensors")

    def __init__(self, state: Any, history: bytes, num_chance: int):
        self.state, self.history, self.num_chance = state, history, num_chance
        if state.is_terminal():
            self.seat = GAME_OVER
        else:
            self.seat = CHANCE if state.is_chance_node() else int(state.current_player())
        self._legal: list[int] | None = None
        self._outcomes: list[tuple[int, int]] | None = None
        self.tensors: dict[int, npt.NDArray[np.float32]] = {}
        self.samples: dict[int, bytes | None] = {}

    @property
    def legal(self) -> list[int]:
        """The legal actions of the seat to act, ascending; empty at a chance event or the end."""
        if self._legal is None:
            self._legal = sorted(self.state.legal_actions()) if self.seat >= 0 else []
        return self._legal

    @property
    def outcomes(self) -> list[tuple[int, int]]:
        """The outcomes of the chance event with integer weights; empty at a decision or the end."""
        if self._outcomes is None:
            found = [one for one in self.state.chance_outcomes() if one[1] > 0] if self.seat == CHANCE else []
            weights = weights_of(tuple(probability for _, probability in found)) if found else ()
            self._outcomes = [(int(number), weight) for (number, _), weight in zip(found, weights, strict=True)]
        return self._outcomes

    @property
    def only_move(self) -> int | None:
        """The only legal action or the only outcome of the chance event; None if there are several or none."""
        moves = [number for number, _ in self.outcomes] if self.seat == CHANCE else self.legal
        return moves[0] if len(moves) == 1 else None


class Places:
    """A cache of the places of a game that were visited recently.

    A place that is not in the cache is replayed from the start. Places are kept in two dictionaries; when the younger
    one is full, the older one is dropped.

    Args:
        game: OpenSpiel's game, a sequential one.
    """

    def __init__(self, game: Any):
        self._game = game
        self._young: dict[bytes, Place] = {}
        self._old: dict[bytes, Place] = {}
        self.root = self._settled(game.new_initial_state(), [], 0)

    def at(self, history: bytes) -> Place:
        """Return the place of a history; an impossible one raises an error of OpenSpiel."""
        found = self._young.get(history)
        if found is not None:
            return found
        found = self._old.get(history) or self._replayed(history)
        self._keep(history, found)
        return found

    def after(self, place: Place, move: int) -> Place:
        """Return the place after a possible move and the forced moves that follow it."""
        key = place.history + ENTRY.type(move).tobytes()
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                num_chance = place.num_chance + (place.seat == CHANCE)
                found = self._settled(place.state.child(move), [key], num_chance)
            self._keep(key, found)
            self._keep(found.history, found)
        return found

    def way_to(self, place: Place) -> list[tuple[Place, int]]:
        """Return the places with a choice on the path to a place, each with the move made there."""
        found, moves, here = [], np.frombuffer(place.history, dtype=ENTRY).tolist(), self.root
        while (done := len(here.history) // ENTRY.itemsize) < len(moves):
            found.append((here, moves[done]))
            here = self.after(here, moves[done])
        return found

    def of_state(self, state: Any) -> Place:
        """Return the place of an OpenSpiel state; it is cached if it has a choice."""
        moves = state.full_history()
        history = np.array([move.action for move in moves], dtype=ENTRY).tobytes()
        found = self._young.get(history) or self._old.get(history)
        if found is None:
            found = Place(state, history, sum(move.player < 0 for move in moves))
            if found.only_move is None:
                self._keep(history, found)
        return found

    def _settled(self, state: Any, history: list[bytes], num_chance: int) -> Place:
        place = Place(state, b"".join(history), num_chance)
        while (move := place.only_move) is not None:
            num_chance += place.seat == CHANCE
            place.state.apply_action(move)
            history.append(ENTRY.type(move).tobytes())
            place = Place(place.state, b"".join(history), num_chance)
        return place

    def _replayed(self, history: bytes) -> Place:
        place, moves = self.root, np.frombuffer(history, dtype=ENTRY).tolist()
        done = len(place.history) // ENTRY.itemsize
        while done < len(moves):
            place = self.after(place, moves[done])
            done = len(place.history) // ENTRY.itemsize
        return place

    def _keep(self, history: bytes, place: Place) -> None:
        if len(self._young) >= MOST_KNOWN:
            self._old, self._young = self._young, {}
        self._young[history] = place
