"""Games for the win probability of `odoacer`: a seat's observations at the ends of turns, and its share of the win."""

from __future__ import annotations

import numpy as np

from romans_agents.struggle.heuristics import scripted_action
from romans_agents.struggle.rollouts import VIEW
from romans_agents.struggle.selective_rollouts import MOST, choose, write_candidates
from romans_agents.struggle.win_chance import log_odds_of_value, share_won
from romans_env.compiling.decorators import cached_jit
from romans_env.engine.random_stream import below, next_word
from romans_env.struggle import step
from romans_env.struggle.knowledge import hide

WORD_SIZE = 2.0**32
"""The number of values of a random word."""
OTHER_TURNS = 0.125
"""The share of positions kept at the ends of other seats' turns, relative to the own turns. Rollouts of 13 turns end
there only after answers to offers."""


@cached_jit(nogil=True)
def play_game(states, searches, options, streams, deals, words, scratch, fitted, weights, prior, rows):
    """Play a game to its end, and record positions of the seats that search, or of all seats if none of them does.

    Args:
        states: the record of the game, shape ``(1,)``; it need not have begun.
        searches: True for the seats that `odoacer` plays, False for `trader`: bool, shape ``(4,)``.
        options: float64, shape ``(4,)``: the share of the seats' own turns whose end is recorded, the share of
            decisions that are random candidates, and the arguments ``least_worth`` and ``doubt`` of `choose`.
        streams: the random stream of the players and of this function: int64, shape ``(1, 4)``; advanced.
        deals: the random stream of the deals: int64, shape ``(1, 4)``; advanced.
        words: scratch for the game's chance words: int64, shape ``(1, 4)``.
        scratch: scratch for `choose`: records, shape ``(NUM_RECORDS,)``; chance words, int64, shape ``(NUM_RECORDS,
            4)``; an observation, int16, shape ``(1, observation_size)``.
        fitted: the `romans_agents.struggle.win_chance.WinChance` that evaluates the ends of rollouts.
        weights: the weights of `trader`: float64.
        prior: the network that decides where rollouts are worthwhile: a
            `romans_agents.struggle.selective_rollouts.Prior`.
        rows: written: observations, int16, shape ``(n, observation_size)``; log-odds of a win by the heuristic value,
            float32, shape ``(n,)``; seats, int8, shape ``(n,)``; shares of the win, float32, shape ``(n,)``.

    Returns:
        The number of rows written, at most n; and the number of rollouts.
    """
    kept, explored, least_worth, doubt = options
    records, rollout_words, seen = scratch
    observations, log_odds, seats, shares = rows
    actions, scores, returns = np.empty(MOST, dtype=np.int64), np.empty(MOST), np.empty(4)
    step.start(states, 0, deals, words)
    number, phase, active = states[0].round_number, states[0].phase, states[0].active
    count = rollouts = 0
    while not step.is_over(states, 0):
        state = states[0]
        if state.round_number != number or state.phase != phase or state.active != active:
            for viewer in range(4):
                rate = kept if viewer == active else kept * OTHER_TURNS
                if (searches[viewer] or not searches.any()) and next_word(streams, 0) < rate * WORD_SIZE:
                    if count == shares.shape[0]:
                        break
                    step.observe(states, 0, viewer, observations, count)
                    log_odds[count] = log_odds_of_value(states[0], viewer, weights, returns)
                    seats[count] = viewer
                    count += 1
            number, phase, active = state.round_number, state.phase, state.active
        seat = np.int64(state.seat)
        records[VIEW] = states[0]
        hide(records[VIEW], seat)
        if next_word(streams, 0) < explored * WORD_SIZE:
            action = actions[below(streams, 0, write_candidates(records, weights, actions, scores))]
        elif searches[seat]:
            action, more = choose(
                records, seat, streams, rollout_words, seen, weights, prior, fitted, least_worth, doubt
            )
            rollouts += more
        else:
            action = scripted_action(records[VIEW], weights)
        step.act(states, 0, action, words)
    for row in range(count):
        shares[row] = share_won(states, 0, np.int64(seats[row]))
    return count, rollouts
