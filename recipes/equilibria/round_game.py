"""A round between two players as a game of lines: its strategies, values, regrets and equilibrium.

A player knows its hand, and chooses a line that the hand can lay (RULES 3). The payoffs are the matrix of all lines
(`recipes.equilibria.round_matrix`), so that a single product gives the values of all plans against an opponent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from recipes.equilibria.mirror_descent import mirror_descent
from recipes.equilibria.round_matrix import BLOCK, Floats, Lines, all_lines, matrix_of, weighted_rows
from romans_agents.romans_go_home.rounds.beliefs import possible_hands
from romans_agents.romans_go_home.rounds.matrix_game import BayesianPlayer
from romans_agents.romans_go_home.rounds.plan_distributions import Plans
from romans_env import Table
from romans_env.romans_go_home.material import NUM_WARRIORS
from romans_env.romans_go_home.state import States


class PlanSpace:
    """Every line of every hand at a table for two players.

    Attributes:
        lines: every line, ascending: int8, shape (n, line size).
        side: the hand of each plan, and the chances of hands.
        rows: the line of each plan, as its number: int64, shape (plans,).
    """

    def __init__(self, table: Table):
        hands, chances = possible_hands(table)
        self.lines = all_lines(table)
        kinds = np.arange(NUM_WARRIORS)
        laid = (self.lines[:, :, None] == kinds).sum(axis=1)
        held = (hands[:, :, None] == kinds).sum(axis=1)
        types, self.rows = np.nonzero((laid[None] <= held[:, None]).all(axis=2))
        self.side = BayesianPlayer(types, chances)

    def weights(self, mix: Floats) -> Floats:
        """The probability of each line, over all hands: float64, shape (n,), from one of each plan given its hand."""
        return summed(self.rows, self.side.chances[self.side.types] * mix, len(self.lines))

    def best(self, values: Floats) -> Floats:
        """The value of the best line of each hand: float64, shape (hands,), from one of each line."""
        best = np.full(len(self.side.chances), -np.inf)
        np.maximum.at(best, self.side.types, values[self.rows])
        return best

    def weights_of(self, plans: Plans) -> Floats:
        """The probability of each line, over all hands: float64, shape (n,)."""
        lines = plans.plans[:, : self.lines.shape[1]]
        numbers = np.searchsorted(_codes(self.lines), _codes(lines))
        return summed(numbers, plans.weights, len(self.lines))


def _codes(lines: Lines) -> npt.NDArray[np.int64]:
    return np.asarray(lines @ NUM_WARRIORS ** np.arange(lines.shape[1], dtype=np.int64)[::-1])


def summed(numbers: npt.NDArray[np.int64], weights: Floats, count: int) -> Floats:
    """The sum of the weights of each number: float64, shape (count,)."""
    return np.asarray(np.bincount(numbers, weights, count), dtype=np.float64)


@dataclass(frozen=True)
class RoundGame:
    """A round, given what the attack's policy makes of lines.

    Attributes:
        space: the plans.
        matrix: of seat 0's lines against seat 1's, as of `matrix_of`: int8, shape (n, n).
    """

    space: PlanSpace
    matrix: npt.NDArray[np.int8]

    @classmethod
    def of(cls, root: States, table: Table) -> RoundGame:
        """The round that begins with a game: minutes of work, and a GB of memory twice."""
        space = PlanSpace(table)
        return cls(space, matrix_of(root, space.lines, space.lines))

    @cached_property
    def _transposed(self) -> npt.NDArray[np.int8]:
        other = np.empty(self.matrix.shape[::-1], dtype=np.int8)
        # Block by block: a whole column touches every page of the matrix.
        for first in range(0, len(self.matrix), BLOCK):
            other[:, first : first + BLOCK] = self.matrix[first : first + BLOCK].T
        return other

    def values(self, seat: int, rival: Floats) -> Floats:
        """The return of a seat with each line, float64, shape (n,), against probabilities of the rival's lines."""
        return weighted_rows(self._transposed, rival) if seat == 0 else -weighted_rows(self.matrix, rival)

    def values_of_plans(self, seat: int, rival: Floats) -> Floats:
        """The return of a seat with each plan: float64, shape (plans,), against probabilities of the rival's plans."""
        space = self.space
        return self.values(seat, summed(space.rows, rival, len(space.lines)))[space.rows]

    def solutions(self) -> Iterator[tuple[Floats, Floats]]:
        """Mixed plans of both seats, ever closer to an equilibrium: of each plan its probability, given its hand.

        A hundred iterations leave a regret of about 0.003 of a return a seat, in half a minute of two cores.
        """
        return mirror_descent(self.values_of_plans, (self.space.side, self.space.side))

    def regrets(self, mixes: Sequence[Floats]) -> list[float]:
        """What each seat's best plans win more than its mix of plans, as a return: the sum is NashConv."""
        found = []
        for seat in range(2):
            values = self.values(seat, self.space.weights(mixes[1 - seat]))
            best = self.space.side.chances @ self.space.best(values)
            found.append(float(best - values @ self.space.weights(mixes[seat])))
        return found
