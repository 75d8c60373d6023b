"""The action space: 301 action ids in one flat range, a block for each kind of action (ROMA 8.2); sets of actions.

A set of actions is LEGAL_WORDS integers of 64 bits, one bit per action. Word boundaries follow the blocks: the `lay`
actions of a card for its six discs share a word, and no word uses its sign bit.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.core.action_blocks import blocks_in_order
from romans_env.engine.bits import lowest, nth_bit, num_bits
from romans_env.engine.random_stream import below
from romans_env.roma.material import CARDS, NUM_CARDS, NUM_DISCS, NUM_FACES
from romans_env.roma.state import LEGAL_WORDS, State

MAX_BOUGHT = 34
"""Most points that a mercator can buy (ROMA 8.2)."""


_DISCS = tuple(str(disc + 1) for disc in range(NUM_DISCS))
_FACES = tuple(str(face + 1) for face in range(NUM_FACES))


BLOCKS = blocks_in_order(
    (
        ("give", CARDS, "put this card of the hand aside for the rival (ROMA 3.2)"),
        (
            "lay",
            tuple(f"{card}:{disc}" for card in CARDS for disc in _DISCS),
            "lay this card on this own disc (3.3, 4.4, 6.1, 6.2, 6.12, 6.19)",
        ),
        ("throw", ("",), "throw three equal dice again (4.3)"),
        ("stand", ("",), "keep three equal dice (4.3)"),
        ("money", _FACES, "use a die of this value, for as many sestertii (4.4)"),
        ("cards", _FACES, "use a die of this value, draw as many cards, keep one (4.4)"),
        ("activate", _DISCS, "use a die of this value, activate the own card on this disc (4.4)"),
        ("end", ("",), "end the turn (4.4)"),
        ("keep", CARDS, "take this card of those drawn into the hand (4.4)"),
        ("take", CARDS, "take this card from the pile (6.11) or the discard pile (6.17) into the hand"),
        ("own", _DISCS, "pick up the card on this own disc (6.2, 6.19), or copy it (6.10)"),
        ("rival", _DISCS, "attack the rival's card on this disc (6.0, 6.4, 6.8, 6.13, 6.22), or block the disc (6.9)"),
        ("die", _FACES, "use a die of this value (6.16, 6.20), or change it (6.6)"),
        ("plus", ("",), "the die shows 1 more (6.6)"),
        ("minus", ("",), "the die shows 1 less (6.6)"),
        ("stop", ("",), "no more cards (6.1, 6.2, 6.12, 6.19), no die (6.16, 6.20)"),
        (
            "buy",
            tuple(str(n) for n in range(1, MAX_BOUGHT + 1)),
            "take n points from the rival for 2n sestertii (6.5)",
        ),
    )
)
ACTION_NAMES = tuple(name for block in BLOCKS for name in block.names)
NUM_ACTIONS = len(ACTION_NAMES)
(GIVE, LAY, THROW, STAND, MONEY, DRAW, ACTIVATE, END, KEEP, TAKE, OWN, RIVAL, DIE, PLUS, MINUS, STOP, BUY) = (
    np.int64(block.first) for block in BLOCKS
)
"""The first id of each block."""

_LAY_KINDS = 10
"""Number of kinds whose `lay` actions share a word."""
_STARTS = (0, *(int(LAY) + _LAY_KINDS * NUM_DISCS * k for k in range(3)), int(KEEP), int(OWN), NUM_ACTIONS)
"""The first action of each word, and the number of actions."""
_WORD_OF = np.array([word for word in range(LEGAL_WORDS) for _ in range(_STARTS[word], _STARTS[word + 1])], np.int64)
_BIT_OF = np.array([1 << (action - _STARTS[_WORD_OF[action]]) for action in range(NUM_ACTIONS)], dtype=np.int64)

START = np.array(_STARTS, dtype=np.int64)
_LAY_WORD = np.array([_WORD_OF[LAY + NUM_DISCS * kind] for kind in range(NUM_CARDS)], dtype=np.int64)
_LAY_BITS = np.array([_BIT_OF[LAY + NUM_DISCS * kind] for kind in range(NUM_CARDS)], dtype=np.int64)
"""The bit of each card's `lay` action on the first disc."""

ALL_DISCS = np.int64((1 << NUM_DISCS) - 1)


@inlined
def num_actions(state: State):
    """Return the size of the action space."""
    return NUM_ACTIONS


@inlined
def forbid_all(state: State):
    """Empty the set of legal actions."""
    for word in range(LEGAL_WORDS):
        state.legal[word] = 0


@inlined
def allow(state: State, action):
    """Add an action to the set of legal actions."""
    state.legal[_WORD_OF[action]] |= _BIT_OF[action]


@inlined
def allow_lay(state: State, kind, discs):
    """Add the `lay` actions of a card on each disc of ``discs`` (bits) to the set of legal actions."""
    state.legal[_LAY_WORD[kind]] |= discs * _LAY_BITS[kind]


@inlined
def allows(state: State, action):
    """Return whether an action is legal; ``action`` is in [0, 300]."""
    return state.legal[_WORD_OF[action]] & _BIT_OF[action] != 0


@inlined
def has_choice(state: State):
    """Return whether two or more actions are legal."""
    words = np.int64(0)
    more = np.int64(0)
    for word in range(LEGAL_WORDS):
        bits = state.legal[word]
        words += np.int64(bits != 0)
        more |= bits & (bits - np.int64(1))
    return (words > 1) | (more != 0)


@inlined
def only_action(state: State):
    """Return the only legal action; exactly one must be legal."""
    action = np.int64(0)
    for word in range(LEGAL_WORDS):
        if state.legal[word] != 0:
            action = START[word] + lowest(state.legal[word])
    return action


@inlined
def random_action(state: State, streams, i):
    """Draw a legal action uniformly from the random stream ``streams[i]``."""
    total = np.int64(0)
    for word in range(LEGAL_WORDS):
        total += num_bits(state.legal[word])
    n = below(streams, i, total)
    place = 0
    here = num_bits(state.legal[0])
    while n >= here:
        n -= here
        place += 1
        here = num_bits(state.legal[place])
    return START[place] + nth_bit(state.legal[place], n)


@inlined
def write_mask(state: State, masks, row):
    """Write the action mask into ``masks[row]``; ``masks`` is int8, shape ``(rows, NUM_ACTIONS)``."""
    for word in range(LEGAL_WORDS):
        bits = state.legal[word]
        for action in range(START[word], START[word + 1]):
            masks[row, action] = bits & np.int64(1)
            bits >>= np.int64(1)


@inlined
def write_actions(state: State, out):
    """Write the legal action ids into ``out``, ascending, and return their number."""
    count = 0
    for word in range(LEGAL_WORDS):
        bits = state.legal[word]
        while bits != 0:
            out[count] = START[word] + lowest(bits)
            count += 1
            bits &= bits - 1
    return count


assert NUM_ACTIONS == 301
assert all(_STARTS[word + 1] - _STARTS[word] < 63 for word in range(LEGAL_WORDS))
