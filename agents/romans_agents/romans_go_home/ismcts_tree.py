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
import numpy.typing as npt

from romans_agents.loops.tree import NO_PLACE, find
from romans_agents.romans_go_home.network import policy_probabilities
from romans_agents.romans_go_home.rollouts import Rollouts, arrange_hidden, is_done, judge, roll_on
from romans_agents.romans_go_home.round_start import determinize, is_planning
from romans_env.engine.compiled import cached_jit, inlined, jitted
from romans_env.engine.random_stream import below
from romans_env.romans_go_home.actions import DISCARD, NUM_ACTIONS, PLACE, bit, lowest
from romans_env.romans_go_home.game_flow import apply
from romans_env.romans_go_home.knowledge import hide
from romans_env.romans_go_home.material import MAX_CLANS, NONE
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE

WIDTH = 11
"""Actions of one kind of decision, at most."""
MAX_DEPTH = 64
NUM_RECORDS = 3
_VIEW, _ROLLOUT, _PRIVATE = range(NUM_RECORDS)


class Tree(NamedTuple):
    """Nodes in a hash table; the arrays' first axis is the place in it. Actions are counted from the lowest legal one.

    Attributes:
        keys: hash of what the player knows, 0 for a free place: int64, shape (size,), size a power of 2.
        visits: int32, shape (size, WIDTH).
        totals: sums of returns for the player that decides: float64, shape (size, WIDTH).
        priors: float32, shape (size, WIDTH).
    """

    keys: npt.NDArray[np.int64]
    visits: npt.NDArray[np.int32]
    totals: npt.NDArray[np.float64]
    priors: npt.NDArray[np.float32]

    @classmethod
    def new(cls, size: int) -> Tree:
        """An empty tree."""
        shape = (size, WIDTH)
        return cls(
            np.zeros(size, dtype=np.int64),
            np.zeros(shape, dtype=np.int32),
            np.zeros(shape, dtype=np.float64),
            np.zeros(shape, dtype=np.float32),
        )


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


@inlined
def hash_of(words, row):
    """A hash of a record's words that is never 0 (a multiply and a shift for each; constants of splitmix64)."""
    key = np.uint64(0x9E3779B97F4A7C15)
    for k in range(words.shape[1]):
        key = (key ^ np.uint64(words[row, k])) * np.uint64(0xBF58476D1CE4E5B9)
        key ^= key >> np.uint64(29)
    return np.int64(key | np.uint64(1))


@jitted
def add_node(tree, place, key, state, search):
    """Put a new node into a free place."""
    tree.keys[place] = key
    first = lowest(state.legal)
    if search.uses_priors:
        probabilities = np.empty(NUM_ACTIONS)
        policy_probabilities(state, search.rollouts.networks, probabilities)
        for k in range(min(WIDTH, NUM_ACTIONS - first)):
            tree.priors[place, k] = probabilities[first + k]
    else:
        count = 0
        for k in range(WIDTH):
            count += (state.legal >> np.int64(first + k)) & 1
        for k in range(WIDTH):
            tree.priors[place, k] = 1.0 / count


@jitted
def select(tree, place, state, search, streams):
    """The action of most promise: mean return and an exploration term (PUCT: Silver et al. 2017).

    An action not tried yet counts as the mean of those tried. Ties are broken by chance.
    """
    first = lowest(state.legal)
    visits = np.int64(0)
    total = 0.0
    for k in range(WIDTH):
        visits += tree.visits[place, k]
        total += tree.totals[place, k]
    mean = total / visits if visits > 0 else 0.0
    root = np.sqrt(float(visits) + 1.0)
    best, best_score, equals = NONE, -1e9, 0
    for k in range(WIDTH):
        if (state.legal >> np.int64(first + k)) & 1:
            count = tree.visits[place, k]
            score = tree.totals[place, k] / count if count > 0 else mean
            score += search.exploration * tree.priors[place, k] * root / (1.0 + count)
            if score > best_score:
                best, best_score, equals = k, score, 1
            elif score == best_score:
                equals += 1
                if below(streams, 0, equals) == 0:
                    best = k
    return best


@cached_jit(nogil=True)
def iterate(records, words, seat, plan, tree, search, num_iterations, streams):
    """Add iterations to a search.

    Args:
        records: scratch, NUM_RECORDS of them; the first is redacted for the seat, and stands at the start of the round
            when the seat is planning.
        words: the same memory as int64, shape (NUM_RECORDS, words of a record).
        plan: what the seat has decided of its plan already: the warrior set aside (NONE: nothing yet), then the line;
            int64, shape (slots filled + 1,).
        tree: is added to.

    Returns:
        How many actions were played in all.
    """
    places = np.empty(MAX_DEPTH, dtype=np.int64)
    chosen = np.empty(MAX_DEPTH, dtype=np.int64)
    seats = np.empty(MAX_DEPTH, dtype=np.int64)
    in_tree = np.empty(MAX_CLANS, dtype=np.int8)
    returns = np.empty(MAX_CLANS)
    round_index = np.int64(records[_VIEW].round_index)
    num_actions = np.int64(0)
    for _ in range(num_iterations):
        determinize(records, _VIEW, _ROLLOUT, seat, streams, 0)
        if not is_planning(records[_ROLLOUT]):
            arrange_hidden(records[_ROLLOUT], seat, search.rollouts, streams, 0)
        in_tree[:] = 1
        depth = 0
        while not is_done(records[_ROLLOUT], search.rollouts, round_index):
            num_actions += 1
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
                add_node(tree, place, key, records[_ROLLOUT], search)
                in_tree[mover] = 0
            action = select(tree, place, records[_ROLLOUT], search, streams)
            places[depth] = place
            chosen[depth] = action
            seats[depth] = mover
            depth += 1
            apply(records[_ROLLOUT], lowest(records[_ROLLOUT].legal) + action)
        judge(records[_ROLLOUT], search.rollouts, returns)
        for k in range(depth):
            tree.visits[places[k], chosen[k]] += 1
            tree.totals[places[k], chosen[k]] += returns[seats[k]]
    return num_actions


@inlined
def fixed_action(state, mover, seat, plan, round_index):
    """The action of the plan that the searching seat has decided already, or NONE."""
    if mover == seat and state.round_index == round_index:
        if state.phase == PHASE_DISCARD and plan[0] != NONE:
            return np.int64(DISCARD + plan[0])
        if state.phase == PHASE_PLACE and state.slot + 1 < plan.shape[0]:
            return np.int64(PLACE + plan[state.slot + 1])
    return np.int64(NONE)


@cached_jit
def root_counts(records, words, seat, legal, tree, visits, totals):
    """Read visits and totals of the deciding seat's own node, by action: int64 and float64, shape (actions,).

    The first record is the seat's view as it stands.
    """
    place = find(tree, hash_of(words, _VIEW))
    if place == NO_PLACE or tree.keys[place] == 0:
        return
    first = lowest(legal)
    for k in range(WIDTH):
        if legal & bit(first + k) != 0:
            visits[first + k] = tree.visits[place, k]
            totals[first + k] = tree.totals[place, k]
