"""Decisions in the attack that need no plan: whom to charm, which fort to take, what to keep and what to give away.

All scripted players make them in the same way; they differ in their plans.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.heuristic_value import LEGION_VALUES, counts_as_rival, fort_value, legion_within_reach
from romans_env.compiling.decorators import inlined, jitted
from romans_env.romans_go_home.actions import AXX_KEEP, CHARM, GIVE_UP, TAKE, UNWARY_KEEP, bit, lowest
from romans_env.romans_go_home.attack import count_totals, find_captor
from romans_env.romans_go_home.material import NONE, NUM_FORTS, NUM_LEGION_KINDS, POINTS, STRENGTH, WALL_SIZE
from romans_env.romans_go_home.seats import seats_on
from romans_env.romans_go_home.state import PHASE_AXX, PHASE_CHARM, PHASE_TAKE, PHASE_TAX, PHASE_UNWARY, State


@inlined
def choose_charm(state: State, seat):
    """Return the action that charms the warrior whose change of sides helps most; ties go to the strongest warrior."""
    fort = state.wall[state.turn - 1]
    best_action = lowest(state.legal)
    best = -1000.0
    for k in range(1, state.num_clans):
        if state.legal & bit(CHARM + k - 1) != 0:
            rival = seats_on(state, seat, k)
            state.charmed = rival
            count_totals(state)
            captor = find_captor(state)
            score = 0.01 * STRENGTH[state.revealed[rival]]
            if captor == seat:
                score += fort_value(state, seat, fort)
            elif captor != NONE and counts_as_rival(state, captor):
                score -= fort_value(state, captor, fort)
            if score > best:
                best = score
                best_action = CHARM + k - 1
    state.charmed = NONE
    return best_action


@inlined
def choose_take(state: State, seat):
    """Return the action that takes the most valuable fort of the wall; ties go to the leftmost slot."""
    best_action = lowest(state.legal)
    best = -1000.0
    for slot in range(WALL_SIZE):
        if state.legal & bit(TAKE + slot) != 0:
            value = fort_value(state, seat, state.wall[slot])
            if value > best:
                best = value
                best_action = TAKE + slot
    return best_action


@inlined
def choose_give_up(state: State, seat):
    """Return the action that gives up the least valuable captured fort; the second Legion fort counts extra."""
    best_action = lowest(state.legal)
    best = 1000.0
    held = np.int64(state.num_legion[seat])
    for fort in range(NUM_FORTS):
        if state.legal & bit(GIVE_UP + fort) != 0:
            value = float(POINTS[fort])
            if fort < NUM_LEGION_KINDS and held == 2 and legion_within_reach(state) > 0:
                value = LEGION_VALUES[1]
            if value < best:
                best = value
                best_action = GIVE_UP + fort
    return best_action


@jitted
def tactical_action(state: State, seat):
    """Return a scripted player's action for any decision except planning and Zvord's reordering."""
    phase = state.phase
    if phase == PHASE_CHARM:
        return choose_charm(state, seat)
    if phase == PHASE_TAKE:
        return choose_take(state, seat)
    if phase == PHASE_AXX:
        return np.int64(AXX_KEEP)
    if phase == PHASE_UNWARY:
        return np.int64(UNWARY_KEEP)
    if phase == PHASE_TAX:
        return choose_give_up(state, seat)
    return np.int64(lowest(state.legal))  # the weakest warrior is lost
