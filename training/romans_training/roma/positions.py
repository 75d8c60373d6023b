"""Positions at the starts of turns, and how the games ended: what `romans_agents.roma.value` is fitted to."""

from __future__ import annotations

import numpy as np

from romans_agents.roma.compiled_agents import play
from romans_agents.roma.value import NUM_FEATURES, write_features
from romans_env.engine.compiled import cached_jit
from romans_env.engine.random_stream import below
from romans_env.roma import step
from romans_env.roma.cards import NUM_SEATS


@cached_jit(nogil=True)
def sample_positions(states, controllers, deal_streams, streams, words, one_in, features, returns):
    """Play games between compiled agents, and write some of the positions in which a turn's dice have been thrown.

    Args:
        states: records, shape (n,).
        controllers: the code of the agent on each seat: int8, shape (n, 2).
        deal_streams, streams, words: int64, shape (n, 4) each.
        one_in: how many positions of its own a game keeps: one in so many.
        features: float64, shape (m, NUM_FEATURES), written: for the seat whose turn it is.
        returns: its return at the end: float64, shape (m,), written.

    Returns:
        How many positions were written.
    """
    scratch = np.empty_like(states[:1])
    seats = np.empty(400, dtype=np.int64)
    count = np.int64(0)
    for i in range(states.shape[0]):
        step.start(states, i, deal_streams, words)
        turn = np.int64(0)
        first = count
        while not step.is_over(states, i):
            if states[i].turn != turn:
                turn = np.int64(states[i].turn)
                if below(streams, i, one_in) == 0 and count < features.shape[0]:
                    seats[count - first] = states[i].seat
                    write_features(states[i], states[i].seat, features[count])
                    count += 1
            play(controllers[i, step.seat_to_act(states, i)], states, i, scratch, streams, words)
        for k in range(first, count):
            returns[k] = step.game_return(states, i, seats[k - first])
    return count


assert NUM_FEATURES > NUM_SEATS
