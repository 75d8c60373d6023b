"""Loops that compare the value of a chance outcome with its expectation, for control variates.

A loop template (`romans_env.compiling.templates`).

``game`` stands for the game's `romans_env.engine.step_functions`, ``players`` and ``evaluator`` for its compiled agents
and evaluator (`romans_env.core.parts`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_agents.loops.codes import RANDOM
from romans_agents.loops.search_loops import draw_chance
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.core.protocol import CHANCE

if TYPE_CHECKING:
    from romans_agents.roma import compiled_agents as players  # any game's; an editor follows these
    from romans_agents.roma import evaluator
    from romans_env.engine import rule_steps as game

NUM_RECORDS = 4
"""Number of scratch records."""
EVENT, CAME, COURSE, SEEN = range(NUM_RECORDS)
"""Rows of the scratch records. EVENT is the game before the chance event, CAME the game after its actual outcome,
COURSE the game of a playout, and SEEN scratch for the private view of a compiled agent."""


@jitted
def add_value(records, codes, turns, streams, words, weight, returns, values):
    """Play ``turns`` turns in row COURSE, the current turn included, and add the value of the position after them.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``.
        codes: the code of the compiled agent that plays each seat, int8, shape ``(players,)``.
        turns: the number of turns.
        streams: a random stream, int64, shape ``(1, 4)``.
        words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
        weight: the factor by which the value is multiplied.
        returns: scratch, float64, shape ``(players,)``.
        values: float64, shape ``(players,)``; the expected returns times ``weight`` are added to it.
    """
    draw_chance(words, COURSE, streams)
    for _ in range(turns):
        turn = evaluator.turn_of(records[COURSE])
        while not game.is_over(records, COURSE) and evaluator.turn_of(records[COURSE]) == turn:
            code = codes[game.seat_to_act(records, COURSE)]
            if code == RANDOM:
                game.act(records, COURSE, game.random_action(records, COURSE, streams, 0), words)
            else:
                players.play(code, records, COURSE, records[SEEN:], streams, words)
    evaluator.write_expected(records, COURSE, returns)
    for seat in range(values.shape[0]):
        values[seat] += weight * returns[seat]


@jitted
def add_event(records, codes, effort, streams, words, values):
    """Add an estimate of the expected value of the chance event in record EVENT, minus the value of record CAME.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``; EVENT is the game before the event, CAME the game after it.
        codes: the code of the compiled agent that plays each seat, int8, shape ``(players,)``.
        effort: three numbers, as in the evaluator's ``EFFORT``: outcomes drawn for the event, playouts after the actual
            outcome, and turns in a playout.
        streams: a random stream, int64, shape ``(1, 4)``.
        words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
        values: float64, shape ``(players,)``; the estimate for each seat is added to it.
    """
    draws, playouts, turns = effort
    returns = np.empty(game.num_players(records))
    for _ in range(draws):
        records[COURSE] = records[EVENT]
        draw_chance(words, COURSE, streams)
        game.resolve_chance(records[COURSE], words, COURSE)
        add_value(records, codes, turns, streams, words, 1.0 / draws, returns, values)
    for _ in range(playouts):
        records[COURSE] = records[CAME]
        add_value(records, codes, turns, streams, words, -1.0 / playouts, returns, values)


@cached_jit(nogil=True)
def add_variates(states, indices, actions, words, codes, effort, records, streams, scratch_words, variates):
    """Add the control variates of the chance events that follow some actions.

    A variate is the expected value of an event, minus the value of its actual outcome. All events up to the next
    decision count as one event, whose kind is that of the first.

    Args:
        states: records of the games, shape ``(n,)``; not changed.
        indices: indices of the games in which an action is about to be played, int64, shape ``(k,)``.
        actions: the action that is about to be played in each of these games, int64, shape ``(k,)``.
        words: chance words of the games, int64, shape ``(n, 4)``; they decide the actual outcomes.
        codes: the code of the compiled agent that plays each seat in playouts, int8, shape ``(n, players)``.
        effort: three numbers, as in the evaluator's ``EFFORT``: outcomes drawn for an event, playouts after the actual
            outcome, and turns in a playout.
        records: scratch records, shape ``(NUM_RECORDS,)``.
        streams: a random stream, int64, shape ``(1, 4)``.
        scratch_words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
        variates: float64, shape ``(n, kinds, players)``; the variate of each game, kind of event and seat is added to
            it.
    """
    for k in range(indices.shape[0]):
        i = indices[k]
        records[EVENT] = states[i]
        game.apply(records[EVENT], actions[k])
        if game.current_player(records[EVENT]) == CHANCE:
            records[CAME] = records[EVENT]
            game.resolve_chance(records[CAME], words, i)
            values = variates[i, game.event_of(records[EVENT])]
            add_event(records, codes[i], effort, streams, scratch_words, values)


@cached_jit(nogil=True)
def variate_of(before, action, after, codes, effort, records, streams, scratch_words, values):
    """Add the control variate of the chance event after one action of a game whose outcome is already known.

    Args:
        before: the record before the action, shape ``(1,)``.
        action: the action that was played.
        after: the record at the next decision, shape ``(1,)``.
        codes: the code of the compiled agent that plays each seat in playouts, int8, shape ``(players,)``.
        effort: three numbers, as in the evaluator's ``EFFORT``: outcomes drawn for the event, playouts after the actual
            outcome, and turns in a playout.
        records: scratch records, shape ``(NUM_RECORDS,)``.
        streams: a random stream, int64, shape ``(1, 4)``.
        scratch_words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
        values: float64, shape ``(players,)``; the variate for each seat is added to it.

    Returns:
        The kind of the chance event; -1 if none followed the action.
    """
    records[EVENT] = before[0]
    game.apply(records[EVENT], action)
    if game.current_player(records[EVENT]) != CHANCE:
        return -1
    records[CAME] = after[0]
    kind = np.int64(game.event_of(records[EVENT]))
    add_event(records, codes, effort, streams, scratch_words, values)
    return kind
