"""The start of a round and planning (RULES 2 and 3): wall, hands, set-aside warrior, line of six."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.romans_go_home import material
from romans_env.romans_go_home.actions import DISCARD, PLACE, warriors_as_actions
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, PHASE_REVEAL, State


@inlined
def start_game(state: State):
    """Clear the table and start the first round; the deal must be in the record."""
    for seat in range(material.MAX_CLANS):
        for fort in range(material.NUM_FORTS):
            state.forts[seat, fort] = 0
        state.points[seat] = 0
        state.num_forts[seat] = 0
        state.num_legion[seat] = 0
        for round_index in range(material.NUM_ROUNDS):
            state.set_aside[round_index, seat] = material.NONE
    for fort in range(material.NUM_FORTS):
        state.to_come[fort] = state.fort_deck[fort]
        state.lost_forts[fort] = 0
    state.legion_winner = material.NONE
    start_round(state, 0)


@inlined
def start_round(state: State, round_index):
    """Lay out the wall and give each clan its cards of this round (RULES 2.1, 2.2)."""
    state.round_index = round_index
    state.turn = 0
    lay_wall(state)
    for seat in range(material.MAX_CLANS):
        for warrior in range(material.NUM_WARRIORS):
            state.hand[seat, warrior] = 0
            state.face_up[seat, warrior] = 0
            state.shown[seat, warrior] = 0
        for slot in range(material.LINE_SIZE):
            state.line[seat, slot] = material.NONE
    for seat in range(state.num_players):
        for k in range(state.line_size + 1):
            state.hand[seat, state.dealt[round_index, seat, k]] += 1
    for seat in range(state.num_players, state.num_clans):
        for slot in range(state.line_size):
            state.line[seat, slot] = state.dealt[round_index, seat, slot]
    clear_turn(state)
    start_planning(state)


@inlined
def start_planning(state: State):
    """Start planning; the first player is the first to set a warrior aside (RULES 3.1, 3.2)."""
    state.seat = 0
    state.slot = 0
    state.phase = PHASE_DISCARD


@inlined
def clear_turn(state: State):
    """Reset the fields that hold for one turn only."""
    for seat in range(material.MAX_CLANS):
        state.revealed[seat] = material.NONE
        state.total[seat] = 0
    state.wrecked = 0
    state.charmed = material.NONE
    state.captor = material.NONE
    state.captured = material.NONE
    state.axx_stays = 0
    state.weakest_stays = 0
    state.slot = material.NONE


@inlined
def lay_wall(state: State):
    """Lay six forts in a row, the highest positive one at the right end, the lowest at the left end (RULES 2.1).

    On a small table, a wall with a single positive fort has it at the right end; one without stays in drawing order.
    """
    first = state.round_index * state.line_size
    highest = lowest = material.NONE
    for k in range(state.line_size):
        points = material.POINTS[state.fort_order[first + k]]
        if points > 0:
            # Ties: the rightmost counts as the highest, the leftmost as the lowest.
            if highest == material.NONE or points >= material.POINTS[state.fort_order[first + highest]]:
                highest = k
            if lowest == material.NONE or points < material.POINTS[state.fort_order[first + lowest]]:
                lowest = k
    for slot in range(state.line_size, material.WALL_SIZE):
        state.wall[slot] = material.NONE
    slot = 1 if lowest != highest else 0
    for k in range(state.line_size):
        fort = state.fort_order[first + k]
        state.to_come[fort] -= 1
        if k == highest:
            state.wall[state.line_size - 1] = fort
        elif k == lowest:
            state.wall[0] = fort
        else:
            state.wall[slot] = fort
            slot += 1


@inlined
def open_discard(state: State):
    """Return the actions of a player who must set a warrior aside, as bits (RULES 3.1)."""
    return warriors_as_actions(state.hand, state.seat, DISCARD)


@inlined
def choose_discard(state: State, action):
    """Set the chosen warrior aside (RULES 3.1)."""
    warrior = action - DISCARD
    state.hand[state.seat, warrior] -= 1
    state.set_aside[state.round_index, state.seat] = warrior
    state.slot = 0
    state.phase = PHASE_PLACE


@inlined
def open_place(state: State):
    """Return the warriors that a player may place next, as bits (RULES 3.1, 3.2).

    Once its line is full, move on to the next player or, after the last one, to the attack, and return 0.
    """
    if state.slot < state.line_size:
        return warriors_as_actions(state.hand, state.seat, PLACE)
    state.seat += 1
    state.slot = 0
    if state.seat < state.num_players:
        state.phase = PHASE_DISCARD
    else:
        state.turn = 1
        state.phase = PHASE_REVEAL
    return np.int64(0)


@inlined
def lay(state: State, warrior):
    """Move a warrior from the hand of the seat to act into its next slot."""
    state.hand[state.seat, warrior] -= 1
    state.line[state.seat, state.slot] = warrior
    state.slot += 1


@inlined
def choose_place(state: State, action):
    """Lay the chosen warrior into the next slot (RULES 3.1)."""
    lay(state, action - PLACE)
