"""Moving the legionnaire (STRUGGLE 4.4), after a seven or for a diplomacy card (6.1)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle.actions import LEGION, ROB, allow_if
from romans_env.struggle.dice import seats_at_hex, throw_on
from romans_env.struggle.general import hand_size, seat_after
from romans_env.struggle.material import NONE
from romans_env.struggle.state import HEXES, STAGE_BUILD, STAGE_LEGION, STAGE_ROB, STAGE_THEFT, State

STOLEN_GOLD = 2


@inlined
def expect_legionnaire(state: State):
    """Ask the player to move the legionnaire."""
    state.seat = state.active
    state.stage = STAGE_LEGION


@inlined
def open_legion(state: State):
    """Allow any hex of the Empire except the one with the legionnaire."""
    state.places = HEXES


@inlined
def choose_legion(state: State, action):
    """Move the legionnaire to a hex; a rival there who has anything is robbed next."""
    state.legion = action - LEGION
    if victims(state) != 0:
        state.stage = STAGE_ROB
    else:
        go_on(state)


@inlined
def victims(state: State):
    """Return the rivals at the legionnaire with a card or gold, as bits: bit k is the k-th seat after the player."""
    seats = seats_at_hex(state, np.int64(state.legion))
    found = np.int64(0)
    for k in range(1, state.num_players):
        seat = seat_after(state, state.active, k)
        has_any = (hand_size(state, seat) > 0) | (state.gold[seat] > 0)
        found |= ((seats >> seat) & np.int64(has_any)) << np.int64(k)
    return found


@inlined
def open_rob(state: State):
    """Allow robbing any of the `victims`."""
    found = victims(state)
    for k in range(1, state.num_players):
        allow_if(state, ROB + k - 1, (found >> np.int64(k)) & np.int64(1))


@inlined
def choose_rob(state: State, action):
    """Rob a rival: a card of its hand is drawn next; if it has none, take gold at once."""
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
def steal_card(state: State, kind):
    """Move the drawn card from the rival's hand to the player's."""
    state.hand[state.victim, kind] -= 1
    state.hand[state.active, kind] += 1
    state.victim = NONE
    go_on(state)


@inlined
def go_on(state: State):
    """Go on after the legionnaire: with the dice in phase 1, with building in phase 2."""
    if state.phase == 1:
        throw_on(state)
    else:
        state.stage = STAGE_BUILD
