"""Training data for `romans_agents.roma.value`: positions at the starts of turns, and the returns of their games."""

from __future__ import annotations

import numpy as np

from romans_agents.roma.compiled_agents import play
from romans_agents.roma.value import write_features
from romans_env.compiling.decorators import cached_jit
from romans_env.engine.random_stream import below
from romans_env.roma import step
from romans_env.roma.material import LAST_TURN


@cached_jit(nogil=True)
def sample_positions(states, controllers, deal_streams, streams, words, errs, one_in, features, returns):
    """Play games between compiled agents, and write a sample of the positions after a turn's dice have been thrown.

    Args:
        states: records, shape ``(n,)``; written.
        controllers: the code of the agent on each seat: int8, shape ``(n, 2)``.
        deal_streams, streams, words: random streams and chance words: int64, shape ``(n, 4)`` each.
        errs: one in this many decisions is random.
        one_in: one in this many positions is kept.
        features: written, for the seat whose turn it is: float64, shape ``(m,
            romans_agents.roma.value.NUM_FEATURES)``.
        returns: written, the return of that seat at the end of the game: float64, shape ``(m,)``.

    Returns:
        The number of positions written, at most m.
    """
    scratch = np.empty_like(states[:1])
    seats = np.empty(LAST_TURN, dtype=np.int64)
    count = np.int64(0)
    for i in range(states.shape[0]):
        step.start(states, i, deal_streams, words)
        first, turn = count, np.int64(0)
        while not step.is_over(states, i):
            if states[i].turn != turn:
                turn = np.int64(states[i].turn)
                if below(streams, i, one_in) == 0 and count < features.shape[0]:
                    seats[count - first] = states[i].seat
                    write_features(states[i], states[i].seat, features[count])
                    count += 1
            if below(streams, i, errs) == 0:
                step.act(states, i, step.random_action(states, i, streams, i), words)
            else:
                play(controllers[i, step.seat_to_act(states, i)], states, i, scratch, streams, words)
        for k in range(first, count):
            returns[k] = step.game_return(states, i, seats[k - first])
    return count
