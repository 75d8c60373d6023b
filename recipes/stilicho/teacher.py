"""Loops over many games: choices of scripted agents, and the inputs for fitting win probabilities."""

from __future__ import annotations

import numpy as np

from romans_agents.struggle.heuristics import scripted_action
from romans_agents.struggle.win_chance import log_odds_of_value
from romans_env.compiling.decorators import cached_jit
from romans_env.struggle import step
from romans_env.struggle.knowledge import hide


@cached_jit(nogil=True)
def choose_each(states, games, weights, actions):
    """Write the scripted agent's action in each of the games, from the private view of the seat to act.

    Args:
        states: records of all games.
        games: the indices of the games: int64, shape ``(n,)``.
        weights: the weights of the style, one row per game: float64, shape ``(n, num_weights)``.
        actions: written: int64, shape ``(n,)``.
    """
    scratch = np.empty_like(states[:1])
    for k in range(games.shape[0]):
        scratch[0] = states[games[k]]
        hide(scratch[0], scratch[0].seat)
        actions[k] = scripted_action(scratch[0], weights[k])


@cached_jit(nogil=True)
def write_inputs(states, games, weights, observations, log_odds):
    """Write the inputs of `romans_agents.struggle.win_chance.chance_of` for every seat of some games.

    Args:
        states: records of all games.
        games: the indices of the games: int64, shape ``(n,)``.
        weights: the weights of a style: float64.
        observations: written: int16, shape ``(n * players, observation_size)``.
        log_odds: written, the log-odds by the heuristic value: float64, shape ``(n * players,)``.
    """
    players = np.int64(states[0].num_players)
    returns = np.empty(players)
    for k in range(games.shape[0]):
        for seat in range(players):
            step.observe(states, games[k], seat, observations, players * k + seat)
            log_odds[players * k + seat] = log_odds_of_value(states[games[k]], seat, weights, returns)
