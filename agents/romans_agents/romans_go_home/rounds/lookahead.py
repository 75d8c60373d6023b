"""The best response of a seat from some positions to the end of the round: a tree over what the seat comes to know."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.beliefs import branches
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.opponent_model import Player, hashes_of, rollout_actions
from romans_agents.romans_go_home.rounds.plan_distributions import Floats
from romans_agents.romans_go_home.rounds.round_networks import round_networks
from romans_env.romans_go_home.actions import NUM_ACTIONS
from romans_env.romans_go_home.state import PHASE_GAME_OVER, States

_BITS = np.arange(NUM_ACTIONS, dtype=np.int64)
_ODD = np.int64(0x9E3779B97F4A7C15 - 2**64)


class Positions(NamedTuple):
    """Positions with weights, each of a node of the tree.

    Attributes:
        states: full states, shape (n,).
        weights: float64, shape (n,).
        nodes: int64, shape (n,).
    """

    states: States
    weights: Floats
    nodes: npt.NDArray[np.int64]


def best_values(
    positions: Positions, num_roots: int, seat: int, rival: Player, most: int, rng: np.random.Generator
) -> Floats:
    """Return the return of a seat that plays best from each root on, in the sum over the root's positions.

    Positions that the seat cannot tell apart are one decision: the action is chosen that is best in the sum over them.
    The others play by their probabilities. Where a round has ended, `rounds.compiled.values` says what it is worth.

    Args:
        positions: of one round, by roots from 0 on.
        num_roots: how many roots there are.
        seat: whose values.
        rival: plays all other seats.
        most: positions at most. Where a step would make more, the seat's choice is that of the scripted players, and
            the others' is drawn.
        rng: of those draws.

    Returns:
        Weighted sums of returns: float64, shape (roots,).
    """
    sums, decisions = np.zeros(num_roots), []
    while True:
        positions, over = until_asked(positions, seat, rival, most, rng)
        values, returns = np.zeros(len(sums)), np.empty(len(over.states))
        record_loops.round_end_values(over.states, seat, round_networks(), returns)
        np.add.at(values, over.nodes, over.weights * returns)
        sums += values
        if not len(positions.states):
            break
        states, weights, nodes = positions
        legal = (states["legal"][:, None] >> _BITS) & 1
        if legal.sum() > most:
            actions = rollout_actions(states)
        else:
            # Positions of one node that the seat cannot tell apart.
            keys = hashes_of(states, seat) ^ (nodes * _ODD)
            _, first_row, decision = np.unique(keys, return_index=True, return_inverse=True)
            counts = legal[first_row].sum(axis=1)
            first = len(sums) + np.cumsum(counts) - counts
            sums = np.concatenate([sums, np.zeros(int(counts.sum()))])
            # The node of each decision, its first child, and the end of the children, which are numbered without a gap.
            decisions.append((nodes[first_row], first, len(sums)))
            rows, actions = np.nonzero(legal)
            rank = (np.cumsum(legal, axis=1) - 1)[rows, actions]
            states, weights, nodes = states[rows], weights[rows], first[decision[rows]] + rank
        record_loops.act_each(states, actions)
        positions = Positions(states, weights, nodes)
    for parents, first, end in reversed(decisions):
        np.add.at(sums, parents, np.maximum.reduceat(sums[first[0] : end], first - first[0]))
    return sums[:num_roots]


def until_asked(
    positions: Positions, seat: int, rival: Player, most: int, rng: np.random.Generator
) -> tuple[Positions, Positions]:
    """Play the others' decisions, each in all ways that have a probability; arguments as of `best_values`.

    Returns:
        The positions in which the seat must decide, and those in which the round has ended.
    """
    states, weights, nodes = positions
    asked: list[Positions] = []
    over: list[Positions] = []
    while len(states):
        attacking = (states["phase"] != PHASE_GAME_OVER) & (states["turn"] > 0)
        own = attacking & (states["seat"] == seat)
        for found, rows in ((asked, own), (over, ~attacking)):
            found.append(Positions(states[rows], weights[rows], nodes[rows]))
        left = attacking & ~own
        rows, actions, weights = branches(rival.probabilities(states[left]), weights[left], most, rng)
        nodes, states = nodes[left][rows], states[left][rows]
        record_loops.act_each(states, actions)
    joined = (Positions(*map(np.concatenate, zip(*found, strict=True))) for found in (asked, over))
    return next(joined), next(joined)
