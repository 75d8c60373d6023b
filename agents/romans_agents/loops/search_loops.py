"""Searches of any game: information-set Monte Carlo tree search, and flat Monte Carlo.

A loop template (`romans_env.compiling.templates`): ``game`` stands for the game's `romans_env.engine.step_functions`,
``evaluator`` for the priors and values of the search, a `romans_env.core.parts.Evaluator`.

The tree follows multiple-observer ISMCTS (Cowling, Powley and Whitehouse 2012). A node is an information set: a
decision together with everything that its seat knows. It is found by a hash of the record redacted for that seat, so no
node depends on information that is hidden from its seat. Every iteration draws its own determinization and its own
chance words; chance nodes are sampled, not stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_agents.loops.tree import NO_PLACE, add_node, find, hash_of, read_node, select
from romans_env.compiling.decorators import cached_jit, inlined
from romans_env.engine.random_stream import next_word

if TYPE_CHECKING:
    from romans_agents.roma import evaluator  # any game's; an editor follows these
    from romans_env.engine import rule_steps as game

MAX_DEPTH = 128
"""The maximum number of decisions that one iteration takes within the tree."""
NUM_RECORDS = 3
"""Number of scratch records."""
VIEW, COURSE, PRIVATE = range(NUM_RECORDS)
"""Rows of the scratch records. VIEW is the redacted state of the searching seat, and COURSE the game of an iteration.
PRIVATE is a copy of that game, redacted for the seat to act; in `compare`, it is the determinization from which
rollouts start."""


@inlined
def draw_chance(words, row, streams):
    """Draw the chance words of one game into ``words[row]``: int64, shape ``(rows, 4)``."""
    for k in range(words.shape[1]):
        words[row, k] = next_word(streams, 0)


@cached_jit(nogil=True)
def iterate(records, hashed, seat, tree, num_actions, exploration, num_iterations, streams, words):
    """Add iterations to a search.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``; the first is the state at the seat's decision, redacted for
            the seat.
        hashed: the same memory as integers, shape ``(NUM_RECORDS, m)``.
        seat: the searching seat.
        tree: the `romans_agents.loops.tree.Tree`, to which nodes and visits are added.
        num_actions: size of the action space.
        exploration: the weight of the exploration term, relative to returns in [-1, 1].
        num_iterations: the number of iterations.
        streams: the search's random stream, int64, shape ``(1, 4)``; it advances.
        words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
    """
    num_players = game.num_players(records)
    actions = np.empty(num_actions, dtype=np.int64)
    priors = np.empty(num_actions)
    chosen = np.empty(MAX_DEPTH, dtype=np.int64)
    seats = np.empty(MAX_DEPTH, dtype=np.int64)
    grows = np.empty(num_players, dtype=np.int8)
    returns = np.empty(num_players)
    for _ in range(num_iterations):
        game.determinize(records, VIEW, COURSE, seat, streams, 0)
        evaluator.arrange_hidden(records, COURSE, seat, streams)
        draw_chance(words, COURSE, streams)
        grows[:] = 1
        depth = 0
        while not game.is_over(records, COURSE):
            mover = np.int64(game.seat_to_act(records, COURSE))
            if not grows[mover] or depth == MAX_DEPTH:
                break
            records[PRIVATE] = records[COURSE]
            game.redact(records, PRIVATE, mover)
            key = hash_of(hashed, PRIVATE)
            place = find(tree, key)
            if place == NO_PLACE:
                break
            if tree.keys[place] == 0:
                count = game.legal_actions(records, COURSE, actions)
                evaluator.priors(records, COURSE, actions, count, priors)
                if not add_node(tree, place, key, actions, priors, count):
                    break
                grows[mover] = 0
            child = select(tree, place, exploration, streams)
            chosen[depth], seats[depth] = child, mover
            depth += 1
            game.act(records, COURSE, np.int64(tree.actions[child]), words)
        if game.is_over(records, COURSE):
            for player in range(num_players):
                returns[player] = game.game_return(records, COURSE, player)
        else:
            evaluator.evaluate(records, COURSE, streams, words, returns)
        for k in range(depth):
            tree.visits[chosen[k]] += 1
            tree.totals[chosen[k]] += returns[seats[k]]


@cached_jit
def root_counts(hashed, tree, visits, totals):
    """Add the visits and the sums of returns of the root's actions to two arrays indexed by action id.

    Args:
        hashed: the scratch records as integers, as for `iterate`.
        tree: the `romans_agents.loops.tree.Tree`.
        visits: int64, shape ``(num_actions,)``; the visits are added to it.
        totals: float64, shape ``(num_actions,)``; the sums of returns are added to it.
    """
    read_node(tree, hash_of(hashed, VIEW), visits, totals)


@cached_jit(nogil=True)
def compare(records, seat, actions, sums, num_samples, streams, words):
    """Run flat Monte Carlo: play rollouts after every action, from the same determinizations with the same chance.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``; the first is the state at the seat's decision, redacted for
            the seat.
        seat: the seat to act.
        actions: the actions to compare, int64, shape ``(n,)``.
        sums: float64, shape ``(n,)``; the seat's returns after each action are added to it.
        num_samples: the number of determinizations.
        streams: two random streams, int64, shape ``(2, 4)``: the search's stream, which advances, and scratch.
        words: scratch for chance words, int64, shape ``(NUM_RECORDS, 4)``.
    """
    returns = np.empty(game.num_players(records))
    own = streams[:1]
    course = streams[1:]
    for _ in range(num_samples):
        game.determinize(records, VIEW, PRIVATE, seat, own, 0)
        evaluator.arrange_hidden(records, PRIVATE, seat, own)
        draw_chance(words, PRIVATE, own)
        start = own[0].copy()
        for k in range(actions.shape[0]):
            records[COURSE] = records[PRIVATE]
            words[COURSE] = words[PRIVATE]
            course[0] = start
            game.act(records, COURSE, actions[k], words)
            if game.is_over(records, COURSE):
                sums[k] += game.game_return(records, COURSE, seat)
            else:
                evaluator.evaluate(records, COURSE, course, words, returns)
                sums[k] += returns[seat]
