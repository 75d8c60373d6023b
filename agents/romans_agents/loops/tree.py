"""The tree of a search: nodes in a hash table, each with its legal actions and what was found of them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined
from romans_env.engine.random_stream import below

NO_PLACE = -1
LARGEST_TREE = 2**18
"""Nodes at most; a full tree grows no further."""
_PROBES = 16


class Tree(NamedTuple):
    """Nodes in a hash table, and the actions of all nodes one after the other.

    Attributes:
        keys: hash of what the player knows, 0 for a free place: int64, shape (size,), size a power of 2.
        first: where the node's actions begin: int32, shape (size,).
        counts: how many it has: int16, shape (size,).
        used: actions of all nodes: int64, shape (1,).
        actions: ids: int16, shape (room,).
        visits: int32, shape (room,).
        totals: sums of returns for the player that decides: float64, shape (room,).
        priors: float32, shape (room,).
    """

    keys: npt.NDArray[np.int64]
    first: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int16]
    used: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int16]
    visits: npt.NDArray[np.int32]
    totals: npt.NDArray[np.float64]
    priors: npt.NDArray[np.float32]

    @classmethod
    def new(cls, size: int, room: int) -> Tree:
        """Return an empty tree.

        Args:
            size: the most nodes, a power of 2.
            room: the most actions of all nodes together.
        """
        return cls(
            np.zeros(size, dtype=np.int64),
            np.zeros(size, dtype=np.int32),
            np.zeros(size, dtype=np.int16),
            np.zeros(1, dtype=np.int64),
            np.zeros(room, dtype=np.int16),
            np.zeros(room, dtype=np.int32),
            np.zeros(room, dtype=np.float64),
            np.zeros(room, dtype=np.float32),
        )


@inlined
def hash_of(hashed, row):
    """Return a hash of a record, never 0 (a multiply and a shift for each integer; constants of splitmix64)."""
    key = np.uint64(0x9E3779B97F4A7C15)
    for k in range(hashed.shape[1]):
        key = (key ^ np.uint64(hashed[row, k])) * np.uint64(0xBF58476D1CE4E5B9)
        key ^= key >> np.uint64(29)
    return np.int64(key >> np.uint64(1)) | np.int64(1)


@inlined
def find(tree, key):
    """Return the place of a key, or the free place where it belongs; NO_PLACE when its neighbourhood is full."""
    mask = tree.keys.shape[0] - 1
    place = (key >> 1) & mask
    for _ in range(_PROBES):
        if tree.keys[place] == key or tree.keys[place] == 0:
            return place
        place = (place + 1) & mask
    return np.int64(NO_PLACE)


@inlined
def add_node(tree, place, key, actions, priors, count):
    """Put a new node, with ``count`` legal actions and their priors, into a free place; return whether one was left."""
    first = tree.used[0]
    if first + count > tree.actions.shape[0]:
        return False
    tree.keys[place] = key
    tree.first[place] = first
    tree.counts[place] = count
    tree.used[0] = first + count
    for k in range(count):
        tree.actions[first + k] = actions[k]
        tree.priors[first + k] = priors[k]
    return True


@inlined
def select(tree: Any, place: Any, exploration: Any, streams: Any) -> Any:
    """Return the position in ``tree.actions`` of the most promising action.

    Promise is the mean return and an exploration term (PUCT: Silver et al. 2017). An action not tried yet counts as the
    mean of those tried. Ties are broken by chance.
    """
    first = np.int64(tree.first[place])
    last = first + tree.counts[place]
    visits = np.int64(0)
    total = 0.0
    for k in range(first, last):
        visits += tree.visits[k]
        total += tree.totals[k]
    mean = total / visits if visits > 0 else 0.0
    root = np.sqrt(float(visits) + 1.0)
    best: Any = first
    best_score, equals = -1e9, 0
    for k in range(first, last):
        tries = tree.visits[k]
        score = tree.totals[k] / tries if tries > 0 else mean
        score += exploration * tree.priors[k] * root / (1.0 + tries)
        if score > best_score:
            best, best_score, equals = k, score, 1
        elif score == best_score:
            equals += 1
            if below(streams, 0, equals) == 0:
                best = k
    return best


@inlined
def read_node(tree, key, visits, totals):
    """Add the visits and totals of a node to those by action, shape (number of actions,); of no node, nothing."""
    place = find(tree, key)
    if place != NO_PLACE and tree.keys[place] != 0:
        for k in range(tree.first[place], tree.first[place] + tree.counts[place]):
            visits[tree.actions[k]] += tree.visits[k]
            totals[tree.actions[k]] += tree.totals[k]


def size_for(num_players: int, iterations: int | None) -> int:
    """Return room, a power of 2, for twice the nodes that the iterations can add, or LARGEST_TREE if that is less."""
    if iterations is None:
        return LARGEST_TREE
    return min(LARGEST_TREE, 1 << math.ceil(math.log2(2 * num_players * iterations + 1)))


def most_tried(visits: npt.NDArray[np.int64], totals: npt.NDArray[np.float64]) -> int:
    """Return the action of the most visits; of equals, that of the highest total."""
    most = np.flatnonzero(visits == visits.max())
    return int(most[totals[most].argmax()])
