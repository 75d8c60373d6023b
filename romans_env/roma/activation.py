"""Activating cards (ROMA 5.2): their conditions, the start of their effects, and the scaenicus, which copies (6.10)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.roma import material
from romans_env.roma.actions import OWN, allow
from romans_env.roma.battles import begin_battle
from romans_env.roma.general import finish_effect, has_dice, is_building, is_character, use_die
from romans_env.roma.moving import has_in_hand, lays_from_hand, moves_cards
from romans_env.roma.points import get_for_free_discs, num_opposing_forums, take_points
from romans_env.roma.state import PHASE_BUY, PHASE_DIE, PHASE_LAY, PHASE_OWN, PHASE_RIVAL, PHASE_TAKE, State
from romans_env.roma.taking import has_discarded_character, look_through_pile
from romans_env.roma.turn import num_free_discs


@jitted
def can_work(state: State, kind, disc):
    """Return whether a card's condition holds for disc d and the unused dice (ROMA 6); not for a scaenicus."""
    rival = 1 - state.seat
    holds = True
    if (kind == material.SICARIUS) | (kind == material.GLADIATOR) | (kind == material.VELITES):
        holds = False
        for other in range(material.NUM_DISCS):
            holds |= is_character(state.discs[rival, other])
    elif (kind == material.NERO) | (kind == material.ONAGER):
        holds = False
        for other in range(material.NUM_DISCS):
            holds |= is_building(state.discs[rival, other])
    elif (kind == material.ARCHITECTUS) | (kind == material.SENATOR):
        holds = has_in_hand(state, kind)
    elif kind == material.LEGAT:
        holds = num_free_discs(state, rival) > 0
    elif kind == material.ESSEDUM:
        holds = num_free_discs(state, rival) < material.NUM_DISCS
    elif kind == material.MERCATOR:
        holds = state.money[state.seat] >= 2
    elif (kind == material.CONSUL) | (kind == material.FORUM):
        holds = has_dice(state)
    elif (kind == material.LEGIONARIUS) | (kind == material.CENTURIO):
        holds = state.discs[rival, disc] != material.NONE
    elif kind == material.HARUSPEX:
        holds = (state.pile_size > 0) | (state.discard_size > 0)
    elif kind == material.AESCULAPINUM:
        holds = has_discarded_character(state)
    elif kind == material.MERCATUS:
        holds = num_opposing_forums(state) > 0
    elif (kind == material.BASILICA) | (kind == material.TEMPLUM) | (kind == material.TURRIS):
        holds = False
    return holds


@inlined
def can_copy(state: State, other, disc):
    """Return whether a scaenicus on ``disc`` can copy the card on ``other``, another disc of the player (ROMA 6.10)."""
    kind = state.discs[state.seat, other]
    return is_character(kind) and kind != material.SCAENICUS and can_work(state, kind, disc)


@inlined
def activations(state: State):
    """Return the discs that an unused die may activate, as bits (ROMA 4.4, 5.2)."""
    found = np.int64(0)
    for disc in range(material.NUM_FACES):
        kind = state.discs[state.seat, disc]
        if state.dice[disc] > 0 and kind != material.NONE and state.blocked[state.seat, disc] == 0:
            # The condition must hold for the dice that remain after this one is used.
            state.dice[disc] -= 1
            if kind == material.SCAENICUS:
                for other in range(material.NUM_DISCS):
                    if can_copy(state, other, disc):
                        found |= np.int64(1) << np.int64(disc)
                        break
            elif can_work(state, kind, disc):
                found |= np.int64(1) << np.int64(disc)
            state.dice[disc] += 1
    return found


@inlined
def activate(state: State, disc):
    """Use a die and begin the effect of the card on its disc (ROMA 4.4)."""
    use_die(state, disc)
    state.disc = disc
    kind = state.discs[state.seat, disc]
    if kind == material.SCAENICUS:
        state.effect = material.SCAENICUS
        state.phase = PHASE_OWN
    else:
        begin_effect(state, kind)


@inlined
def open_copy(state: State):
    """Allow the player's cards that the scaenicus can copy (ROMA 6.10)."""
    for other in range(material.NUM_DISCS):
        if can_copy(state, other, state.disc):
            allow(state, OWN + other)


@inlined
def choose_copy(state: State, action):
    """Begin the effect of the copied card, with the scaenicus's disc as d (ROMA 6.10)."""
    begin_effect(state, state.discs[state.seat, action - OWN])


@jitted
def begin_effect(state: State, kind):
    """Begin a card's effect with ``state.disc`` as d: do it, or go on to its decision or battle (ROMA 6)."""
    state.effect = kind
    if kind == material.LEGAT:
        get_for_free_discs(state)
    elif kind == material.TRIBUNUS:
        take_points(state, 1)
    elif kind == material.MERCATUS:
        take_points(state, num_opposing_forums(state))
    elif kind == material.ESSEDUM:
        state.essedum += 1
        finish_effect(state)
    elif (kind == material.LEGIONARIUS) | (kind == material.CENTURIO):
        begin_battle(state, state.disc)
    elif lays_from_hand(kind):
        state.phase = PHASE_LAY
    elif moves_cards(kind):
        state.phase = PHASE_OWN
    elif kind == material.MERCATOR:
        state.phase = PHASE_BUY
    elif (kind == material.CONSUL) | (kind == material.FORUM):
        state.phase = PHASE_DIE
    elif kind == material.HARUSPEX:
        look_through_pile(state)
    elif kind == material.AESCULAPINUM:
        state.phase = PHASE_TAKE
    else:
        state.phase = PHASE_RIVAL
