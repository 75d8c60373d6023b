"""Moving a tribe (STRUGGLE 5.4): first the target, then how much grain to pay. The fares are in `geography`."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.compiling.tables import entry
from romans_env.struggle.actions import PAY, allow_if, first_move
from romans_env.struggle.general import spend, tribe_of_turn
from romans_env.struggle.geography import fares_from, land_of
from romans_env.struggle.material import GRAIN, NONE, NUM_FARES
from romans_env.struggle.state import STAGE_FARE, STAGE_TRIBE, State


@inlined
def set_out(state: State, action):
    """Set the chosen crossroads as the target; the fare is asked next."""
    state.target = action - first_move(land_of(state))
    state.stage = STAGE_FARE


@inlined
def gold_of_fare(state: State, grain):
    """Return F(g), the gold needed to reach the target when g = ``grain`` land arrows are paid in grain."""
    land = land_of(state)
    here = np.int64(state.at[state.active, tribe_of_turn(state)])
    return entry(land, fares_from(land, here, grain) + np.int64(state.target))


@inlined
def open_fare(state: State):
    """Allow any g that the player can afford and that costs less gold than g - 1."""
    seat = state.active
    before = np.int64(0)
    for grain in range(NUM_FARES):
        gold = gold_of_fare(state, grain)
        can_afford = (grain <= state.hand[seat, GRAIN]) & (gold <= state.gold[seat])
        allow_if(state, PAY + grain, can_afford & ((grain == 0) | (gold < before)))
        before = gold


@inlined
def choose_fare(state: State, action):
    """Pay the fare and move the figure to the target."""
    grain = action - PAY
    seat = state.active
    state.gold[seat] -= gold_of_fare(state, grain)
    spend(state, seat, GRAIN, grain)
    state.at[seat, tribe_of_turn(state)] = state.target
    state.target = NONE
    state.moved = 1
    state.stage = STAGE_TRIBE
