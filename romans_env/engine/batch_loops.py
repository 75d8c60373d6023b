"""Loops that step many games: a loop template (`romans_env.compiling.templates`).

``game`` are the game's step functions (`romans_env.engine.step_functions`). In all loops:

- ``states`` are records, shape ``(n,)``, and games first to last - 1 are played, so that threads can share them;
- ``out`` is a `romans_env.core.batch.BatchArrays`;
- ``deal_streams`` supply the chance of games that start, ``choice_streams`` and ``streams`` the random actions: int64,
  shape ``(n, 4)``;
- ``words`` are the chance words of the games in progress, used only by games with chance events after the start: int64,
  shape ``(n, 4)``.
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
    """Start games, with chance from ``deal_streams``, which advance, and write the observations of the seats to act."""
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
    """Play one action in each game; games that end start again.

    ``actions`` are int64, shape ``(n,)``. With ``chooses`` they are drawn from the legal actions and written; without
    ``watches`` observations and masks are not written.
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
    """Play games to their ends with random legal actions, one game after the other.

    The return of each player is written into ``returns``, float32, shape ``(n, num_players)``, and the number of
    actions into ``lengths``, int64, shape ``(n,)``.
    """
    for i in range(first, last):
        length = np.int64(0)
        while not game.is_over(states, i):
            game.act(states, i, game.random_action(states, i, streams, i), words)
            length += 1
        for seat in range(returns.shape[1]):
            returns[i, seat] = game.game_return(states, i, seat)
        lengths[i] = length
