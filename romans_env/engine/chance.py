"""Chance events during play: an outcome is a function of the game's chance words and the event's key alone.

Chance words are a pseudorandom key, as in JAX, and an event's key is the data that is folded into it. The words are
never stored in the state, so no view, copy or observation can reveal the future. Because every event has its own key
("the dice of turn 7"), the same words bring the same luck to both seatings of a duplicate deal, even if play differs.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import cached_jit, inlined

ROUNDS = 15
"""Outputs that are discarded, so that keys that differ in one bit lead to unrelated outcomes."""
_MASK = np.int64(0xFFFFFFFF)
DIE, NUM_FACES = 0, 6
"""The kind of event that is a die, and its number of faces; the outcomes are the values from 1 on. A game numbers its
own kinds of events from 1 on; their outcomes are listed."""
DRAWN = -1
"""The kind of event with too many outcomes to list, such as a deal: the outcome is written into the record and is
represented by the number 0."""


@inlined
def event_word(words, i, key):
    """Return 32 random bits for an event.

    They are the output, after ROUNDS discarded ones, of a random stream (`romans_env.engine.random_stream`) that is
    seeded with the game's words XOR the key.

    Args:
        words: chance words of games, int64, shape ``(n, 4)``.
        i: index of the game.
        key: the key of the event, an int64 of at least 0, unique within the game.
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
    """Return a uniform integer in [0, bound) for an event; for small bounds. Arguments as for `event_word`."""
    return (event_word(words, i, key) * bound) >> 32


@cached_jit
def draw_weighted(words, i, key, weights):
    """Return the index of an outcome, drawn with probability proportional to its weight.

    Args:
        words: chance words of games, int64, shape ``(n, 4)``.
        i: index of the game.
        key: the key of the event, as for `event_word`.
        weights: the weights, int64, shape ``(k,)``, at least 0 and not all 0.
    """
    left = np.int64(event_below(words, i, key, weights.sum()))
    place = np.int64(0)
    while left >= weights[place]:
        left -= weights[place]
        place += 1
    return place
