"""What chance events are worth, against what they might have brought. A loop template (`romans_env.compiling`).

``game`` is the game's `romans_env.engine.step_functions`, ``players`` and ``evaluator`` are `romans_env.core.parts`.
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
"""Scratch records."""
EVENT, CAME, COURSE, SEEN = range(NUM_RECORDS)


@jitted
def add_value(records, codes, turns, streams, words, weight, returns, values):
    """Play some turns on, the one in progress being the first, and add what the position is worth then."""
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
    """Add what the chance events of record EVENT are worth in the mean, less what record CAME, after them, is worth."""
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
    """Add what the chance events that follow some actions are worth in the mean, less what those that come are worth.

    The events up to the next decision are one, of the kind of the first of them.

    Args:
        states: records, shape (n,).
        indices: numbers of games: int64, shape (k,).
        actions: the actions that are about to be played there: int64, shape (k,).
        words: the chance words of the games: int64, shape (n, 4).
        codes: who plays on, for the agent of each seat: int8, shape (n, players).
        effort: draws of the events, play-outs of what comes, and turns of a play-out.
        records: scratch, NUM_RECORDS of them.
        streams: a random stream: int64, shape (1, 4).
        scratch_words: scratch for chance words: int64, shape (NUM_RECORDS, 4).
        variates: added to: float64, shape (n, kinds, players).
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
    """Add `add_variates` to ``values``, float64, shape (players,), for an action of a game that was played on.

    Args:
        before: the record before the action, shape (1,).
        action: what was played.
        after: the record at the next decision, shape (1,).
        codes: int8, shape (players,).
        effort: as for `add_variates`, like what follows.
        records: scratch.
        streams: random streams.
        scratch_words: scratch.
        values: what is added to.

    Returns:
        The kind of event; -1 where chance decided nothing.
    """
    records[EVENT] = before[0]
    game.apply(records[EVENT], action)
    if game.current_player(records[EVENT]) != CHANCE:
        return -1
    records[CAME] = after[0]
    kind = np.int64(game.event_of(records[EVENT]))
    add_event(records, codes, effort, streams, scratch_words, values)
    return kind
