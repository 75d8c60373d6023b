"""Determinizations: complete records sampled from a seat's private view (RULES 2.2, 3.1)."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.random_stream import below
from romans_env.engine.state_fields import Records
from romans_env.romans_go_home.actions import has_choice
from romans_env.romans_go_home.chance import draw_cards, packed_clan
from romans_env.romans_go_home.game_flow import play_phase
from romans_env.romans_go_home.knowledge import hand_size
from romans_env.romans_go_home.material import NONE, NUM_FORTS, NUM_WARRIORS, UNKNOWN
from romans_env.romans_go_home.state import PHASE_GAME_OVER, State


@jitted
def determinize(states: Records[State], view, target, viewer, streams, row):
    """Sample a determinization of ``states[view]`` into ``states[target]``.

    All arrangements of the physical cards that agree with the viewer's knowledge are equally likely; two Ch'ariotts are
    two cards. If another seat is to act, an arrangement that leaves it a single legal action is rejected and drawn
    again, because that seat would not have been asked (RULES 4.14).

    Args:
        states: STATE, shape ``(n,)``; ``states[view]`` is redacted for the viewer.
        view: index of the redacted record.
        target: index of the record to overwrite, different from ``view``.
        viewer: the seat whose private view it is.
        streams: random streams, int64, shape ``(rows, 4)``.
        row: the stream to draw from.
    """
    pack = packed_clan(states[view])
    while True:
        states[target] = states[view]
        state = states[target]
        draw_forts_to_come(state, streams, row)
        for seat in range(state.num_clans):
            for round_index in range(state.round_index + 1, state.num_rounds):
                draw_cards(state, round_index, seat, pack, streams, row)
            if seat >= state.num_players:
                draw_neutral_line(state, seat, streams, row)
            elif seat != viewer:
                for round_index in range(state.round_index):
                    draw_past_set_aside(state, round_index, seat, streams, row)
                draw_player(state, seat, streams, row)
        if state.phase == PHASE_GAME_OVER or state.seat == viewer:
            break
        state.legal = play_phase(state)
        if has_choice(state):
            break


@inlined
def draw_forts_to_come(state: State, streams, i):
    """Draw the order of the forts of later rounds."""
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
def draw_unseen(state: State, seat, drawn, num_unseen, streams, i):
    """Draw a warrior that a clan has not shown this round and that is not yet in ``drawn`` (three bits per kind)."""
    pick = below(streams, i, num_unseen)
    for warrior in range(NUM_WARRIORS):
        left = state.warriors[warrior] - state.shown[seat, warrior] - ((drawn >> (3 * warrior)) & 7)
        if pick < left:
            return warrior
        pick -= left
    return NONE


@inlined
def draw_neutral_line(state: State, seat, streams, i):
    """Draw a neutral's hidden slots from the warriors it has not shown."""
    drawn = 0
    unseen = state.clan_size - state.turn
    for slot in range(state.turn, state.line_size):
        warrior = draw_unseen(state, seat, drawn, unseen, streams, i)
        drawn += 1 << (3 * warrior)
        unseen -= 1
        state.line[seat, slot] = warrior
        state.dealt[state.round_index, seat, slot] = warrior


@inlined
def draw_player(state: State, seat, streams, i):
    """Draw another player's hidden line, hand and set-aside warrior of this round."""
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
def draw_past_set_aside(state: State, round_index, seat, streams, i):
    """Draw the warrior set aside in a past round from those not revealed then (three at a full table)."""
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
