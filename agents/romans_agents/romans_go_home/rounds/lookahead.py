"""The best response of a seat to the end of the round, by a search over its information sets."""

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
    """Weighted positions, each of which belongs to a node of the search tree.

    Attributes:
        states: records of full states, shape ``(n,)``.
        weights: the weight of each: float64, shape ``(n,)``.
        nodes: the index of the node of each: int64, shape ``(n,)``.
    """

    states: States
    weights: Floats
    nodes: npt.NDArray[np.int64]


def best_values(
    positions: Positions, num_roots: int, seat: int, rival: Player, most: int, rng: np.random.Generator
) -> Floats:
    """Compute the weighted return of a seat from each root, if it plays its best response to the end of the round.

    Positions that the seat cannot tell apart are one information set, in which it takes the action with the highest
    weighted sum of returns. The others play by their action probabilities. `romans_go_home.rounds.compiled.values`
    evaluates the end of the round.

    Args:
        positions: positions of one round; their nodes are roots, numbered from 0.
        num_roots: the number of roots.
        seat: the responding seat.
        rival: the model of all other seats.
        most: the most positions. If a step would create more, the seat chooses as in rollouts (`rollout_actions`), and
            the others' actions are sampled.
        rng: the generator of these samples.

    Returns:
        Weighted sums of returns: float64, shape ``(num_roots,)``.
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
            # One decision for all positions of a node that the seat cannot tell apart.
            keys = hashes_of(states, seat) ^ (nodes * _ODD)
            _, first_row, decision = np.unique(keys, return_index=True, return_inverse=True)
            counts = legal[first_row].sum(axis=1)
            first = len(sums) + np.cumsum(counts) - counts
            sums = np.concatenate([sums, np.zeros(int(counts.sum()))])
            # For each decision its node and its first child; children are numbered consecutively up to the end.
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
    """Play the others' decisions, branching over all their actions with positive probability.

    Args:
        positions: positions of one round.
        seat: the responding seat.
        rival: the model of all other seats.
        most: the most positions; if a step would create more, the others' actions are sampled.
        rng: the generator of these samples.

    Returns:
        The positions in which the seat is to act, and those in which the round has ended.
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
