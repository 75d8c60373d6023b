"""Cards that take another card into the hand: haruspex (ROMA 6.11), aesculapinum (6.17)."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined
from romans_env.roma.actions import TAKE, allow
from romans_env.roma.general import add_to_hand, finish_effect
from romans_env.roma.knowledge import add_known, know_all, know_all_if_pile_is_empty
from romans_env.roma.material import HARUSPEX, NUM_CARDS, NUM_CHARACTERS
from romans_env.roma.state import PHASE_TAKE, State
from romans_env.roma.turn import refill_pile, take_from_pile


@inlined
def look_through_pile(state: State):
    """Begin a haruspex: the player sees the pile, so he can infer the rival's hidden cards (ROMA 6.11, 9.2 c)."""
    state.left = 1
    refill_pile(state)
    state.left = 0
    know_all(state, 1 - state.seat)
    state.phase = PHASE_TAKE


@inlined
def has_discarded_character(state: State):
    """Return whether a character is in the discard pile (ROMA 6.17)."""
    found = False
    for kind in range(NUM_CHARACTERS):
        if state.discard[kind] > 0:
            found = True
    return found


@inlined
def open_take(state: State):
    """Allow any card in the pile (ROMA 6.11), or any character in the discard pile (6.17)."""
    if state.effect == HARUSPEX:
        for kind in range(NUM_CARDS):
            if state.pile[kind] > 0:
                allow(state, TAKE + kind)
    else:
        for kind in range(NUM_CHARACTERS):
            if state.discard[kind] > 0:
                allow(state, TAKE + kind)


@inlined
def choose_take(state: State, action):
    """Take a card into the player's hand; from the discard pile, the rival knows it (ROMA 6.11, 6.17, 9.2 b, d)."""
    kind = action - TAKE
    add_to_hand(state, state.seat, kind)
    if state.effect == HARUSPEX:
        take_from_pile(state, kind)
        know_all_if_pile_is_empty(state)
    else:
        state.discard[kind] -= 1
        state.discard_size -= 1
        add_known(state, state.seat, kind)
    finish_effect(state)
