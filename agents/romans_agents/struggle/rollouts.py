"""Rollouts of a scripted agent over some turns, evaluated by the win probability at their end (`win_chance`)."""

from __future__ import annotations

import numpy as np

from romans_agents.loops.search_loops import draw_chance
from romans_agents.struggle.heuristics import scripted_action, write_scores
from romans_agents.struggle.win_chance import chance_of
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.struggle import step

NUM_RECORDS = 3
"""Number of scratch records."""
VIEW, START, COURSE = range(NUM_RECORDS)
"""Scratch records: the redacted state of the seat, the determinization where rollouts start, the rollout itself."""
LARGEST_GAP = 6.0
"""The largest distance of a compared action's score from the highest score, in resource cards; the best two actions
are always compared."""


@jitted
def play_turns(records, turns, weights, words):
    """Let the scripted agent play all seats in row COURSE until ``turns`` turns have ended, or the game is over."""
    state = records[COURSE]
    number, phase, active = state.round_number, state.phase, state.active
    while not step.is_over(records, COURSE):
        if state.round_number != number or state.phase != phase or state.active != active:
            turns -= 1
            if turns == 0:
                break
            number, phase, active = state.round_number, state.phase, state.active
        step.act(records, COURSE, scripted_action(state, weights), words)


@cached_jit(nogil=True)
def evaluate_actions(records, seat, actions, sums, num_samples, turns, streams, words, seen, weights, fitted):
    """Play a rollout after every action, from the same determinizations with the same chance.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``; the first is the state at the seat's decision, redacted for
            the seat.
        seat: the seat to act.
        actions: the actions to compare: int64, shape ``(n,)``.
        sums: the sums of the seat's win probabilities: float64, shape ``(n,)``; added to.
        num_samples: the number of determinizations.
        turns: the number of turns of a rollout, beginning with the turn in progress after the action.
        streams: the search's random stream: int64, shape ``(1, 4)``; advanced.
        words: scratch for chance words: int64, shape ``(NUM_RECORDS, 4)``.
        seen: scratch for an observation: int16, shape ``(1, observation_size)``.
        weights: the weights of the scripted agent's style: float64.
        fitted: `romans_agents.struggle.win_chance.WinChance`.
    """
    returns = np.empty(np.int64(records[VIEW].num_players))
    for _ in range(num_samples):
        step.determinize(records, VIEW, START, seat, streams, 0)
        draw_chance(words, START, streams)
        for k in range(actions.shape[0]):
            records[COURSE] = records[START]
            words[COURSE] = words[START]
            step.act(records, COURSE, actions[k], words)
            play_turns(records, turns, weights, words)
            sums[k] += chance_of(records, COURSE, seat, weights, fitted, returns, seen)


@cached_jit(nogil=True)
def score_actions(views, weights, actions, scores):
    """Write the legal actions of ``views[0]``, int64, and their scores, float64, both of shape ``(num_actions,)``.

    Returns:
        The number of legal actions.
    """
    count = step.legal_actions(views, 0, actions)
    write_scores(views[0], weights, actions, count, scores)
    return count
