"""Places of a game: OpenSpiel's states, found again by their histories."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import CHANCE, GAME_OVER
from romans_env.openspiel.weights import weights_of

ENTRY = np.dtype(np.int32)
"""An action or an outcome of chance in a history."""
MOST_KNOWN = 8192
"""Places that are kept, at least; up to twice as many are."""


class Place:
    """A place where somebody decides, chance answers, or the game is over. It never changes.

    Attributes:
        state: OpenSpiel's state, which is not to be changed.
        history: all actions and outcomes up to here as bytes of `ENTRY`, those without a choice included.
        seat: the seat that decides, CHANCE or GAME_OVER.
        num_chance: how many chance events there were, those with a single outcome included.
        tensors: what seats observe, as far as they were asked for.
        samples: a determinization for each seat, as far as it was asked for; None where there is none.
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
        """The legal actions of the seat that decides, ascending; none without one."""
        if self._legal is None:
            self._legal = sorted(self.state.legal_actions()) if self.seat >= 0 else []
        return self._legal

    @property
    def outcomes(self) -> list[tuple[int, int]]:
        """The outcomes of the chance event, with integer weights; none elsewhere."""
        if self._outcomes is None:
            found = [one for one in self.state.chance_outcomes() if one[1] > 0] if self.seat == CHANCE else []
            weights = weights_of(tuple(probability for _, probability in found)) if found else ()
            self._outcomes = [(int(number), weight) for (number, _), weight in zip(found, weights, strict=True)]
        return self._outcomes

    @property
    def only_move(self) -> int | None:
        """The single legal action, or the single outcome of chance; None where there is a choice, or no move."""
        moves = [number for number, _ in self.outcomes] if self.seat == CHANCE else self.legal
        return moves[0] if len(moves) == 1 else None


class Places:
    """The places of a game that were visited lately.

    A place that is not known is played again from the start. They are kept in two dictionaries: when the younger one is
    full, the older one goes.

    Args:
        game: OpenSpiel's game, sequential.
    """

    def __init__(self, game: Any):
        self._game = game
        self._young: dict[bytes, Place] = {}
        self._old: dict[bytes, Place] = {}
        self.root = self._settled(game.new_initial_state(), [], 0)

    def at(self, history: bytes) -> Place:
        """Return the place of a history; OpenSpiel's error for one that is not possible."""
        found = self._young.get(history)
        if found is not None:
            return found
        found = self._old.get(history) or self._replayed(history)
        self._keep(history, found)
        return found

    def after(self, place: Place, move: int) -> Place:
        """Return the place after a move that is possible there, and after the moves without a choice that follow."""
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
        """Return the places with a choice on the way to a place, each with the move that was made there."""
        found, moves, here = [], np.frombuffer(place.history, dtype=ENTRY).tolist(), self.root
        while (done := len(here.history) // ENTRY.itemsize) < len(moves):
            found.append((here, moves[done]))
            here = self.after(here, moves[done])
        return found

    def of_state(self, state: Any) -> Place:
        """Return the place of OpenSpiel's state, which is kept if there is a choice."""
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
