"""The effects of captured forts (RULES 5), and the discarding of the winner's warriors (4.11)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.romans_go_home.actions import GIVE_UP, LOSE, UNWARY_DISCARD, UNWARY_KEEP, bit, warriors_as_actions
from romans_env.romans_go_home.attack import choose_lose
from romans_env.romans_go_home.end import add_forts
from romans_env.romans_go_home.material import AXX, NONE, NUM_FORTS, NUM_WARRIORS, SIGNAL, TAX, UNWARY
from romans_env.romans_go_home.neutrals import is_neutral, lowest_fort, weakest_action
from romans_env.romans_go_home.planning import start_round
from romans_env.romans_go_home.state import (
    PHASE_GAME_OVER,
    PHASE_REVEAL,
    PHASE_SIGNAL,
    PHASE_TAX,
    PHASE_TURN_END,
    State,
)


@inlined
def weakest_face_up(state: State, seat):
    """Return a clan's weakest face-up warrior by printed strength, or NONE (RULES 5.1)."""
    for warrior in range(NUM_WARRIORS):
        if state.face_up[seat, warrior] > 0:
            return warrior
    return NONE


@inlined
def open_unwary(state: State):
    """Return the actions of an Unwary fort's captor, who may keep its weakest warrior, as bits (RULES 5.1).

    There is no choice if that warrior is the Axx revealed this turn, about whom 4.8 alone decides.
    """
    if state.captor == NONE:
        state.phase = PHASE_TURN_END
        return np.int64(0)
    legal = np.int64(0)
    if state.captured == UNWARY:
        weakest = weakest_face_up(state, state.captor)
        if not (weakest == AXX and state.revealed[state.captor] == AXX):
            if is_neutral(state, state.captor):
                state.weakest_stays = 1  # RULES 6.3
            else:
                state.seat = state.captor
                legal = bit(UNWARY_KEEP) | bit(UNWARY_DISCARD)
    if legal == 0:
        end_unwary(state)
    return legal


@inlined
def choose_unwary(state: State, action):
    """Keep or discard the weakest warrior (RULES 5.1)."""
    state.weakest_stays = 1 if action == UNWARY_KEEP else 0
    end_unwary(state)


@inlined
def end_unwary(state: State):
    """Discard the captor's warriors and move on to the Signal fort (RULES 4.11, 5.2)."""
    leave_table(state)
    state.seat = 0
    state.phase = PHASE_SIGNAL


@inlined
def leave_table(state: State):
    """Discard the captor's face-up warriors, except those kept by Axx or an Unwary fort (RULES 4.11)."""
    weakest = weakest_face_up(state, state.captor)
    for warrior in range(NUM_WARRIORS):
        state.face_up[state.captor, warrior] = 0
    if state.weakest_stays:
        state.face_up[state.captor, weakest] = 1
    if state.axx_stays:
        state.face_up[state.captor, AXX] = 1


@inlined
def open_signal(state: State):
    """Return the actions of the next player who loses a face-up warrior to a Signal fort, as bits (RULES 5.2)."""
    if state.captured == SIGNAL:
        while state.seat < state.num_clans:
            legal = warriors_as_actions(state.face_up, state.seat, LOSE)
            if state.seat == state.captor or legal == 0:
                state.seat += 1
            elif is_neutral(state, state.seat):
                choose_lose(state, weakest_action(legal))  # RULES 6.2
            else:
                return legal
    state.phase = PHASE_TAX
    return np.int64(0)


@inlined
def open_tax(state: State):
    """Return the forts that a Tax-collector's captor may discard, as bits (RULES 5.3).

    The Tax-collector's fort itself is among them only if the captor has no other.
    """
    if state.captured != TAX:
        state.phase = PHASE_TURN_END
        return np.int64(0)
    if is_neutral(state, state.captor):
        choose_tax(state, GIVE_UP + lowest_fort(state, state.captor, TAX))
        return np.int64(0)
    state.seat = state.captor
    legal = np.int64(0)
    for fort in range(NUM_FORTS):
        if state.forts[state.captor, fort] > (1 if fort == TAX else 0):
            legal |= bit(GIVE_UP + fort)
    return legal if legal != 0 else bit(GIVE_UP + TAX)


@inlined
def choose_tax(state: State, action):
    """Discard the fort that the captor chose (RULES 5.3)."""
    fort = action - GIVE_UP
    add_forts(state, state.captor, fort, -1)
    state.lost_forts[fort] += 1
    state.phase = PHASE_TURN_END


@inlined
def end_turn(state: State):
    """End the turn: three Legion forts win at once (RULES 5.4); else go on to the next turn, round or the end (7.1)."""
    captor = state.captor
    if captor != NONE and not is_neutral(state, captor) and state.num_legion[captor] >= 3:
        state.legion_winner = captor
        end_game(state)
    elif state.turn < state.line_size:
        state.turn += 1
        state.phase = PHASE_REVEAL
    elif state.round_index < state.num_rounds - 1:
        start_round(state, state.round_index + 1)
    else:
        end_game(state)


@inlined
def end_game(state: State):
    """End the game."""
    state.seat = NONE
    state.phase = PHASE_GAME_OVER
