"""Rollouts of a scripted agent over some turns, ended by the chance to win (`win_chance`)."""

from __future__ import annotations

import numpy as np

from romans_agents.loops.search_loops import draw_chance
from romans_agents.struggle.heuristics import scripted_action, write_scores
from romans_agents.struggle.win_chance import chance_of
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.struggle import step

NUM_RECORDS = 3
"""Scratch records."""
VIEW, START, COURSE = range(NUM_RECORDS)
LARGEST_GAP = 6.0
"""An action is compared if its score is at most so far behind the highest, in resource cards; the second one always
is."""


@jitted
def play_turns(records, turns, weights, words):
    """Let the scripted agent decide for all seats until ``turns`` turns have ended, or the game has."""
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
    """Play every action on from the same determinizations with the same chance.

    Args:
        records: scratch, NUM_RECORDS of them; the first is redacted for the seat, and stands at its decision.
        seat: who decides.
        actions: those to be compared: int64, shape (n,).
        sums: sums of the seat's chances to win, to be added to: float64, shape (n,).
        num_samples: how many determinizations.
        turns: how many turns a rollout plays on, the first being that of the position after the action.
        streams: the search's random stream: int64, shape (1, 4).
        words: scratch for chance words: int64, shape (NUM_RECORDS, 4).
        seen: scratch for an observation, of its dtype, shape (1, observation size).
        weights: of the scripted agent's style.
        fitted: `win_chance.WinChance`.
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
    """Write the legal actions of ``views[0]`` and their scores by the scripted agent; return how many there are."""
    count = step.legal_actions(views, 0, actions)
    write_scores(views[0], weights, actions, count, scores)
    return count
