"""Chance during play: an outcome is a function of a game's chance words and of the event, and of nothing else.

The words stay beside the state, never in it, so that no view, copy or observation can give the future away. As every
event has a key of its own ("the dice of turn 7"), the same words bring the same luck to both seatings of a duplicate
deal, even when play differs.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import cached_jit, inlined

ROUNDS = 15
"""Outputs that are thrown away, so that keys that differ in one bit give unrelated streams."""
_MASK = np.int64(0xFFFFFFFF)
DIE, NUM_FACES = 0, 6
"""The kind of event that is a die, and its faces; the outcome is the value, from 1 on. Kinds from 1 on are listed."""
DRAWN = -1
"""The kind of event with too many outcomes to list, such as a deal: it is drawn into the record, as outcome 0."""


@inlined
def event_word(words, i, key):
    """Return 32 random bits of an event.

    They are what the random stream (`romans_env.engine.random_stream`) that begins with the game's words, changed by
    the key, gives after its first ROUNDS outputs.

    Args:
        words: chance words of games, int64, shape (n, 4).
        i: the game.
        key: the key of the event, an int64 of at least 0 that no other event of the game has.
    """
    a = words[i, 0] ^ (key & _MASK)
    b = words[i, 1] ^ ((key >> np.int64(32)) & _MASK)
    c = words[i, 2]
    counter = words[i, 3]
    result = np.int64(0)
    for _ in range(ROUNDS + 1):
        result = (a + b + counter) & _MASK
        counter = (counter + 1) & _MASK
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & _MASK
        c = ((((c << 21) & _MASK) | (c >> 11)) + result) & _MASK
    return result


@inlined
def event_below(words, i, key, bound):
    """Return a uniform integer in [0, bound), for a small bound, that an event decides."""
    return (event_word(words, i, key) * bound) >> 32


@cached_jit
def draw_weighted(words, i, key, weights):
    """Return the position of an outcome drawn in proportion to its weight.

    Args:
        words: chance words of games, int64, shape (n, 4).
        i: the game.
        key: the key of the event, as for `event_word`.
        weights: int64, shape (k,), at least 0 and not all 0.
    """
    left = np.int64(event_below(words, i, key, weights.sum()))
    place = np.int64(0)
    while left >= weights[place]:
        left -= weights[place]
        place += 1
    return place
