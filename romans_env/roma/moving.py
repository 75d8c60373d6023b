"""Cards that lay others for free: architectus (ROMA 6.1), consiliarius (6.2), senator (6.12), machina (6.19)."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined
from romans_env.roma import material
from romans_env.roma.actions import ALL_DISCS, LAY, OWN, STOP, allow, allow_lay
from romans_env.roma.general import finish_effect, is_building, is_character, lay_card, put_aside, take_from_aside
from romans_env.roma.state import PHASE_LAY, State
from romans_env.roma.turn import lay_from_hand

# -- architectus and senator


@inlined
def lays_from_hand(effect):
    """Return whether an effect lays cards from the hand (ROMA 6.1, 6.12)."""
    return (effect == material.ARCHITECTUS) | (effect == material.SENATOR)


@inlined
def has_in_hand(state: State, effect):
    """Return whether the player holds a building (for an architectus) or a character (for a senator)."""
    found = False
    for kind in range(material.NUM_CARDS):
        if state.hand[state.seat, kind] > 0 and (kind < material.NUM_CHARACTERS) == (effect == material.SENATOR):
            found = True
    return found


@inlined
def open_lay_from_hand(state: State):
    """Allow laying any building (or character) of the hand on any own disc; later also `stop` (ROMA 6.1, 6.12)."""
    for kind in range(material.NUM_CARDS):
        if state.hand[state.seat, kind] > 0 and (kind < material.NUM_CHARACTERS) == (state.effect == material.SENATOR):
            allow_lay(state, kind, ALL_DISCS)
    if state.value > 0:
        allow(state, STOP)


@inlined
def choose_lay_from_hand(state: State, action):
    """Lay a card for free, or stop (ROMA 6.1, 6.12)."""
    if action == STOP:
        finish_effect(state)
    else:
        lay_from_hand(state, (action - LAY) // material.NUM_DISCS, (action - LAY) % material.NUM_DISCS)
        state.value += 1


# -- consiliarius and machina


@inlined
def moves_cards(effect):
    """Return whether an effect picks up the player's cards and lays them again (ROMA 6.2, 6.19)."""
    return (effect == material.CONSILIARIUS) | (effect == material.MACHINA)


@inlined
def open_pick_up(state: State):
    """Allow any own disc with a character (or building); after the first pick-up also `stop` (ROMA 6.2, 6.19)."""
    for disc in range(material.NUM_DISCS):
        kind = state.discs[state.seat, disc]
        if is_character(kind) if state.effect == material.CONSILIARIUS else is_building(kind):
            allow(state, OWN + disc)
    if state.aside_size[state.seat] > 0:
        allow(state, STOP)


@inlined
def choose_pick_up(state: State, action):
    """Pick up a card, or stop and go on to lay the cards picked up (ROMA 6.2, 6.19)."""
    if action == STOP:
        state.phase = PHASE_LAY
    else:
        put_aside(state, state.seat, state.discs[state.seat, action - OWN])
        state.discs[state.seat, action - OWN] = material.NONE


@inlined
def open_lay_again(state: State):
    """Allow laying any card picked up on any own disc (ROMA 6.2, 6.19)."""
    for kind in range(material.NUM_CARDS):
        if state.aside[state.seat, kind] > 0:
            allow_lay(state, kind, ALL_DISCS)


@inlined
def choose_lay_again(state: State, action):
    """Lay a card picked up; the effect ends with the last one (ROMA 6.2, 6.19)."""
    kind = (action - LAY) // material.NUM_DISCS
    take_from_aside(state, state.seat, kind)
    lay_card(state, kind, (action - LAY) % material.NUM_DISCS)
    if state.aside_size[state.seat] == 0:
        finish_effect(state)
