"""Hidden information: the private view of a seat, and determinizations sampled from it.

`hide` turns a record into the private view of one seat, a redacted record: the rest is overwritten. Views, positions
for a seat and determinizations are made from such a record, never from the full state, so they cannot leak. A seat
knows the wall, all captured and lost forts, every warrior that was revealed, and its own cards; it does not know the
others' hands, hidden lines and set-aside warriors (of earlier rounds too), nor the forts and cards to come (RULES 3.1).
"""

from __future__ import annotations

import numpy as np

from romans_env.engine.compiled import inlined, ir_inlined
from romans_env.engine.random_stream import below
from romans_env.romans_go_home.actions import has_choice
from romans_env.romans_go_home.cards import HAND_SIZE, NONE, NUM_FORTS, NUM_WARRIORS, UNKNOWN
from romans_env.romans_go_home.deal import draw_cards, packed_clan
from romans_env.romans_go_home.game_flow import play_phase
from romans_env.romans_go_home.state import (
    PHASE_DISCARD,
    PHASE_GAME_OVER,
    PHASE_PLACE,
    PHASE_ZVORD,
)


@inlined
def hide(state, viewer):
    """Overwrite everything that the seat ``viewer`` may not know."""
    for k in range((state.round_index + 1) * state.line_size, state.num_rounds * state.line_size):
        state.fort_order[k] = UNKNOWN
    for seat in range(state.num_clans):
        for round_index in range(state.round_index + 1, state.num_rounds):
            hide_cards(state, round_index, seat)
        if seat >= state.num_players:
            for slot in range(state.turn, state.line_size):
                state.line[seat, slot] = UNKNOWN
                state.dealt[state.round_index, seat, slot] = UNKNOWN
        elif seat != viewer:
            hide_player(state, seat)
    if state.seat != viewer:
        state.legal = 0


@inlined
def hide_player(state, seat):
    """Overwrite what a player keeps from the others."""
    for warrior in range(NUM_WARRIORS):
        state.hand[seat, warrior] = 0
    for slot in range(state.turn, state.line_size):
        if state.line[seat, slot] != NONE:
            state.line[seat, slot] = UNKNOWN
    for round_index in range(state.round_index):
        hide_set_aside(state, round_index, seat)
    hide_cards(state, state.round_index, seat)
    if state.set_aside[state.round_index, seat] != NONE:
        state.set_aside[state.round_index, seat] = UNKNOWN


@inlined
def hide_set_aside(state, round_index, seat):
    """Of a past round's hand the six that were revealed stay known, in an order that reveals nothing."""
    counts = np.int64(0)  # three bits a kind
    for k in range(state.line_size + 1):
        counts += 1 << (3 * np.int64(state.dealt[round_index, seat, k]))
    counts -= 1 << (3 * np.int64(state.set_aside[round_index, seat]))
    n = 0
    for warrior in range(NUM_WARRIORS):
        for _ in range((counts >> (3 * warrior)) & 7):
            state.dealt[round_index, seat, n] = warrior
            n += 1
    state.dealt[round_index, seat, n] = UNKNOWN
    state.set_aside[round_index, seat] = UNKNOWN


@inlined
def hide_cards(state, round_index, seat):
    for k in range(HAND_SIZE):
        if state.dealt[round_index, seat, k] != NONE:
            state.dealt[round_index, seat, k] = UNKNOWN


@inlined
def hand_size(state, seat):
    """How many warriors a player holds in hand; everybody may know that."""
    if seat >= state.num_players:
        return np.int64(0)
    if (state.phase == PHASE_DISCARD and seat >= state.seat) or (state.phase == PHASE_PLACE and seat > state.seat):
        return np.int64(state.line_size) + 1
    if (state.phase == PHASE_PLACE or state.phase == PHASE_ZVORD) and seat == state.seat:
        return np.int64(state.line_size) - state.slot
    return np.int64(0)


