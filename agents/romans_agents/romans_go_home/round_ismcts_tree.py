"""The tree of information-set Monte Carlo tree search, and an iteration of it.

Every player searches for itself (multiple-observer ISMCTS: Cowling, Powley and Whitehouse 2012): a node is what one
player knows when it must decide, found by a hash of its redacted record, and nobody's node shows what another has laid
face-down. Plans are chosen as what they are, hidden and simultaneous (RULES 3.2): an iteration that begins in
planning goes back to the start of the round, where every rival chooses its own plan anew from its own nodes
(decoupled selection). So a plan is evaluated against what rivals may do, never against one that the searcher could not
see.
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
"""Actions of one kind of decision, at most."""
MAX_DEPTH = 64
NUM_RECORDS = 3
_VIEW, _ROLLOUT, _PRIVATE = range(NUM_RECORDS)


class Search(NamedTuple):
    """How the tree is searched.

    Attributes:
        rollouts: how games are played on from where the tree ends.
        uses_priors: whether the policy network's probabilities are priors; otherwise priors are even.
        exploration: weight of the exploration term; returns are in [-1, 1].
    """

    rollouts: Rollouts
    uses_priors: bool
    exploration: float


@jitted
def write_priors(state: State, search, actions, priors):
    """Write the legal actions and how promising they are; how many there are."""
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
        records: scratch, NUM_RECORDS of them; the first is redacted for the seat, and stands at the start of the round
            when the seat is planning.
        words: the same memory as int64, shape (NUM_RECORDS, words of a record).
        seat: the seat that searches.
        plan: what the seat has decided of its plan already: the warrior set aside (NONE: nothing yet), then the line;
            int64, shape (slots filled + 1,).
        tree: is added to.
        search: the settings.
        num_iterations: how many are added.
        streams: random streams.
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
    """Return the action of the plan that the searching seat has decided already, or NONE."""
    if mover == seat and state.round_index == round_index:
        if state.phase == PHASE_DISCARD and plan[0] != NONE:
            return np.int64(DISCARD + plan[0])
        if state.phase == PHASE_PLACE and state.slot + 1 < plan.shape[0]:
            return np.int64(PLACE + plan[state.slot + 1])
    return np.int64(NONE)


@cached_jit
def root_counts(words, tree, visits, totals):
    """`romans_agents.loops.tree.read_node` of the first record, a view."""
    read_node(tree, hash_of(words, _VIEW), visits, totals)
