"""Values of chance outcomes compared with their expectation. A loop template (`romans_env.compiling.templates`).

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
"""Scratch records: the game before the chance event, the game after its actual outcome, a playout, and scratch for
what a compiled agent sees."""


@jitted
def add_value(records, codes, turns, streams, words, weight, returns, values):
    """Play ``turns`` turns of the game in row COURSE, the current turn included, and add its value after them.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``.
        codes: the code of the compiled agent that plays each seat, int8, shape ``(players,)``.
        turns: the number of turns.
        streams: a random stream, int64, shape ``(1, 4)``.
        words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
        weight: the factor of the value.
        returns: scratch, float64, shape ``(players,)``.
        values: the expected returns times ``weight`` are added to it: float64, shape ``(players,)``.
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
        effort: draws of the event, playouts of the actual outcome, and turns of a playout.
        streams: a random stream, int64, shape ``(1, 4)``.
        words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
        values: added to, by seat: float64, shape ``(players,)``.
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
    decision count as one event, of the kind of the first.

    Args:
        states: records of the games, shape ``(n,)``; not changed.
        indices: indices of the games in which an action is about to be played, int64, shape ``(k,)``.
        actions: these actions, int64, shape ``(k,)``.
        words: chance words of the games, int64, shape ``(n, 4)``; they decide the actual outcomes.
        codes: the code of the compiled agent that continues for each seat, int8, shape ``(n, players)``.
        effort: draws of an event, playouts of the actual outcome, and turns of a playout.
        records: scratch records, shape ``(NUM_RECORDS,)``.
        streams: a random stream, int64, shape ``(1, 4)``.
        scratch_words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
        variates: added to, by game, kind of event and seat: float64, shape ``(n, kinds, players)``.
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
    """Add the control variate of one action of a finished game; like `add_variates`, but the outcome is known.

    Args:
        before: the record before the action, shape ``(1,)``.
        action: the action that was played.
        after: the record at the next decision, shape ``(1,)``.
        codes: the code of the compiled agent that continues for each seat, int8, shape ``(players,)``.
        effort: draws of an event, playouts of the actual outcome, and turns of a playout.
        records: scratch records, shape ``(NUM_RECORDS,)``.
        streams: a random stream, int64, shape ``(1, 4)``.
        scratch_words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
        values: added to, by seat: float64, shape ``(players,)``.

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
