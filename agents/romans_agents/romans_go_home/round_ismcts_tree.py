"""The tree of `round-ismcts`, and an iteration of its search.

Every player has its own nodes (multiple-observer ISMCTS: Cowling, Powley and Whitehouse 2012). A node is an information
set: a decision with all that its seat knows, found by a hash of the record redacted for that seat, so that no node
depends on another seat's face-down warriors. Plans are hidden and simultaneous (RULES 3.2). Therefore an iteration that
begins in planning goes back to the start of the round, where every opponent chooses its plan from its own nodes
(decoupled selection). So a plan is evaluated against the plans that opponents may choose, not against a particular
hidden one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from romans_agents.loops.tree import NO_PLACE, add_node, find, hash_of, read_node, select
from romans_agents.romans_go_home.network import policy_probabilities
from romans_agents.romans_go_home.rollouts import Rollouts, arrange_hidden, is_done, judge, roll_on
from romans_agents.romans_go_home.round_start import is_planning
from romans_env.compiling.decorators import cached_jit, inlined, jitted
from romans_env.romans_go_home.actions import DISCARD, NUM_ACTIONS, PLACE, bit, lowest
from romans_env.romans_go_home.determinization import determinize
from romans_env.romans_go_home.knowledge import hide
from romans_env.romans_go_home.material import MAX_CLANS, NONE
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, State
from romans_env.romans_go_home.step import apply

WIDTH = 11
"""The most legal actions of a decision."""
MAX_DEPTH = 64
NUM_RECORDS = 3
_VIEW, _ROLLOUT, _PRIVATE = range(NUM_RECORDS)


class Search(NamedTuple):
    """Settings of the search.

    Attributes:
        rollouts: the settings of the rollouts from the leaves of the tree.
        uses_priors: whether priors are the policy network's probabilities; otherwise they are uniform.
        exploration: weight of the exploration term; returns are in [-1, 1].
    """

    rollouts: Rollouts
    uses_priors: bool
    exploration: float


@jitted
def write_priors(state: State, search, actions, priors):
    """Write the legal actions, int64, and their priors, float64, both of shape ``(NUM_ACTIONS,)``.

    Returns:
        The number of legal actions.
    """
    probabilities = np.ones(NUM_ACTIONS)
    if search.uses_priors:
        policy_probabilities(state, search.rollouts.networks, probabilities)
    count = 0
    for action in range(lowest(state.legal), NUM_ACTIONS):
        if state.legal & bit(action) != 0:
            actions[count], priors[count] = action, probabilities[action]
            count += 1
    if not search.uses_priors:
        priors[:count] = 1.0 / count
    return count


@cached_jit(nogil=True)
def iterate(records, words, seat, plan, tree, search, num_iterations, streams):
    """Add iterations to a search.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``; the first is the seat's private view, taken back to the
            start of the round if the seat is planning.
        words: the same memory as int64, shape ``(NUM_RECORDS, words of a record)``.
        seat: the searching seat.
        plan: the part of its plan that the seat has already laid: the warrior set aside (NONE if there is none yet),
            then the line: int64, shape ``(slots filled + 1,)``.
        tree: a `romans_agents.loops.tree.Tree`; added to.
        search: the settings.
        num_iterations: the number of iterations.
        streams: a random stream, int64, shape ``(1, 4)``; advanced.
    """
    actions = np.empty(NUM_ACTIONS, dtype=np.int64)
    priors = np.empty(NUM_ACTIONS)
    chosen = np.empty(MAX_DEPTH, dtype=np.int64)
    seats = np.empty(MAX_DEPTH, dtype=np.int64)
    in_tree = np.empty(MAX_CLANS, dtype=np.int8)
    returns = np.empty(MAX_CLANS)
    round_index = np.int64(records[_VIEW].round_index)
    for _ in range(num_iterations):
        determinize(records, _VIEW, _ROLLOUT, seat, streams, 0)
        if not is_planning(records[_ROLLOUT]):
            arrange_hidden(records[_ROLLOUT], seat, search.rollouts.kind, streams, 0)
        in_tree[:] = 1
        depth = 0
        while not is_done(records[_ROLLOUT], search.rollouts, round_index):
            mover = np.int64(records[_ROLLOUT].seat)
            fixed = fixed_action(records[_ROLLOUT], mover, seat, plan, round_index)
            if fixed != NONE:
                apply(records[_ROLLOUT], fixed)
                continue
            if not in_tree[mover] or depth == MAX_DEPTH:
                roll_on(records[_ROLLOUT], search.rollouts, streams, 0)
                continue
            records[_PRIVATE] = records[_ROLLOUT]
            hide(records[_PRIVATE], mover)
            key = hash_of(words, _PRIVATE)
            place = find(tree, key)
            if place == NO_PLACE:
                in_tree[mover] = 0
                continue
            if tree.keys[place] == 0:
                count = write_priors(records[_ROLLOUT], search, actions, priors)
                add_node(tree, place, key, actions, priors, count)
                in_tree[mover] = 0
            child = select(tree, place, search.exploration, streams)
            chosen[depth], seats[depth] = child, mover
            depth += 1
            apply(records[_ROLLOUT], np.int64(tree.actions[child]))
        judge(records[_ROLLOUT], search.rollouts, returns)
        for k in range(depth):
            tree.visits[chosen[k]] += 1
            tree.totals[chosen[k]] += returns[seats[k]]


@inlined
def fixed_action(state: State, mover, seat, plan, round_index):
    """Return the action that the searching seat has already taken at this point of its plan, or NONE."""
    if mover == seat and state.round_index == round_index:
        if state.phase == PHASE_DISCARD and plan[0] != NONE:
            return np.int64(DISCARD + plan[0])
        if state.phase == PHASE_PLACE and state.slot + 1 < plan.shape[0]:
            return np.int64(PLACE + plan[state.slot + 1])
    return np.int64(NONE)


@cached_jit
def root_counts(words, tree, visits, totals):
    """Add the root's visits, int64, and sums of returns, float64, to arrays by action, shape ``(NUM_ACTIONS,)``."""
    read_node(tree, hash_of(words, _VIEW), visits, totals)
