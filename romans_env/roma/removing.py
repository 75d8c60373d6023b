"""Effects that choose a disc of the rival: ROMA 6.0, 6.4, 6.8, 6.9, 6.13, 6.22."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined
from romans_env.roma.actions import RIVAL, allow
from romans_env.roma.battles import begin_battle
from romans_env.roma.general import add_to_hand, discard_from, finish_effect, is_building, is_character
from romans_env.roma.knowledge import add_known
from romans_env.roma.material import GLADIATOR, NERO, NONE, NUM_DISCS, ONAGER, PRAETORIANUS, SICARIUS
from romans_env.roma.state import State


@inlined
def may_choose(state: State, effect, disc):
    """Return whether an effect may target a disc of the rival."""
    kind = state.discs[1 - state.seat, disc]
    if effect == PRAETORIANUS:
        return state.blocked[1 - state.seat, disc] == 0
    if (effect == NERO) | (effect == ONAGER):
        return is_building(kind)
    return is_character(kind)


@inlined
def open_rival(state: State):
    """Allow the rival's discs that the effect may target."""
    for disc in range(NUM_DISCS):
        if may_choose(state, state.effect, disc):
            allow(state, RIVAL + disc)


@inlined
def choose_rival(state: State, action):
    """Carry out the effect on the chosen disc."""
    disc = action - RIVAL
    if (state.effect == SICARIUS) | (state.effect == NERO):
        remove_for_own_card(state, disc)
    elif state.effect == GLADIATOR:
        send_home(state, disc)
    elif state.effect == PRAETORIANUS:
        state.blocked[1 - state.seat, disc] = 1
        finish_effect(state)
    else:
        begin_battle(state, disc)


@inlined
def remove_for_own_card(state: State, disc):
    """Discard the chosen card of the rival and the player's card on disc d (ROMA 6.0, 6.8)."""
    discard_from(state, 1 - state.seat, disc)
    discard_from(state, state.seat, state.disc)
    finish_effect(state)


@inlined
def send_home(state: State, disc):
    """Return the card to its owner's hand, where the player still knows it (ROMA 6.4, 9.2 b)."""
    rival = 1 - state.seat
    kind = state.discs[rival, disc]
    add_to_hand(state, rival, kind)
    add_known(state, rival, kind)
    state.discs[rival, disc] = NONE
    finish_effect(state)
