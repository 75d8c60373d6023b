"""The action space: 56 action ids in one flat range, with a block for each kind of decision (RULES 4.13)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.core.action_blocks import blocks_in_order
from romans_env.engine.random_stream import below
from romans_env.romans_go_home import state
from romans_env.romans_go_home.material import FORTS, MAX_CLANS, NUM_FORTS, NUM_WARRIORS, WALL_SIZE, WARRIORS
from romans_env.romans_go_home.state import State

BLOCKS = blocks_in_order(
    (
        ("discard", WARRIORS, "set this warrior of the hand aside (RULES 3.1)"),
        ("place", WARRIORS, "put this warrior into the next slot from the left (3.2)"),
        ("reorder", WARRIORS, "Zvord: the next hidden slot from the left gets this warrior (4.10)"),
        ("charm", tuple(f"+{k}" for k in range(1, MAX_CLANS)), "Qween: charm the clan k seats further on (4.3)"),
        ("take", tuple(str(slot + 1) for slot in range(WALL_SIZE)), "Dru'hid: capture the fort of this slot (4.7)"),
        ("axx", ("keep", "discard"), "keep or discard the Axx who captured (4.8)"),
        ("unwary", ("keep", "discard"), "Unwary fort: keep or discard the weakest warrior (5.1)"),
        ("lose", WARRIORS, "discard this face-up warrior, for Horsie or a Signal fort (4.9, 5.2)"),
        ("give_up", FORTS, "Tax-collector: discard this captured fort (5.3)"),
    )
)
ACTION_NAMES = tuple(name for block in BLOCKS for name in block.names)
NUM_ACTIONS = len(ACTION_NAMES)

DISCARD, PLACE, REORDER, CHARM, TAKE, AXX_CHOICE, UNWARY_CHOICE, LOSE, GIVE_UP = (block.first for block in BLOCKS)
AXX_KEEP, AXX_DISCARD = AXX_CHOICE, AXX_CHOICE + 1
UNWARY_KEEP, UNWARY_DISCARD = UNWARY_CHOICE, UNWARY_CHOICE + 1

KIND_OF_PHASE = {
    state.PHASE_DISCARD: "discard",
    state.PHASE_PLACE: "place",
    state.PHASE_CHARM: "charm",
    state.PHASE_TAKE: "take",
    state.PHASE_AXX: "axx",
    state.PHASE_HORSIE: "lose",
    state.PHASE_ZVORD: "reorder",
    state.PHASE_UNWARY: "unwary",
    state.PHASE_SIGNAL: "lose",
    state.PHASE_TAX: "give_up",
}
"""The kind of decision that each phase asks for."""


@inlined
def bit(action):
    """Return a bit set with a single action."""
    return np.int64(1) << np.int64(action)


@inlined
def holds_several(legal):
    """Return whether a bit set holds two or more actions."""
    return legal & (legal - np.int64(1)) != 0


@inlined
def lowest(legal):
    """Return the smallest action of a non-empty bit set; `engine.bits.lowest` would add 2 ns to a step of 120."""
    action = 0
    rest = np.int64(legal)
    if rest & np.int64(0xFFFFFFFF) == 0:
        action += 32
        rest >>= np.int64(32)
    if rest & np.int64(0xFFFF) == 0:
        action += 16
        rest >>= np.int64(16)
    if rest & np.int64(0xFF) == 0:
        action += 8
        rest >>= np.int64(8)
    if rest & np.int64(0xF) == 0:
        action += 4
        rest >>= np.int64(4)
    if rest & np.int64(0x3) == 0:
        action += 2
        rest >>= np.int64(2)
    if rest & np.int64(0x1) == 0:
        action += 1
    return action


@inlined
def forbid_all(state: State):
    """Make no action legal."""
    state.legal = 0


@inlined
def has_choice(state: State):
    """Return whether two or more actions are legal."""
    return holds_several(state.legal)


@inlined
def only_action(state: State):
    """Return the only legal action, or -1 if there is none."""
    return np.int64(lowest(state.legal)) if state.legal != 0 else np.int64(-1)


@inlined
def num_actions(state: State):
    """Return the size of the action space."""
    return NUM_ACTIONS


@inlined
def allows(state: State, action):
    """Return whether an action is legal."""
    return state.legal & bit(action) != 0


@inlined
def write_actions(state: State, out):
    """Write the legal action ids into ``out``, ascending, and return their number."""
    legal = state.legal
    count = 0
    for action in range(NUM_ACTIONS):
        if legal & bit(action) != 0:
            out[count] = action
            count += 1
    return count


@inlined
def write_mask(state: State, masks, row):
    """Write the action mask into ``masks[row]``; ``masks`` is int8, shape ``(rows, NUM_ACTIONS)``."""
    legal = state.legal
    for action in range(NUM_ACTIONS):
        masks[row, action] = (legal >> np.int64(action)) & np.int64(1)


@inlined
def random_action(state: State, streams, i):
    """Draw a legal action uniformly from the random stream ``streams[i]``."""
    legal = state.legal
    first = np.int64(lowest(legal))
    window = legal >> first
    return first + _NTH[window, below(streams, i, np.int64(_NTH[window, _WIDEST]))]


def _nth_of_window():
    """Return a lookup table: row w has the positions of the set bits of w, and their number in the last column."""
    table = np.zeros((1 << _WIDEST, _WIDEST + 1), dtype=np.int8)
    for window in range(1 << _WIDEST):
        bits = [k for k in range(_WIDEST) if window >> k & 1]
        table[window, : len(bits)] = bits
        table[window, _WIDEST] = len(bits)
    return table


# Only one block of actions is open at a time, so the legal actions lie in a window as wide as the widest block. A
# table lookup takes 4 ns; counting to the n-th set bit takes 10, because its branches are mispredicted.
_WIDEST = max(len(block.choices) for block in BLOCKS)
_NTH = _nth_of_window()


@inlined
def warriors_as_actions(counts, seat, first):
    """Return the action ``first + w`` for each warrior kind w with ``counts[seat, w] > 0``, as bits."""
    legal = np.int64(0)
    for warrior in range(NUM_WARRIORS):
        if counts[seat, warrior] > 0:
            legal |= bit(first + warrior)
    return legal


assert NUM_ACTIONS <= 63 and len(BLOCKS[-1].choices) == NUM_FORTS
