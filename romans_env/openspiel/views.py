"""Private views of OpenSpiel games: their records, and determinizations."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import CHANCE, States
from romans_env.core.state_records import copied
from romans_env.errors import CannotSampleError, in_one_line
from romans_env.openspiel.facts import Facts
from romans_env.openspiel.places import ENTRY, Place, Places

TEXT = 4000
"""The size of a private view's text in bytes."""
LARGEST = np.float32(1e6)
"""The bound of observations, as OpenSpiel gives none."""
MOST_TRIES = 100
"""The number of samples after which sampling a determinization fails."""
UNKNOWN = -1
"""The length of the history of a view for which no determinization can be sampled."""


def record_dtype(facts: Facts) -> np.dtype[Any]:
    """Return the dtype of a game's records.

    ``viewer`` is 0 for a game and the seat + 1 for a private view. A view holds the seat's observation (``seen``), its
    legal actions, its points and a text. Its history is that of one determinization, chosen by what the seat knows
    alone, or its length is UNKNOWN. In games without hidden information a view is the same as the game.
    """
    most = max(facts.max_history, 2 * facts.longest)
    fields: list[tuple[Any, ...]] = [
        ("history", ENTRY, (most,)),
        ("length", "i4"),
        ("points", "i4", (facts.num_players,)),
        ("to_act", "i1"),
        ("viewer", "i1"),
    ]
    if facts.hidden != "nothing":
        fields += [
            ("seen", "f4", (facts.observation_size,)),
            ("legal", "u1", (facts.num_actions,)),
            ("text", "u1", (TEXT,)),
        ]
    return np.dtype(fields)


def write_place(state: States, place: Place, points: list[int]) -> None:
    """Write a place into a record of the same game, shape ``(1,)``, that is new or at an earlier place."""
    length, start = len(place.history) // ENTRY.itemsize, int(state["length"][0])
    history = state["history"][0]
    if length > history.size:
        raise RuntimeError(f"a game is longer than OpenSpiel says: it has {length:,} moves, not up to {history.size:,}")
    history[start:length] = np.frombuffer(place.history, dtype=ENTRY)[start:]
    state["length"][0], state["to_act"][0], state["points"][0] = length, place.seat, points


def position_of(private: States) -> dict[str, Any]:
    """Return the position that a private view, shape ``(1,)``, holds as text."""
    found: dict[str, Any] = json.loads(private["text"][0].tobytes().rstrip(b"\0").decode())
    return found


