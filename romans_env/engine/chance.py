"""Chance during play: an outcome is a function of a game's chance words and of the event, and of nothing else.

The words stay beside the state, never in it, so that no view, copy or observation can give the future away. As every
event has a key of its own ("the dice of turn 7"), the same words bring the same luck to both seatings of a duplicate
deal, even when play differs.
"""

from __future__ import annotations

import numpy as np

from romans_env.engine.compiled import cached_jit, inlined
from romans_env.engine.random_stream import WORDS, below, next_word

_ROUNDS = 15
"""Outputs that are thrown away, so that keys that differ in one bit give unrelated streams."""
_MASK = np.int64(0xFFFFFFFF)


@inlined
def event_stream(words, i, key, stream):
    """Write the random stream of an event into ``stream[0]``.

    Args:
        words: chance words of games, int64, shape (n, 4).
        i: the game.
        key: of the event, an int64 of at least 0 that no other event of the game has.
        stream: int64, shape (1, 4), written.
    """
    stream[0, 0] = words[i, 0] ^ (key & _MASK)
    stream[0, 1] = words[i, 1] ^ ((key >> np.int64(32)) & _MASK)
    stream[0, 2] = words[i, 2]
    stream[0, 3] = words[i, 3]
    for _ in range(_ROUNDS):
        next_word(stream, 0)


@cached_jit
def draw_weighted(words, i, key, weights):
    """The position of an outcome drawn in proportion to its weight.

    Args:
        words: chance words of games, int64, shape (n, 4).
        i: the game.
        key: of the event, as for `event_stream`.
        weights: int64, shape (k,), at least 0 and not all 0.
    """
    stream = np.empty((1, WORDS), dtype=np.int64)
    event_stream(words, i, key, stream)
    left = np.int64(below(stream, 0, weights.sum()))
    place = np.int64(0)
    while left >= weights[place]:
        left -= weights[place]
        place += 1
    return place
