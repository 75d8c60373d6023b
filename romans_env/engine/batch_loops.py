"""The step of many games, over a range of them: threads take a range each. A loop template (`romans_env.compiling`).

``game`` is the game's `romans_env.engine.step_functions`. In all loops ``states`` are records, shape (n,), ``out`` is a
`romans_env.core.batch.BatchArrays`, and games [first, last) are played. ``deal_streams`` decide the
chance of every game that starts, ``choice_streams`` and ``streams`` the random actions; ``words`` are the chance words
of the games in progress, which only games with chance in play read and write. These four are int64, shape (n, 4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_env.compiling.decorators import cached_jit
from romans_env.engine.ends import ENDED, ENDED_ILLEGAL, GOES_ON, ILLEGAL_REWARD

if TYPE_CHECKING:
    from romans_env.engine import rule_steps as game


@cached_jit(nogil=True)
def start_games(states, deal_streams, words, out, first, last):
    """Start games with chance from ``deal_streams``, which move on, and write what the seats to act see."""
    observations, masks, seats, rewards, ends = out
    for i in range(first, last):
        game.start(states, i, deal_streams, words)
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
        ends[i] = GOES_ON
        seats[i] = game.seat_to_act(states, i)
        game.observe(states, i, seats[i], observations, i)
        game.write_mask(states, i, masks, i)


@cached_jit(nogil=True)
def step_games(states, actions, chooses, watches, deal_streams, choice_streams, words, out, first, last):
    """Play an action in each game; those that end start again.

    With ``chooses`` the actions are drawn from the legal ones, and written into ``actions``; without ``watches``
    neither observations nor masks are written.
    """
    observations, masks, seats, rewards, ends = out
    for i in range(first, last):
        seat = game.seat_to_act(states, i)
        if chooses:
            actions[i] = game.random_action(states, i, choice_streams, i)
        action = actions[i]
        end = GOES_ON
        if not game.is_legal(states, i, action):
            end = ENDED_ILLEGAL
        else:
            game.act(states, i, action, words)
            if game.is_over(states, i):
                end = ENDED
        for other in range(rewards.shape[1]):
            rewards[i, other] = 0.0
        if end != GOES_ON:
            if end == ENDED_ILLEGAL:
                rewards[i, seat] = ILLEGAL_REWARD
            else:
                for other in range(rewards.shape[1]):
                    rewards[i, other] = game.game_return(states, i, other)
            game.start(states, i, deal_streams, words)
        ends[i] = end
        seats[i] = game.seat_to_act(states, i)
        if watches:
            game.observe(states, i, seats[i], observations, i)
            game.write_mask(states, i, masks, i)


@cached_jit(nogil=True)
def play_out_games(states, streams, words, returns, lengths, first, last):
    """Play games to their ends with random legal actions, each at a stretch.

    ``returns`` gets every player's return, float32, shape (n, num_players), ``lengths`` the number of actions, int64,
    shape (n,).
    """
    for i in range(first, last):
        length = np.int64(0)
        while not game.is_over(states, i):
            game.act(states, i, game.random_action(states, i, streams, i), words)
            length += 1
        for seat in range(returns.shape[1]):
            returns[i, seat] = game.game_return(states, i, seat)
        lengths[i] = length
