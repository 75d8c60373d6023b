"""Rollouts of a policy to the end of the seat's turn, or longer. A loop template (`romans_env.compiling.templates`).

``game`` stands for the game's `romans_env.engine.step_functions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_agents.loops.compiled_networks import likeliest, value_of
from romans_agents.loops.search_loops import draw_chance
from romans_env.compiling.decorators import cached_jit, jitted

if TYPE_CHECKING:
    from romans_env.engine import rule_steps as game

MAX_DECISIONS = 64
"""The most decisions of a rollout."""
NUM_RECORDS = 3
"""Number of scratch records."""
VIEW, START, COURSE = range(NUM_RECORDS)
"""Rows of the scratch records. VIEW is the redacted state of the seat, START the determinization from which rollouts
start, and COURSE the game of the current rollout."""


@jitted
def play_on(records, seat, turns, seen, actions, words, networks):
    """Play a rollout, in which the policy decides for every seat until the seat to act has changed ``turns`` times.

    Args:
        records: records, shape ``(NUM_RECORDS,)``; the game in row COURSE is played on.
        seat: the seat whose return is estimated.
        turns: the number of changes of the seat to act, at least 1.
        seen: scratch for an observation, in its dtype, shape ``(1, observation_size)``.
        actions: scratch for legal actions, int64, shape ``(num_actions,)``.
        words: chance words, int64, shape ``(NUM_RECORDS, 4)``; row COURSE decides the game's chance events.
        networks: `romans_agents.loops.compiled_networks.Networks`.

    Returns:
        The seat's expected return: the mean of the value network's estimates, one at each change of the seat to act. If
        the rollout stops before all changes, one value counts for all missing changes: the seat's return if the game is
        over, or the current estimate after MAX_DECISIONS.
    """
    mover, left, total, decisions = np.int64(seat), np.int64(turns), 0.0, 0
    while left > 0 and not game.is_over(records, COURSE) and decisions < MAX_DECISIONS:
        if mover != game.seat_to_act(records, COURSE):
            mover, left = np.int64(game.seat_to_act(records, COURSE)), left - 1
            total += value_for(records, seat, seen, networks)
        else:
            count = game.legal_actions(records, COURSE, actions)
            game.observe(records, COURSE, mover, seen, 0)
            game.act(records, COURSE, likeliest(seen[0], networks, actions, count), words)
            decisions += 1
    if left > 0 and game.is_over(records, COURSE):
        total += left * game.game_return(records, COURSE, seat)
    elif left > 0:
        total += left * value_for(records, seat, seen, networks)
    return total / turns


@jitted
def value_for(records, seat, seen, networks):
    """Estimate the expected return of ``seat`` in row COURSE with the value network.

    The network estimates the return of the seat to act. If ``seat`` is another seat, its return is taken to be an equal
    share of the opposite return.

    Args:
        records: records, shape ``(NUM_RECORDS,)``.
        seat: the seat whose return is estimated.
        seen: scratch for an observation, in its dtype, shape ``(1, observation_size)``.
        networks: `romans_agents.loops.compiled_networks.Networks`.
    """
    mover = game.seat_to_act(records, COURSE)
    game.observe(records, COURSE, mover, seen, 0)
    value = value_of(seen[0], networks)
    return value if mover == seat else -value / (game.num_players(records) - 1)


@cached_jit(nogil=True)
def evaluate_actions(records, seat, actions, sums, num_samples, turns, streams, words, seen, scratch, networks):
    """Play rollouts of the policy after every action, from the same determinizations with the same chance.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``; the first is the state at the seat's decision, redacted for
            the seat.
        seat: the seat to act.
        actions: the actions to compare, int64, shape ``(n,)``.
        sums: float64, shape ``(n,)``; the seat's expected returns are added to it.
        num_samples: the number of determinizations.
        turns: how many times the seat to act changes in a rollout, at least 1.
        streams: the search's random stream, int64, shape ``(1, 4)``; it advances.
        words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
        seen: scratch for an observation, in its dtype, shape ``(1, observation_size)``.
        scratch: scratch for legal actions, int64, shape ``(num_actions,)``.
        networks: `romans_agents.loops.compiled_networks.Networks`.
    """
    for _ in range(num_samples):
        game.determinize(records, VIEW, START, seat, streams, 0)
        draw_chance(words, START, streams)
        for k in range(actions.shape[0]):
            records[COURSE] = records[START]
            words[COURSE] = words[START]
            game.act(records, COURSE, actions[k], words)
            sums[k] += play_on(records, seat, turns, seen, scratch, words, networks)
