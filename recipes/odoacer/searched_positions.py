"""Positions for the network of `odoacer` that selects rollouts: candidates, and rollouts of each of them."""

from __future__ import annotations

import numpy as np

from romans_agents.loops.search_loops import draw_chance
from romans_agents.struggle.heuristics import scripted_action
from romans_agents.struggle.rollouts import COURSE, START, VIEW, play_turns
from romans_agents.struggle.selective_rollouts import (
    DIFFERENCE,
    LARGEST,
    MOST,
    TURNS,
    write_candidates,
    write_prior,
)
from romans_agents.struggle.win_chance import chance_of
from romans_env.compiling.decorators import cached_jit
from romans_env.engine.random_stream import below, next_word
from romans_env.struggle import step
from romans_env.struggle.knowledge import hide

WORD_SIZE = 2.0**32


@cached_jit(nogil=True)
def play_searched_game(states, own, options, streams, deals, words, scratch, fitted, weights, prior, rows):
    """Play a game of the network, without rollouts, against `trader`, and search some of its decisions.

    Args:
        states: the record of the game, shape ``(1,)``; it need not have begun.
        own: the seat of the network.
        options: float64, shape ``(2,)``: the share of decisions that are searched, and the share of decisions that are
            random candidates.
        streams, deals, words, scratch, fitted, weights, prior: as in `recipes.odoacer.turn_ends.play_game`.
        rows: written: observations, int8, shape ``(n, observation_size)``; candidates, int64, shape ``(n, MOST)``;
            their scores, float32, and 1.0 where there is a candidate, float32, both of shape ``(n, MOST)``; the win
            probability by each rollout, float32, shape ``(n, rollouts, MOST)``.

    Returns:
        The number of rows written, at most n.
    """
    searched, explored = options
    records, rollout_words, seen = scratch
    observations, candidates, worths, valid, chances = rows
    actions, scores, returns = np.empty(MOST, dtype=np.int64), np.empty(MOST), np.empty(4)
    known = np.zeros((3, MOST))
    step.start(states, 0, deals, words)
    rows_written = 0
    while not step.is_over(states, 0):
        seat = np.int64(states[0].seat)
        records[VIEW] = states[0]
        hide(records[VIEW], seat)
        if seat != own:
            step.act(states, 0, scripted_action(records[VIEW], weights), words)
            continue
        count = write_candidates(records, weights, actions, scores)
        action = actions[0]
        if count > 1:
            step.observe(records, VIEW, seat, seen, 0)
            write_prior(seen[0], actions, scores, count, prior, known)
            action = actions[known[DIFFERENCE, :count].argmax()]
            if rows_written < valid.shape[0] and next_word(streams, 0) < searched * WORD_SIZE:
                for entry in range(seen.shape[1]):
                    observations[rows_written, entry] = min(np.int64(seen[0, entry]), np.int64(LARGEST))
                candidates[rows_written], worths[rows_written], valid[rows_written] = 0, 0.0, 0.0
                candidates[rows_written, :count], valid[rows_written, :count] = actions[:count], 1.0
                worths[rows_written, :count] = scores[:count]
                chances[rows_written] = 0.0
                for rollout in range(chances.shape[1]):
                    step.determinize(records, VIEW, START, seat, streams, 0)
                    draw_chance(rollout_words, START, streams)
                    for k in range(count):
                        records[COURSE], rollout_words[COURSE] = records[START], rollout_words[START]
                        step.act(records, COURSE, actions[k], rollout_words)
                        play_turns(records, TURNS, weights, rollout_words)
                        chances[rows_written, rollout, k] = chance_of(
                            records, COURSE, seat, weights, fitted, returns, seen
                        )
                rows_written += 1
            if next_word(streams, 0) < explored * WORD_SIZE:
                action = actions[below(streams, 0, count)]
        step.act(states, 0, action, words)
    return rows_written
