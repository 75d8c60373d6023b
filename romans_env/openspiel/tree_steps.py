"""The step functions of small OpenSpiel games, which read the game's table (`romans_env.openspiel.tree`).

`romans_env.engine.step_functions.StepFunctions` describes them. There is a single kind of chance event, whose outcomes
are numbered in OpenSpiel's order. All places have at least two moves, so there are no forced actions.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.compiling.tables import table_of, word
from romans_env.engine.chance import event_below
from romans_env.engine.random_stream import WORDS, below, next_word
from romans_env.openspiel.tree import (
    ACTIONS,
    ENTRIES,
    FIRST_MEMBER,
    FIRST_MOVE,
    FIRST_PLACE,
    FIRST_SEEN,
    FIRST_SET,
    FOR_PLAYERS,
    MEMBER_WEIGHT,
    MEMBERS,
    MOVE,
    MOVE_WEIGHT,
    MOVES,
    NEXT,
    NUM_CHANCE,
    NUM_MEMBERS,
    NUM_MOVES,
    OF_A_MEMBER,
    OF_A_MOVE,
    OF_A_PLAYER,
    OF_A_SET,
    PLACE,
    PLAYERS,
    POINTS,
    RETURN,
    SEAT,
    SEEN,
    SET,
    SET_WEIGHT,
    SHOWN,
    WEIGHT,
    WINS,
)

GAME_OVER, CHANCE = np.int64(-1), np.int64(-2)
"""As in `romans_env.core.protocol`."""
EVENT = np.int64(1)
"""The only kind of chance event."""


# -- reading the table


@inlined
def _of_place(table, place, field):
    row = FOR_PLAYERS + OF_A_PLAYER * word(table, PLAYERS)
    return word(table, word(table, FIRST_PLACE) + row * place + field)


@inlined
def _of_player(table, place, seat, field):
    return _of_place(table, place, FOR_PLAYERS + OF_A_PLAYER * np.int64(seat) + field)


@inlined
def _of_move(table, move, field):
    return word(table, word(table, FIRST_MOVE) + OF_A_MOVE * move + field)


@inlined
def _of_set(table, number, field):
    return word(table, word(table, FIRST_SET) + OF_A_SET * number + field)


@inlined
def _of_member(table, member, field):
    return word(table, word(table, FIRST_MEMBER) + OF_A_MEMBER * member + field)


@inlined
def _move_with(table, place, action):
    """Return the number of the move with this action; -1 if there is none."""
    first = _of_place(table, place, MOVES)
    for move in range(first, first + _of_place(table, place, NUM_MOVES)):
        if _of_move(table, move, MOVE) == action:
            return np.int64(move)
    return np.int64(-1)


@inlined
def _go(state, table, place):
    state.place = place
    state.to_act = _of_place(table, place, SEAT)


@inlined
def _move(state, table, move):
    _go(state, table, _of_move(table, move, NEXT))


@inlined
def _write_seen(table, place, seat, out, row):
    entries = word(table, ENTRIES)
    first = word(table, FIRST_SEEN) + entries * _of_set(table, _of_player(table, place, seat, SET), SEEN)
    for entry in range(entries):
        out[row, entry] = np.int32(word(table, first + entry)).view(np.float32)


# -- one decision, or one chance event


@inlined
def begin(state):
    state.viewer = 0
    _go(state, table_of(state.tree), np.int64(0))


@inlined
def choose(state, action):
    table = table_of(state.tree)
    _move(state, table, _move_with(table, np.int64(state.place), np.int64(action)))


@inlined
def answer(state, outcome):
    table = table_of(state.tree)
    _move(state, table, _of_place(table, np.int64(state.place), MOVES) + outcome)


@inlined
def current_player(state):
    return np.int64(state.to_act)


@inlined
def event_of(state):
    return EVENT


@inlined
def event_key(state):
    return _of_place(table_of(state.tree), np.int64(state.place), NUM_CHANCE)


@inlined
def num_copies(state, event, outcome):
    table, place = table_of(state.tree), np.int64(state.place)
    if outcome >= _of_place(table, place, NUM_MOVES):
        return np.int64(0)
    return _of_move(table, _of_place(table, place, MOVES) + outcome, MOVE_WEIGHT)


@inlined
def draw_outcome(state, words, k):
    table, place = table_of(state.tree), np.int64(state.place)
    first, outcome = _of_place(table, place, MOVES), np.int64(0)
    bound = _of_place(table, place, WEIGHT)
    left = np.int64(event_below(words, k, event_key(state), bound))
    left -= _of_move(table, first, MOVE_WEIGHT)
    while left >= 0:
        outcome += 1
        left -= _of_move(table, first + outcome, MOVE_WEIGHT)
    return outcome


@inlined
def only_legal_action(state):
    return np.int64(-1)


@inlined
def apply(state, action):
    choose(state, action)


@inlined
def apply_outcome(state, outcome):
    answer(state, outcome)


@jitted
def resolve_chance(state, words, k):
    while state.to_act == CHANCE:
        answer(state, draw_outcome(state, words, k))


@inlined
def start(states, i, deal_streams, words):
    for k in range(WORDS):
        words[i, k] = next_word(deal_streams, i)
    begin(states[i])
    resolve_chance(states[i], words, i)


@inlined
def act(states, i, action, words):
    choose(states[i], action)
    resolve_chance(states[i], words, i)


# -- one of many games


@inlined
def num_players(states):
    return word(table_of(states[0].tree), PLAYERS)


@inlined
def num_actions(states, i):
    return word(table_of(states[i].tree), ACTIONS)


@inlined
def is_over(states, i):
    return states[i].to_act == GAME_OVER


@inlined
def seat_to_act(states, i):
    return states[i].to_act


@inlined
def is_legal(states, i, action):
    table, place = table_of(states[i].tree), np.int64(states[i].place)
    return states[i].to_act >= 0 and _move_with(table, place, np.int64(action)) >= 0


@inlined
def random_action(states, i, streams, row):
    table, place = table_of(states[i].tree), np.int64(states[i].place)
    drawn = np.int64(below(streams, row, _of_place(table, place, NUM_MOVES)))
    return _of_move(table, _of_place(table, place, MOVES) + drawn, MOVE)


@inlined
def legal_actions(states, i, out):
    if states[i].to_act < 0:
        return np.int64(0)
    table, place = table_of(states[i].tree), np.int64(states[i].place)
    first, count = _of_place(table, place, MOVES), _of_place(table, place, NUM_MOVES)
    for k in range(count):
        out[k] = _of_move(table, first + k, MOVE)
    return count


@inlined
def write_mask(states, i, masks, row):
    for action in range(masks.shape[1]):
        masks[row, action] = 0
    if states[i].to_act >= 0:
        table, place = table_of(states[i].tree), np.int64(states[i].place)
        first = _of_place(table, place, MOVES)
        for move in range(first, first + _of_place(table, place, NUM_MOVES)):
            masks[row, _of_move(table, move, MOVE)] = 1


@inlined
def observe(states, i, seat, observations, row):
    _write_seen(table_of(states[i].tree), np.int64(states[i].place), seat, observations, row)


@inlined
def observe_everything(state, out, row):
    table = table_of(state.tree)
    entries = word(table, ENTRIES)
    for seat in range(word(table, PLAYERS)):
        _write_seen(table, np.int64(state.place), seat, out[:, entries * seat :], row)


@inlined
def redact(states, i, seat):
    if states[i].to_act != GAME_OVER and states[i].viewer == 0:
        table = table_of(states[i].tree)
        number = _of_player(table, np.int64(states[i].place), seat, SET)
        states[i].place = _of_set(table, number, SHOWN)
        if _of_set(table, number, NUM_MEMBERS) > 1:
            states[i].viewer = seat + 1


@inlined
def determinize(states, view, target, viewer, streams, row):
    place = np.int64(states[view].place)
    if states[view].viewer:
        table = table_of(states[view].tree)
        number = _of_player(table, place, viewer, SET)
        member = _of_set(table, number, MEMBERS)
        left = np.int64(below(streams, row, _of_set(table, number, SET_WEIGHT)))
        last = member + _of_set(table, number, NUM_MEMBERS) - 1
        while left >= _of_member(table, member, MEMBER_WEIGHT) and member < last:
            left -= _of_member(table, member, MEMBER_WEIGHT)
            member += 1
        place = _of_member(table, member, PLACE)
    states[target].tree, states[target].place = states[view].tree, place
    states[target].to_act, states[target].viewer = states[view].to_act, 0


# -- the score


@inlined
def points(states, i, seat):
    return _of_player(table_of(states[i].tree), np.int64(states[i].place), seat, POINTS)


@inlined
def game_return(states, i, seat):
    bits = _of_player(table_of(states[i].tree), np.int64(states[i].place), seat, RETURN)
    return np.int64(bits).view(np.float64)


@inlined
def is_winner(states, i, seat):
    return _of_player(table_of(states[i].tree), np.int64(states[i].place), seat, WINS) != 0
