"""A round between two players with all decisions of its attack: what strategies win, and the best answers to them.

A strategy is a line, with what its owner chooses in the attack by what it has seen. The search of best answers is that
of `rounds.lookahead`, but that every strategy of the rival chooses as it does, and that the answers' choices are kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from recipes.equilibria.round_game import PlanSpace
from recipes.equilibria.round_matrix import Lines
from romans_agents.romans_go_home.rounds.kernels import record_loops as kernels
from romans_agents.romans_go_home.rounds.lookahead import end_values, in_attack
from romans_agents.romans_go_home.rounds.matrix_game import Floats
from romans_agents.romans_go_home.rounds.rival import hashes_of, rollout_actions
from romans_env import Table
from romans_env.romans_go_home.actions import NUM_ACTIONS
from romans_env.romans_go_home.material import HAND_SIZE, NUM_WARRIORS
from romans_env.romans_go_home.state import States

MOST_POSITIONS = 60_000
"""Positions at the start of a search: lines are searched in parts."""

Numbers = npt.NDArray[np.int64]


class Choices:
    """What a seat chooses in the attack: in each version, by the hash of its view; else as in rollouts.

    Version 0 is that of rollouts alone.
    """

    def __init__(self) -> None:
        self._known: list[tuple[Numbers, Numbers]] = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))]

    def add(self, views: Numbers, actions: Numbers) -> int:
        """A new version.

        Args:
            views: hashes, int64, shape (n,).
            actions: what is chosen there: int64, shape (n,).

        Returns:
            Its number.
        """
        views, first = np.unique(views, return_index=True)
        self._known.append((views, actions[first]))
        return len(self._known) - 1

    def actions(self, states: States, versions: Numbers) -> Numbers:
        """The action of the deciding seat in each game: int64, shape (n,)."""
        actions = rollout_actions(states)
        used = np.unique(versions)
        if used[-1] > 0:
            hashes = hashes_of(states, states["seat"].astype(np.int64))
            for version in used[used > 0]:
                views, chosen = self._known[version]
                rows = np.flatnonzero(versions == version)
                places = np.minimum(np.searchsorted(views, hashes[rows]), len(views) - 1)
                known = views[places] == hashes[rows]
                actions[rows[known]] = chosen[places[known]]
        return actions


class Strategies(NamedTuple):
    """Strategies of a seat.

    Attributes:
        lines: the numbers of their lines in `PlanSpace.lines`: int64, shape (n,).
        versions: of their choices in the attack: int64, shape (n,).
        weights: their probabilities over all hands: float64, shape (n,).
    """

    lines: Numbers
    versions: Numbers
    weights: Floats

    def with_more(self, more: Strategies) -> Strategies:
        """Both together."""
        return Strategies(
            np.concatenate([self.lines, more.lines]),
            np.concatenate([self.versions, more.versions]),
            np.concatenate([self.weights, more.weights]),
        )


class Answers(NamedTuple):
    """Best answers to a mixture.

    Attributes:
        values: of the lines that were searched, as returns: float64, shape (n,).
        views: hashes of what the seat may see on the way: int64, shape (m,).
        actions: what it chooses there: int64, shape (m,).
    """

    values: Floats
    views: Numbers
    actions: Numbers


class _Decisions(NamedTuple):
    """Decisions of one depth: nodes, first children, views, the actions of all children, and rollouts' choices."""

    parents: Numbers
    first: Numbers
    views: Numbers
    actions: Numbers
    usual: Numbers


def whole_plans(lines: Lines, table: Table) -> npt.NDArray[np.int8]:
    """Plans that lay lines, with the weakest warrior left set aside, as `matrix_of` has it: int8, shape (n, 7)."""
    laid = (lines[:, :, None] == np.arange(NUM_WARRIORS)).sum(axis=1)
    plans = np.zeros((len(lines), HAND_SIZE), dtype=np.int8)
    plans[:, : table.line_size] = lines
    plans[:, table.line_size] = (table.warrior_counts() > laid).argmax(axis=1)
    return plans


