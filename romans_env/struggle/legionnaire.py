"""Moving the legionnaire (STRUGGLE 4.4), by a seven or by a diplomacy (6.1)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle.actions import LEGION, ROB, allow_if
from romans_env.struggle.dice import seats_at_hex, throw_on
from romans_env.struggle.general import hand_size, seat_after
from romans_env.struggle.material import NONE
from romans_env.struggle.state import HEXES, STAGE_BUILD, STAGE_LEGION, STAGE_ROB, STAGE_THEFT

STOLEN_GOLD = 2


@inlined
def expect_legionnaire(state):
    """The player moves the legionnaire next."""
    state.seat = state.active
    state.stage = STAGE_LEGION


@inlined
def open_legion(state):
    """Any hex of the Empire but the one on which it stands."""
    state.places = HEXES


@inlined
def choose_legion(state, action):
    """The legionnaire stands on the hex; then someone is robbed, if anyone there has anything."""
    state.legion = action - LEGION
    if victims(state) != 0:
        state.stage = STAGE_ROB
    else:
        go_on(state)


@inlined
def victims(state):
    """The rivals, as bits of how many seats on they are, that have a place at the legionnaire and a card or gold."""
    seats = seats_at_hex(state, np.int64(state.legion))
    found = np.int64(0)
    for k in range(1, state.num_players):
        seat = seat_after(state, state.active, k)
        has_any = (hand_size(state, seat) > 0) | (state.gold[seat] > 0)
        found |= ((seats >> seat) & np.int64(has_any)) << np.int64(k)
    return found


@inlined
def open_rob(state):
    """Any of them."""
    found = victims(state)
    for k in range(1, state.num_players):
        allow_if(state, ROB + k - 1, (found >> np.int64(k)) & np.int64(1))


@inlined
def choose_rob(state, action):
    """A card is drawn from the rival's hand; without one, gold is taken."""
    victim = seat_after(state, state.active, action - ROB + 1)
    if hand_size(state, victim) > 0:
        state.victim = victim
        state.stage = STAGE_THEFT
    else:
        stolen = min(np.int64(STOLEN_GOLD), np.int64(state.gold[victim]))
        state.gold[victim] -= stolen
        state.gold[state.active] += stolen
        go_on(state)


@inlined
def steal_card(state, kind):
    """The card drawn goes to the player's hand."""
    state.hand[state.victim, kind] -= 1
    state.hand[state.active, kind] += 1
    state.victim = NONE
    go_on(state)


@inlined
def go_on(state):
    """Phase 1 goes on with the dice, a turn of phase 2 with building."""
    if state.phase == 1:
        throw_on(state)
    else:
        state.stage = STAGE_BUILD
