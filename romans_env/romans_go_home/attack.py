"""The attack (RULES 4): reveal, Ch'ariott, Qween, totals, capture, Dru'hid, Axx, Horsie, Zvord.

A phase that asks for a decision has two functions. ``open_x`` returns the legal actions as bits; if there is nothing to
decide, it moves on to the next phase and returns 0. ``choose_x`` plays the chosen action.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.romans_go_home import actions, material
from romans_env.romans_go_home import state as game_state
from romans_env.romans_go_home.end import add_forts
from romans_env.romans_go_home.neutrals import is_neutral, weakest_action
from romans_env.romans_go_home.planning import clear_turn, lay
from romans_env.romans_go_home.seats import seats_on
from romans_env.romans_go_home.state import State


@inlined
def reveal(state: State):
    """Turn up the leftmost hidden warrior of every clan (RULES 4.1); rival Ch'ariotts wreck each other (4.2)."""
    clear_turn(state)
    chariotts = 0
    for seat in range(state.num_clans):
        warrior = state.line[seat, state.turn - 1]
        state.revealed[seat] = warrior
        state.shown[seat, warrior] += 1
        state.face_up[seat, warrior] += 1
        if warrior == material.CHARIOTT:
            chariotts += 1
    if chariotts >= 2:
        state.wrecked = 1
        for seat in range(state.num_clans):
            if state.revealed[seat] == material.CHARIOTT:
                state.face_up[seat, material.CHARIOTT] -= 1
    state.phase = game_state.PHASE_CHARM


@inlined
def open_charm(state: State):
    """Return the actions of the player who owns the only Qween revealed, as bits; 0 if none charms (RULES 4.3)."""
    qweens = 0
    for seat in range(state.num_clans):
        if state.revealed[seat] == material.QWEEN:
            qweens += 1
            state.seat = seat
    legal = np.int64(0)
    if qweens == 1 and not is_neutral(state, state.seat):
        for k in range(1, state.num_clans):
            rival = seats_on(state, state.seat, k)
            if not (state.wrecked and state.revealed[rival] == material.CHARIOTT):
                legal |= actions.bit(actions.CHARM + k - 1)
    if legal == 0:
        state.phase = game_state.PHASE_CAPTURE
    return legal


@inlined
def choose_charm(state: State, action):
    """Charm the clan that the player chose (RULES 4.3)."""
    state.charmed = seats_on(state, state.seat, action - actions.CHARM + 1)
    state.phase = game_state.PHASE_CAPTURE


@inlined
def resolve_capture(state: State):
    """Count totals (RULES 4.4), find the captor (4.5, 4.6), and discard a fort if there is none (4.12, 8.1)."""
    count_totals(state)
    state.captor = find_captor(state)
    if state.captor == material.NONE:
        lose_fort(state)
        state.seat = 0
        state.phase = game_state.PHASE_HORSIE
    else:
        state.phase = game_state.PHASE_TAKE


@inlined
def count_totals(state: State):
    """Add up the strength of each clan's face-up warriors, adjusted for the charm (RULES 4.3, 4.4)."""
    for seat in range(state.num_clans):
        total = np.int64(0)
        for warrior in range(material.NUM_WARRIORS):
            total += state.face_up[seat, warrior] * material.STRENGTH[warrior]
        state.total[seat] = total
    if state.charmed != material.NONE:
        strength = material.STRENGTH[state.revealed[state.charmed]]
        state.total[state.charmed] -= strength
        for seat in range(state.num_clans):
            if state.revealed[seat] == material.QWEEN:
                state.total[seat] += strength


@inlined
def fights(state: State, seat):
    """Return whether a clan fights this turn: one that revealed Filchy does not (RULES 4.4)."""
    return state.revealed[seat] != material.FILCHY


@inlined
def find_captor(state: State):
    """Return the clan that captures, or NONE (RULES 4.5, 4.6).

    It is the fighting clan with the highest total; in a tie, the only tied clan that revealed an Arch'r this turn.
    """
    best = material.NONE
    for seat in range(state.num_clans):
        if fights(state, seat) and state.total[seat] > best:
            best = state.total[seat]
    level = archrs = 0
    captor = with_archr = material.NONE
    for seat in range(state.num_clans):
        if fights(state, seat) and state.total[seat] == best:
            level += 1
            captor = seat
            if state.revealed[seat] == material.ARCHR:
                archrs += 1
                with_archr = seat
    if level > 1:
        captor = with_archr if archrs == 1 else material.NONE
    return captor


@inlined
def lose_fort(state: State):
    """Discard this turn's fort because no clan captured (RULES 4.12); in the variant, the wall's last one (8.1)."""
    here = state.turn - 1
    if state.vogel:
        last = state.line_size - 1
        lost = state.wall[last]
        slide_right(state, here, last)
    else:
        lost = state.wall[here]
    state.wall[here] = material.NONE
    state.lost_forts[lost] += 1


