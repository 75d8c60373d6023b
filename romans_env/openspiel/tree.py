"""The whole tree of a small game as one table, which compiled steps read (`romans_env.openspiel.tree_steps`).

A table is an array of int64 words: a header, then rows of places, moves, information sets and their members, then the
observations. Places, moves and information sets are numbered from 0; the root is place 0.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.compiling.tables import publish
from romans_env.core.protocol import CHANCE, GAME_OVER
from romans_env.openspiel.facts import Facts
from romans_env.openspiel.places import ENTRY, Place, Places
from romans_env.openspiel.views import Views, hidden_choices
from romans_env.openspiel.weights import MOST

Words = npt.NDArray[np.int64]

PLAYERS, ACTIONS, ENTRIES, FIRST_PLACE, FIRST_MOVE, FIRST_SET, FIRST_MEMBER, FIRST_SEEN = range(8)
"""The header: the number of players, the sizes of the action space and of an observation, and the starts of all rows
of each kind."""
SEAT, MOVES, NUM_MOVES, NUM_CHANCE, WEIGHT, FOR_PLAYERS = range(6)
"""A place: the seat to act, the first move, the number of moves, the number of chance events so far, and the sum of the
weights of its moves; then for each player:"""
POINTS, RETURN, WINS, SET, OF_A_PLAYER = range(5)
"""the points, the bits of the return, whether it wins, and the number of its information set."""
MOVE, NEXT, MOVE_WEIGHT, OF_A_MOVE = range(4)
"""A move: the action or outcome, the place after it, and the weight of an outcome."""
SHOWN, MEMBERS, NUM_MEMBERS, SET_WEIGHT, SEEN, OF_A_SET = range(6)
"""An information set: its first place, which represents it, its first member, the number of members, the sum of their
weights, and the number of its observation."""
PLACE, MEMBER_WEIGHT, OF_A_MEMBER = range(3)
"""A member of an information set: a place, and a weight in proportion to its chance probability."""


class Tree:
    """All places of a small game, enumerated once.

    Args:
        facts: the properties of the game.
        places: the cache of its places.
        views: its private views.

    Attributes:
        histories: the history of each place, as `Place.history`.
        numbers: the number of the place of each history.
        sets: the information set of each seat at each place: int64, shape ``(places, players)``.
        members: for each information set, its places, ascending, and their weights: two arrays, int64, shape ``(k,)``.
    """

    def __init__(self, facts: Facts, places: Places, views: Views):
        self._facts, self._views = facts, views
        self.histories: list[bytes] = [places.root.history]
        self.numbers: dict[bytes, int] = {places.root.history: 0}
        self._rows: list[_Row] = []
        known: dict[Hashable, int] = {}
        self._seen: dict[bytes, int] = {}
        seen_of_set: list[int] = []
        members: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        reach, pending = [1.0], deque([places.root])
        while pending:
            place, number = pending.popleft(), len(self._rows)
            moves, total = [], sum(weight for _, weight in place.outcomes)
            for move, weight in place.outcomes or [(action, 0) for action in place.legal]:
                following = places.after(place, move)
                moves.append((move, len(self.histories), weight))
                self.numbers[following.history] = len(self.histories)
                self.histories.append(following.history)
                reach.append(reach[number] * (weight / total if place.seat == CHANCE else 1.0))
                pending.append(following)
            sets = []
            for seat in range(facts.num_players):
                one = known.setdefault(self._known_to(place, seat), len(known))
                if one == len(seen_of_set):
                    tensor = views.tensor(place, seat).tobytes()
                    seen_of_set.append(self._seen.setdefault(tensor, len(self._seen)))
                members[one].append((number, reach[number]))
                sets.append(one)
            self._rows.append(_Row(place.seat, place.num_chance, moves, _returns_of(place, facts), sets))
        self._seen_of_set = seen_of_set
        self.sets = np.array([row.sets for row in self._rows], dtype=np.int64)
        self.members = [_weighted(members[one]) for one in range(len(members))]

    def _known_to(self, place: Place, seat: int) -> Hashable:
        """Return a key that is equal for two places if, and only if, a seat cannot tell them apart."""
        if self._facts.hidden == "nothing" or place.seat == GAME_OVER:
            return seat, place.history
        if self._facts.hidden == "choices":
            moves = np.frombuffer(place.history, dtype=ENTRY).copy()
            moves[hidden_choices(place.state, seat)] = -1
            return seat, moves.tobytes()
        if place.seat == CHANCE:
            return seat, CHANCE
        own = tuple(place.legal) if place.seat == seat else ()
        earned = place.state.returns()[seat] if self._facts.pays_as_it_goes else 0
        seen = self._views.tensor(place, seat).tobytes()
        return seat, place.seat, own, earned, self._views.words(place.state, seat), seen

    def table(self, points: Any, returns: Any, wins: Any) -> Words:
        """Return the table: int64, shape ``(words,)``.

        Args:
            points: the points of each player at each place, integers, shape ``(places, players)``.
            returns: the returns, floats in [-1, 1], of the same shape.
            wins: whether the player wins if the game ends there, bool, of the same shape.
        """
        facts, rows = self._facts, self._rows
        num_moves = np.array([len(row.moves) for row in rows], dtype=np.int64)
        moves = np.array([move for row in rows for move in row.moves], dtype=np.int64).reshape(-1, OF_A_MOVE)
        fixed = np.zeros((len(rows), FOR_PLAYERS), dtype=np.int64)
        fixed[:, SEAT] = [row.seat for row in rows]
        fixed[:, MOVES], fixed[:, NUM_MOVES] = num_moves.cumsum() - num_moves, num_moves
        fixed[:, NUM_CHANCE] = [row.num_chance for row in rows]
        fixed[:, WEIGHT] = [sum(weight for _, _, weight in row.moves) for row in rows]
        of_players = np.zeros((len(rows), facts.num_players, OF_A_PLAYER), dtype=np.int64)
        of_players[:, :, POINTS], of_players[:, :, WINS], of_players[:, :, SET] = points, wins, self.sets
        of_players[:, :, RETURN] = np.asarray(returns, dtype=np.float64).view(np.int64)
        sizes = np.array([len(numbers) for numbers, _ in self.members], dtype=np.int64)
        sets = np.zeros((len(self.members), OF_A_SET), dtype=np.int64)
        sets[:, SHOWN] = [numbers[0] for numbers, _ in self.members]
        sets[:, MEMBERS], sets[:, NUM_MEMBERS] = sizes.cumsum() - sizes, sizes
        sets[:, SET_WEIGHT] = [weights.sum() for _, weights in self.members]
        sets[:, SEEN] = self._seen_of_set
        members = np.column_stack([np.concatenate(parts) for parts in zip(*self.members, strict=True)])
        seen = np.frombuffer(b"".join(self._seen), dtype=np.float32).view(np.int32).astype(np.int64)
        parts = [np.concatenate([fixed, of_players.reshape(len(rows), -1)], axis=1), moves, sets, members, seen]
        flat = [part.ravel() for part in parts]
        header = np.zeros(FIRST_SEEN + 1, dtype=np.int64)
        header[PLAYERS], header[ACTIONS], header[ENTRIES] = (
            facts.num_players,
            facts.num_actions,
            facts.observation_size,
        )
        sizes_of_parts = np.array([part.size for part in flat])
        header[FIRST_PLACE:] = header.size + sizes_of_parts.cumsum() - sizes_of_parts
        return np.concatenate([header, *flat])

    @property
    def returns(self) -> npt.NDArray[np.float64]:
        """OpenSpiel's returns of each player at each place: float64, shape ``(places, players)``.

        They are 0 before the end, unless the game pays as it goes.
        """
        return np.array([row.returns for row in self._rows])


class _Row(NamedTuple):
    seat: int
    num_chance: int
    moves: list[tuple[int, int, int]]
    returns: list[float]
    sets: list[int]


def _returns_of(place: Place, facts: Facts) -> list[float]:
    pays = place.seat == GAME_OVER or facts.pays_as_it_goes
    return place.state.returns() if pays else [0.0] * facts.num_players


def _weighted(members: list[tuple[int, float]]) -> tuple[Words, Words]:
    """Return the places of an information set, and integer weights in proportion to their chance probabilities."""
    numbers, reach = zip(*members, strict=True)
    chances = np.array(reach)
    weights = np.maximum(1, (chances / chances.sum() * MOST).round())
    return np.array(numbers, dtype=np.int64), weights.astype(np.int64)


def published(table: Words) -> int:
    """Publish a table, int64, shape ``(words,)``, for compiled steps; return its key, a digest of its content."""
    content = table.tobytes()
    key = int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little") >> 1
    entries = np.frombuffer(content, dtype=np.int16)
    publish(key, entries)
    return key