class Views:
    """Computes observations, private views and determinizations of a game's places.

    Args:
        facts: the properties of the game.
        places: the cache of its places.
    """

    def __init__(self, facts: Facts, places: Places):
        self._facts, self._places = facts, places

    def tensor(self, place: Place, seat: int) -> npt.NDArray[np.float32]:
        """Return the observation of a seat: float32, shape ``(observation_size,)``; zeros at a chance event."""
        found = place.tensors.get(seat)
        if found is None:
            if place.seat == CHANCE:
                found = np.zeros(self._facts.observation_size, dtype=np.float32)
            else:
                tensor = getattr(place.state, f"{self._facts.tensor}_tensor")(seat)
                found = np.clip(np.array(tensor, dtype=np.float32), -LARGEST, LARGEST)
            place.tensors[seat] = found
        return found

    def words(self, state: Any, seat: int) -> str:
        """Return what a seat knows as OpenSpiel's text; the numbers of the tensor if the game has none."""
        if self._facts.string is None:
            tensor: Any = getattr(state, f"{self._facts.tensor}_tensor")(seat)
            return " ".join(f"{one:g}" for one in tensor)
        words: str = getattr(state, f"{self._facts.string}_string")(seat)
        return words

    def position(self, place: Place, text: str, legal: list[int]) -> dict[str, Any]:
        """Return a position with a text and, if actions have no names, the text of each legal choice."""
        found: dict[str, Any] = {"text": text}
        if self._facts.names is None and legal:
            found["choices"] = {str(one): place.state.action_to_string(place.seat, one) for one in legal}
        return found

    def position_for(self, place: Place, seat: int) -> dict[str, Any]:
        """Return the position at a place as a seat may know it, as plain JSON."""
        words = self.words(place.state, seat) if place.seat != CHANCE else "a chance event comes next"
        return self.position(place, words, place.legal if place.seat == seat else [])

    def private(self, place: Place, seat: int, state: States) -> States:
        """Return the private view of a seat, shape ``(1,)``, at a place whose record is ``state``, shape ``(1,)``."""
        if self._facts.hidden == "choices" and not hidden_choices(place.state, seat):
            return copied(state)
        view = np.zeros(1, dtype=state.dtype)
        view["viewer"], view["to_act"] = seat + 1, place.seat
        view["points"][0, seat] = state["points"][0, seat]
        view["seen"][0] = self.tensor(place, seat)
        view["legal"][0, place.legal if place.seat == seat else []] = 1
        text = _fitting(self.position_for(place, seat))
        view["text"][0, : len(text)] = np.frombuffer(text, dtype=np.uint8)
        sample = self._any_sample(place, seat)
        if sample is None:
            view["length"][0] = UNKNOWN
        else:
            moves = np.frombuffer(sample, dtype=ENTRY)
            view["length"][0] = moves.size
            view["history"][0, : moves.size] = moves
        return view

    def sample(self, private: States, seat: int, rng: np.random.Generator) -> Place:
        """Sample a determinization of a private view, shape ``(1,)``, and return its place.

        Raises:
            CannotSampleError: if the game has no way to sample.
        """
        length = int(private["length"][0])
        if length == UNKNOWN:
            why = self._facts.cannot_sample or "its resample_from_infostate gives none in this position"
            raise CannotSampleError(f"{self._facts.name} cannot sample what a seat does not know: {why}")
        place = self._places.at(private["history"][0, :length].tobytes())
        return self._sampled(place, seat, rng.random)

    def _any_sample(self, place: Place, seat: int) -> bytes | None:
        """Return the history of a determinization chosen by what the seat knows alone; None if none can be sampled."""
        if seat not in place.samples:
            place.samples[seat] = None
            if place.seat != CHANCE and (self._facts.hidden == "choices" or not self._facts.cannot_sample):
                known = f"{seat} {place.seat} {self.words(place.state, seat)}".encode()
                draws = random.Random(hashlib.blake2b(known, digest_size=8).digest())
                with contextlib.suppress(CannotSampleError):
                    place.samples[seat] = self._sampled(place, seat, draws.random).history
        return place.samples[seat]

    def _sampled(self, place: Place, seat: int, draw: Callable[[], float]) -> Place:
        if self._facts.hidden == "choices":
            return self._places.at(_other_choices(place.state, seat, draw))
        for _ in range(MOST_TRIES):
            try:
                state = place.state.resample_from_infostate(seat, draw)
                found = self._places.of_state(state)
                agrees = found.seat == place.seat and self.words(found.state, seat) == self.words(place.state, seat)
            except Exception as error:  # whatever OpenSpiel raises
                raise CannotSampleError(
                    f"{self._facts.name} cannot sample what a seat does not know: {in_one_line(error, 100)}"
                ) from None
            if not agrees:
                raise CannotSampleError(
                    f"{self._facts.name} cannot sample what a seat does not know: its resample_from_infostate gives a "
                    "state that the seat can tell apart"
                )
            # Seats with a single legal action are not asked, so everyone knows that this seat has more.
            if found.only_move is None:
                return found
        raise CannotSampleError(
            f"{self._facts.name} cannot sample what a seat does not know: its resample_from_infostate gave no state in "
            f"which there is a choice, {MOST_TRIES} times"
        )


def hidden_choices(state: Any, seat: int) -> list[int]:
    """Return the indices, in the history, of the simultaneous choices that others have made but the seat cannot see."""
    moves, chooser = state.full_history(), state.current_player()
    first = len(moves)
    while first and 0 <= moves[first - 1].player < chooser:
        first, chooser = first - 1, moves[first - 1].player
    return [k for k in range(first, len(moves)) if moves[k].player != seat]


def _other_choices(state: Any, seat: int, draw: Callable[[], float]) -> bytes:
    """Return a history in which the hidden choices are replaced by random ones."""
    history, hidden = state.history(), hidden_choices(state, seat)
    again = state.get_game().new_initial_state()
    for k in range(len(history)):
        if k in hidden:
            legal = again.legal_actions()
            history[k] = legal[int(draw() * len(legal))]
        again.apply_action(history[k])
    return np.array(history, dtype=ENTRY).tobytes()


def _fitting(position: dict[str, Any]) -> bytes:
    """Return a position as JSON that fits into a view, without the choices and with the text cut if it is too long."""
    found = json.dumps(position).encode()
    if len(found) > TEXT:
        found = json.dumps({"text": position["text"]}).encode()
    left = len(position["text"])
    while len(found) > TEXT:
        left -= max(1, (len(found) - TEXT) // 6)
        found = json.dumps({"text": position["text"][:left] + " ..."}).encode()
    return found