class Attacks:
    """A round with all decisions of the attack.

    Args:
        root: a game at the start of a round, shape (1,).
        table: of the game, for two players without neutral clans.
        space: its plans.
    """

    def __init__(self, root: States, table: Table, space: PlanSpace):
        self._root = root
        self._plans = whole_plans(space.lines, table)
        self.choices = Choices(), Choices()

    def _begun(self, lines: tuple[Numbers, Numbers]) -> States:
        states = np.repeat(self._root, len(lines[0]))
        kernels.begin_attacks(states, np.stack([self._plans[lines[0]], self._plans[lines[1]]], axis=1))
        return states

    def payoffs(self, rows: Strategies, columns: Strategies) -> Floats:
        """What every strategy of seat 0 wins against every one of seat 1: float64, shape (n, m)."""
        n, m = len(rows.lines), len(columns.lines)
        states = self._begun((np.repeat(rows.lines, m), np.tile(columns.lines, n)))
        versions = np.repeat(rows.versions, m), np.tile(columns.versions, n)
        left = np.flatnonzero(in_attack(states))
        while len(left):
            now = states[left]
            actions = np.empty(len(now), dtype=np.int64)
            for seat in range(2):
                own = now["seat"] == seat
                if own.any():
                    actions[own] = self.choices[seat].actions(now[own], versions[seat][left[own]])
            kernels.act_each(now, actions)
            states[left] = now
            left = left[in_attack(now)]
        return end_values(states, 0).reshape(n, m)

    def answers(self, seat: int, lines: Numbers, rival: Strategies) -> Answers:
        """The best decisions in the attack with each line, against a mixture of the rival's strategies.

        Args:
            seat: who decides.
            lines: its lines.
            rival: the mixture.
        """
        part = max(1, MOST_POSITIONS // len(rival.lines))
        found = [self._answers(seat, lines[k : k + part], rival) for k in range(0, len(lines), part)]
        return Answers(*(np.concatenate(column) for column in zip(*found, strict=True)))

    def _answers(self, seat: int, lines: Numbers, rival: Strategies) -> Answers:
        n, m = len(lines), len(rival.lines)
        both = [np.tile(rival.lines, n), np.tile(rival.lines, n)]
        both[seat] = np.repeat(lines, m)
        states = self._begun((both[0], both[1]))
        weights, versions = np.tile(rival.weights, n), np.tile(rival.versions, n)
        nodes, sums, decisions = np.repeat(np.arange(n), m), np.zeros(n), list[_Decisions]()
        while True:
            waiting = []
            while len(states):
                attacking = in_attack(states)
                over = ~attacking
                np.add.at(sums, nodes[over], weights[over] * end_values(states[over], seat))
                own = attacking & (states["seat"] == seat)
                waiting.append((states[own], weights[own], versions[own], nodes[own]))
                left = attacking & ~own
                states, weights, versions, nodes = states[left], weights[left], versions[left], nodes[left]
                if len(states):
                    kernels.act_each(states, self.choices[1 - seat].actions(states, versions))
            states, weights, versions, nodes = (np.concatenate(column) for column in zip(*waiting, strict=True))
            if not len(states):
                break
            # Positions of one line that the seat cannot tell apart are one decision.
            views = hashes_of(states, seat)
            _, row, decision = np.unique(views ^ (nodes << 40), return_index=True, return_inverse=True)
            legal = ((states["legal"][:, None] >> np.arange(NUM_ACTIONS)) & 1).astype(bool)
            counts = legal[row].sum(axis=1)
            first = len(sums) + np.cumsum(counts) - counts
            sums = np.concatenate([sums, np.zeros(int(counts.sum()))])
            actions, usual = np.nonzero(legal[row])[1], rollout_actions(states[row])
            decisions.append(_Decisions(nodes[row], first, views[row], actions, usual))
            rows, actions = np.nonzero(legal)
            rank = (np.cumsum(legal, axis=1) - 1)[rows, actions]
            nodes = first[decision[rows]] + rank
            states, weights, versions = states[rows], weights[rows], versions[rows]
            kernels.act_each(states, actions)
        chosen = [np.zeros(0, dtype=np.int64)]
        for one in reversed(decisions):
            begin, count = one.first - one.first[0], len(one.actions)
            values = sums[one.first[0] : one.first[0] + count]
            best = np.maximum.reduceat(values, begin)
            np.add.at(sums, one.parents, best)
            owner = np.repeat(np.arange(len(begin)), np.diff(begin, append=count))
            # Of several best actions that of rollouts, which all other strategies expect.
            rated = np.where(values == best[owner], 1 + (one.actions == one.usual[owner]), 0)
            order = np.lexsort((-rated, owner))
            chosen.append(one.actions[order[begin]])
        seen = [np.zeros(0, dtype=np.int64), *(one.views for one in reversed(decisions))]
        return Answers(sums[:n], np.concatenate(seen), np.concatenate(chosen))
