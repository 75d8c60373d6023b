"""Rollouts of a policy to the end of the own turn, or further. A loop template (`romans_env.compiling`).

``game`` is the game's `romans_env.engine.step_functions`.
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
"""Decisions of a rollout, at most."""
NUM_RECORDS = 3
"""Scratch records: of what the seat may know, of where rollouts start, and of the game that is played on."""
VIEW, START, COURSE = range(NUM_RECORDS)


@jitted
def play_on(records, seat, turns, seen, actions, words, networks):
    """Let the policy decide for every seat until the one to act has changed ``turns`` times.

    Args:
        records: scratch; the game in the row COURSE is played on.
        seat: whose return is estimated.
        turns: changes of the seat to act.
        seen: room for an observation: int8, shape (1, observation size).
        actions: room for the legal actions.
        words: the chance words of the game's chance events.
        networks: of the policy and the value.

    Returns:
        The seat's expected return: the mean of what the value network says at each change, and of the game's return for
        each that the game did not last for.
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
    """Return what the value network, asked for the seat to act, says of a seat's return."""
    mover = game.seat_to_act(records, COURSE)
    game.observe(records, COURSE, mover, seen, 0)
    value = value_of(seen[0], networks)
    return value if mover == seat else -value / (game.num_players(records) - 1)


@cached_jit(nogil=True)
def evaluate_actions(records, seat, actions, sums, num_samples, turns, streams, words, seen, scratch, networks):
    """Play every action on by the policy, from the same determinizations with the same chance.

    Args:
        records: scratch, NUM_RECORDS of them; the first is redacted for the seat, and stands at its decision.
        seat: who decides.
        actions: those to be compared: int64, shape (n,).
        sums: sums of the seat's expected returns, to be added to: float64, shape (n,).
        num_samples: how many determinizations.
        turns: how often the seat to act changes in a rollout, at least 1.
        streams: the search's random stream: int64, shape (1, 4).
        words: scratch for chance words: int64, shape (NUM_RECORDS, 4).
        seen: scratch for an observation, of its dtype, shape (1, observation size).
        scratch: int64, shape (number of actions,).
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