@inlined
def slide_right(state: State, first, last):
    """Move the forts of slots ``first`` to ``last - 1`` one slot to the right (RULES 8)."""
    for slot in range(last, first, -1):
        state.wall[slot] = state.wall[slot - 1]


@inlined
def open_take(state: State):
    """Return the forts that a captor with Dru'hid may take, as bits (RULES 4.7).

    Any other captor gets the fort of this turn at once.
    """
    here = state.turn - 1
    if is_neutral(state, state.captor) or state.revealed[state.captor] != material.DRUHID:
        capture_fort(state, here)
        return np.int64(0)
    state.seat = state.captor
    legal = np.int64(0)
    for slot in range(material.WALL_SIZE):
        if state.wall[slot] != material.NONE:
            legal |= actions.bit(actions.TAKE + slot)
    return legal


@inlined
def choose_take(state: State, action):
    """Capture the fort chosen for Dru'hid (RULES 4.7)."""
    capture_fort(state, action - actions.TAKE)


@inlined
def capture_fort(state: State, slot):
    """Give the captor the fort of a slot, and close the gap in the wall (RULES 4.7, 8.2)."""
    here = state.turn - 1
    fort = state.wall[slot]
    if state.vogel:
        slide_right(state, here, slot)
    else:
        state.wall[slot] = state.wall[here]
    state.wall[here] = material.NONE
    add_forts(state, state.captor, fort, 1)
    state.captured = fort
    state.phase = game_state.PHASE_AXX


@inlined
def open_axx(state: State):
    """Return the actions of a captor who may keep Axx, as bits (RULES 4.8).

    There is no choice if the fort is a Signal fort and Axx is the only face-up warrior: he is discarded (4.8.1).
    """
    legal = np.int64(0)
    if state.revealed[state.captor] == material.AXX and not (
        state.captured == material.SIGNAL and num_face_up(state, state.captor) == 1
    ):
        if is_neutral(state, state.captor):
            state.axx_stays = 1  # RULES 6.3
        else:
            state.seat = state.captor
            legal = actions.bit(actions.AXX_KEEP) | actions.bit(actions.AXX_DISCARD)
    if legal == 0:
        end_axx(state)
    return legal


@inlined
def choose_axx(state: State, action):
    """Keep or discard Axx (RULES 4.8)."""
    state.axx_stays = 1 if action == actions.AXX_KEEP else 0
    end_axx(state)


@inlined
def end_axx(state: State):
    """Move on to Horsie (RULES 4.9)."""
    state.seat = 0
    state.phase = game_state.PHASE_HORSIE


@inlined
def num_face_up(state: State, seat):
    """Return the number of a clan's face-up warriors."""
    count = np.int64(0)
    for warrior in range(material.NUM_WARRIORS):
        count += state.face_up[seat, warrior]
    return count


@inlined
def open_horsie(state: State):
    """Return the actions of the next player, in seat order, who loses a warrior for Horsie, as bits (RULES 4.9)."""
    while state.seat < state.num_clans:
        if state.revealed[state.seat] == material.HORSIE and state.seat != state.captor:
            legal = actions.warriors_as_actions(state.face_up, state.seat, actions.LOSE)
            if legal != actions.bit(actions.LOSE + material.HORSIE):
                legal &= ~actions.bit(actions.LOSE + material.HORSIE)
            if not is_neutral(state, state.seat):
                return legal
            choose_lose(state, weakest_action(legal))  # RULES 6.2
        else:
            state.seat += 1
    state.seat = 0
    state.slot = material.NONE
    state.phase = game_state.PHASE_ZVORD
    return np.int64(0)


@inlined
def choose_lose(state: State, action):
    """Discard the face-up warrior lost to Horsie or to a Signal fort (RULES 4.9, 5.2)."""
    state.face_up[state.seat, action - actions.LOSE] -= 1
    state.seat += 1


@inlined
def open_zvord(state: State):
    """Return the actions of the next player who revealed Zvord and reorders its line, as bits (RULES 4.10)."""
    while state.seat < state.num_players:
        if state.revealed[state.seat] == material.ZVORD:
            if state.slot == material.NONE:
                pick_up_line(state)
            if state.slot < state.line_size:
                return actions.warriors_as_actions(state.hand, state.seat, actions.REORDER)
        state.seat += 1
        state.slot = material.NONE
    state.phase = game_state.PHASE_UNWARY
    return np.int64(0)


@inlined
def pick_up_line(state: State):
    """Take the hidden warriors of the seat to act back into its hand, to be laid again."""
    for slot in range(state.turn, state.line_size):
        state.hand[state.seat, state.line[state.seat, slot]] += 1
        state.line[state.seat, slot] = material.NONE
    state.slot = state.turn


@inlined
def choose_zvord(state: State, action):
    """Lay the next of the reordered warriors (RULES 4.10)."""
    lay(state, action - actions.REORDER)
