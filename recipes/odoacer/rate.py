"""What the corrections of `odoacer` are fitted to: actions of many positions, each rated by a few rollouts."""

from __future__ import annotations

import numpy as np

from recipes.odoacer.agent import BEFORE, NEXT_ROUND, THIS_ROUND, see
from romans_agents.loops.search_loops import draw_chance
from romans_agents.struggle.rollouts import COURSE, START, VIEW, play_turns
from romans_agents.struggle.tactics import write_scores
from romans_agents.struggle.trained.stilicho import LARGEST_GAP
from romans_agents.struggle.win_chance import chance_of
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.struggle import step

_LARGEST = 127


@jitted
def write_candidates(records, weights, actions, scores):
    """Write the actions that `StilichoAgent.candidates` gives for the record VIEW, and scores; return how many."""
    legal, worth = np.empty(scores.shape[0] + 1024, dtype=np.int64), np.empty(scores.shape[0] + 1024)
    count = step.legal_actions(records, VIEW, legal)
    write_scores(records[VIEW], weights, legal, count, worth)
    kept = 0
    while kept < min(count, actions.shape[0]):
        best = worth[:count].argmax()
        if kept >= 2 and worth[best] < scores[0] - LARGEST_GAP:
            break
        actions[kept], scores[kept] = legal[best], worth[best]
        worth[best] = -np.inf
        kept += 1
    return kept


@cached_jit(nogil=True)
def rate_each(states, games, weights, fitted, num_samples, turns, streams, words, seen, records, out):
    """Rate the candidates in some games, each at a decision, and write what a network sees of them.

    Without samples the candidates and their scores alone are written. ``out`` is a `fit_corrections.Examples`; the rest
    is as for `recipes.stilicho.teacher` and `rollouts.evaluate_actions`.
    """
    returns = np.empty(4)
    for g in range(games.shape[0]):
        records[VIEW] = states[games[g]]
        seat = np.int64(records[VIEW].seat)
        step.redact(records, VIEW, seat)
        count = write_candidates(records, weights, out.actions[g], out.scores[g])
        out.counts[g] = count
        step.observe(records, VIEW, seat, seen, BEFORE)
        out.before[g] = np.minimum(seen[BEFORE], _LARGEST)
        for sample in range(num_samples + 1 if num_samples else 0):
            step.determinize(records, VIEW, START, seat, streams, 0)
            draw_chance(words, START, streams)
            for k in range(count):
                if sample == 0:
                    see(records, seat, out.actions[g, k], 0.0, weights, words, seen)
                    write_changes(seen, out.places[g, k], out.changes[g, k])
                    continue
                records[COURSE], words[COURSE] = records[START], words[START]
                step.act(records, COURSE, out.actions[g, k], words)
                play_turns(records, turns, weights, words)
                chance = chance_of(records, COURSE, seat, weights, fitted, returns, seen)
                out.chances[g, k] += chance / num_samples


@jitted
def write_changes(seen, places, changes):
    """Write where the observation changes in this round and in the next, and by how much; the rest are zeros."""
    size, most, k = seen.shape[1], places.shape[0], 0
    for row in (THIS_ROUND, NEXT_ROUND):
        for entry in range(size):
            change = min(seen[row, entry], _LARGEST) - min(seen[row - 1, entry], _LARGEST)
            if change != 0 and k < most:
                places[k], changes[k] = (row - 1) * size + entry, change
                k += 1