@ir_inlined
def determinize(view, states, n, viewer, streams, i):
    """Sample a determinization of a redacted record, into ``states[n]``.

    Every arrangement of the physical cards that the viewer's knowledge allows is equally likely: two Ch'ariotts are two
    cards. When another seat is deciding, arrangements that would leave it no choice are drawn again, as it would not
    have been asked (RULES 4.14).
    """
    pack = packed_clan(view)
    while True:
        states[n] = view
        state = states[n]
        draw_forts_to_come(state, streams, i)
        for seat in range(state.num_clans):
            for round_index in range(state.round_index + 1, state.num_rounds):
                draw_cards(state, round_index, seat, pack, streams, i)
            if seat >= state.num_players:
                draw_neutral_line(state, seat, streams, i)
            elif seat != viewer:
                for round_index in range(state.round_index):
                    draw_past_set_aside(state, round_index, seat, streams, i)
                draw_player(state, seat, streams, i)
        if state.phase == PHASE_GAME_OVER or state.seat == viewer:
            break
        state.legal = play_phase(state)
        if has_choice(state.legal):
            break


@inlined
def draw_forts_to_come(state, streams, i):
    """The forts not yet drawn, in random order."""
    first = (state.round_index + 1) * state.line_size
    n = first
    for fort in range(NUM_FORTS):
        for _ in range(state.to_come[fort]):
            state.fort_order[n] = fort
            n += 1
    for last in range(n - 1, first, -1):
        other = first + below(streams, i, last + 1 - first)
        fort = state.fort_order[last]
        state.fort_order[last] = state.fort_order[other]
        state.fort_order[other] = fort


@inlined
def draw_unseen(state, seat, drawn, num_unseen, streams, i):
    """One of the warriors a clan has not shown this round and that ``drawn`` (three bits a kind) does not hold yet."""
    pick = below(streams, i, num_unseen)
    for warrior in range(NUM_WARRIORS):
        left = state.warriors[warrior] - state.shown[seat, warrior] - ((drawn >> (3 * warrior)) & 7)
        if pick < left:
            return warrior
        pick -= left
    return NONE


@inlined
def draw_neutral_line(state, seat, streams, i):
    """A neutral's hidden slots, from the warriors it has not shown."""
    drawn = 0
    unseen = state.clan_size - state.turn
    for slot in range(state.turn, state.line_size):
        warrior = draw_unseen(state, seat, drawn, unseen, streams, i)
        drawn += 1 << (3 * warrior)
        unseen -= 1
        state.line[seat, slot] = warrior
        state.dealt[state.round_index, seat, slot] = warrior


@inlined
def draw_player(state, seat, streams, i):
    """Another player's hidden line, hand and set-aside warrior of this round."""
    drawn = 0
    unseen = state.clan_size - state.turn
    in_hand = hand_size(state, seat)
    for _ in range(in_hand):
        warrior = draw_unseen(state, seat, drawn, unseen, streams, i)
        drawn += 1 << (3 * warrior)
        unseen -= 1
        state.hand[seat, warrior] += 1
    for slot in range(state.turn, state.line_size):
        if state.line[seat, slot] == UNKNOWN:
            warrior = draw_unseen(state, seat, drawn, unseen, streams, i)
            drawn += 1 << (3 * warrior)
            unseen -= 1
            state.line[seat, slot] = warrior
    if state.set_aside[state.round_index, seat] == UNKNOWN:
        warrior = draw_unseen(state, seat, drawn, unseen, streams, i)
        drawn += 1 << (3 * warrior)
        state.set_aside[state.round_index, seat] = warrior
    n = 0
    for warrior in range(NUM_WARRIORS):
        for _ in range(state.shown[seat, warrior] + ((drawn >> (3 * warrior)) & 7)):
            state.dealt[state.round_index, seat, n] = warrior
            n += 1


@inlined
def draw_past_set_aside(state, round_index, seat, streams, i):
    """The warrior set aside in a past round: one of those (three at a full table) that were not revealed."""
    pick = below(streams, i, state.clan_size - state.line_size)
    for warrior in range(NUM_WARRIORS):
        left = state.warriors[warrior]
        for k in range(state.line_size):
            if state.dealt[round_index, seat, k] == warrior:
                left -= 1
        if pick < left:
            state.set_aside[round_index, seat] = warrior
            state.dealt[round_index, seat, state.line_size] = warrior
            break
        pick -= left
