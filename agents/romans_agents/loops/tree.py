"""The tree of a search: a hash table of nodes, each with its legal actions and their statistics."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined
from romans_env.engine.random_stream import below

NO_PLACE = -1
LARGEST_TREE = 2**18
"""The maximum number of nodes; a full tree grows no further."""
_PROBES = 16
"""Number of places in the hash table that are tried for a key."""


class Tree(NamedTuple):
    """A search tree: its nodes in a hash table, and one list with the actions of all nodes.

    Attributes:
        keys: the hash of each node's information set, 0 for a free place: int64, shape ``(size,)``. The size is a power
            of 2.
        first: the index of each node's first action in the list of actions: int32, shape ``(size,)``.
        counts: the number of each node's actions: int16, shape ``(size,)``.
        used: the number of actions of all nodes together: int64, shape ``(1,)``.
        actions: the ids of the actions: int16, shape ``(room,)``.
        visits: the number of visits of each action: int32, shape ``(room,)``.
        totals: for each action, the sum of the returns of the seat that chooses it: float64, shape ``(room,)``.
        priors: the prior probability of each action: float32, shape ``(room,)``.
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
            size: the maximum number of nodes; a power of 2.
            room: the maximum number of actions of all nodes together.
        """
        lengths = (size, size, size, 1, room, room, room, room)
        kinds = (np.int64, np.int32, np.int16, np.int64, np.int16, np.int32, np.float64, np.float32)
        arrays: Any = map(np.zeros, lengths, kinds)
        return cls(*arrays)


@inlined
def hash_of(hashed, row):
    """Return a positive hash, int64, of a row of integers.

    Every integer is mixed in by a multiplication and a shift, with the constants of splitmix64.

    Args:
        hashed: integers, shape ``(rows, m)``.
        row: the index of the row to hash.
    """
    key = np.uint64(0x9E3779B97F4A7C15)
    for k in range(hashed.shape[1]):
        key = (key ^ np.uint64(hashed[row, k])) * np.uint64(0xBF58476D1CE4E5B9)
        key ^= key >> np.uint64(29)
    return np.int64(key >> np.uint64(1)) | np.int64(1)


@inlined
def find(tree, key):
    """Return the place of a key in the hash table or, if the key is absent, a free place for it.

    The result is NO_PLACE if other keys take all places that are tried.
    """
    mask = tree.keys.shape[0] - 1
    place = (key >> 1) & mask
    for _ in range(_PROBES):
        if tree.keys[place] == key or tree.keys[place] == 0:
            return place
        place = (place + 1) & mask
    return np.int64(NO_PLACE)


@inlined
def add_node(tree, place, key, actions, priors, count):
    """Add a node at a free place; if there is no room for its actions, change nothing and return False.

    Args:
        tree: the `Tree`.
        place: a free place, from `find`.
        key: the hash of the node's information set.
        actions: ids of the legal actions, int64, shape ``(count,)`` or longer.
        priors: their prior probabilities, float64, shape ``(count,)`` or longer.
        count: the number of legal actions.
    """
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
    """Select an action of a node by PUCT (Silver et al. 2017): the highest mean return plus exploration term.

    The mean return of the node stands in for the mean return of an action without visits. Ties are broken at random.

    Args:
        tree: the `Tree`.
        place: the place of the node.
        exploration: weight of the exploration term.
        streams: the search's random stream, int64, shape ``(1, 4)``.

    Returns:
        The index of the action in ``tree.actions``.
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
    """Add the statistics of a node's actions to arrays indexed by action id; add nothing if there is no such node.

    Args:
        tree: the `Tree`.
        key: the hash of the node's information set.
        visits: int64, shape ``(num_actions,)``; the visits are added to it.
        totals: float64, shape ``(num_actions,)``; the sums of returns are added to it.
    """
    place = find(tree, key)
    if place != NO_PLACE and tree.keys[place] != 0:
        for k in range(tree.first[place], tree.first[place] + tree.counts[place]):
            visits[tree.actions[k]] += tree.visits[k]
            totals[tree.actions[k]] += tree.totals[k]


def size_for(num_players: int, iterations: int | None) -> int:
    """Return the number of nodes for which a tree needs room: a power of 2, at most LARGEST_TREE.

    It is at least twice the number of nodes that the iterations can add. If ``iterations`` is None, it is LARGEST_TREE.
    """
    if iterations is None:
        return LARGEST_TREE
    return min(LARGEST_TREE, 1 << math.ceil(math.log2(2 * num_players * iterations + 1)))


def most_tried(visits: npt.NDArray[np.int64], totals: npt.NDArray[np.float64]) -> int:
    """Return the action with the most visits; ties are broken by the highest sum of returns.

    Args:
        visits: the number of visits of each action: int64, shape ``(num_actions,)``.
        totals: the sum of returns of each action: float64, shape ``(num_actions,)``.
    """
    most = np.flatnonzero(visits == visits.max())
    return int(most[totals[most].argmax()])
