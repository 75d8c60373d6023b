"""Equilibria of rounds with all decisions of the attack, by a double oracle (McMahan, Gordon and Blum 2003).

The first strategies are those of an equilibrium over lines, whose attack is that of rollouts. A step solves the game
with the strategies that there are, searches what each seat gains by its best answers to the solution, and adds them.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import numpy as np

from recipes.equilibria.attacks import Answers, Attacks, Numbers, Strategies
from recipes.equilibria.round_game import PlanSpace, RoundGame, summed
from romans_agents.romans_go_home.rounds.matrix_game import Floats, Side, regret_matching
from romans_env import Table
from romans_env.romans_go_home.state import States

SEARCHED = 4
"""Lines of each hand, the best by their value with the attack of rollouts, that are searched with all decisions; as
many of the solution's are, too."""
LEAST = 1e-5
"""Strategies with less probability are passed over in a search."""
STARTS_FROM = 0.003
"""Plans with less probability are no strategies at first."""
ITERATIONS = 1_500
"""Of regret matching."""


class Step(NamedTuple):
    """A step of the double oracle.

    Attributes:
        value: of seat 0, as a return.
        gains: what the best answers of each seat win more than the solution; a lower bound, as not all lines are
            searched.
        mixtures: the solution.
    """

    value: float
    gains: tuple[float, float]
    mixtures: tuple[Strategies, Strategies]


class AttackOracle:
    """A double oracle for a round.

    Args:
        root: a game at the start of a round, shape (1,).
        game: the round over lines.
        starts: mixed plans of both seats: of each plan its probability, given its hand.
        table: of the game, for two players without neutral clans.
    """

    def __init__(self, root: States, game: RoundGame, starts: tuple[Floats, Floats], table: Table):
        self._game, self._attacks = game, Attacks(root, table, game.space)
        side = game.space.side
        self._able = np.zeros((len(side.chances), len(game.space.lines)), dtype=bool)
        self._able[side.types, game.space.rows] = True
        self._known = []
        for start in starts:
            lines = np.unique(game.space.rows[start > STARTS_FROM])
            self._known.append(Strategies(lines, np.zeros_like(lines), np.zeros(len(lines))))
        self._payoffs = self._attacks.payoffs(self._known[0], self._known[1])
        self._likeliest: list[list[Numbers]] = []

    def step(self, num_lines: int = SEARCHED) -> Step:
        """Solve the game with the strategies that there are, and add the best answers.

        Args:
            num_lines: of each hand, that are searched.
        """
        self._likeliest = self._solve(num_lines)
        known = self._known
        value, gains, added = float(known[0].weights @ self._payoffs @ known[1].weights), [], []
        for seat in range(2):
            best_value, best, answers = self._answered(seat, num_lines)
            gains.append(best_value - (value if seat == 0 else -value))
            version = self._attacks.choices[seat].add(answers.views, answers.actions)
            added.append(Strategies(best, np.full(len(best), version), np.zeros(len(best))))
        payoffs = self._attacks.payoffs
        self._payoffs = np.block(
            [[self._payoffs, payoffs(known[0], added[1])], [payoffs(added[0], known[1]), payoffs(added[0], added[1])]]
        )
        self._known = [one.with_more(more) for one, more in zip(known, added, strict=True)]
        return Step(value, (gains[0], gains[1]), (known[0], known[1]))

    def _solve(self, num_lines: int) -> list[list[Numbers]]:
        """Set the weights of all strategies; the likeliest lines of each seat, by hand."""
        space, tables = self._game.space, (self._payoffs, -self._payoffs.T.copy())
        hands, numbers = zip(*(np.nonzero(self._able[:, one.lines]) for one in self._known), strict=True)
        sides = Side(hands[0], space.side.chances), Side(hands[1], space.side.chances)

        def values_of(seat: int, weights: Floats) -> Floats:
            rival = summed(numbers[1 - seat], weights, tables[seat].shape[1])
            return np.asarray((tables[seat] @ rival)[numbers[seat]])

        mixes = next(islice(regret_matching(values_of, sides), ITERATIONS - 1, None))
        likeliest = []
        for seat, mix in enumerate(mixes):
            one = self._known[seat]
            weights = summed(numbers[seat], space.side.chances[hands[seat]] * mix, len(one.lines))
            self._known[seat] = one._replace(weights=weights)
            rows = [np.flatnonzero(hands[seat] == hand) for hand in range(len(space.side.chances))]
            best = [row[np.argsort(-mix[row], kind="stable")[:num_lines]] for row in rows]
            likeliest.append([one.lines[numbers[seat][row]] for row in best])
        return likeliest

    def _answered(self, seat: int, num_lines: int) -> tuple[float, Numbers, Answers]:
        """The value of the best answers of a seat, their lines, and their choices."""
        space, rival = self._game.space, self._known[1 - seat]
        counts = rival.weights > LEAST
        rival = Strategies(rival.lines[counts], rival.versions[counts], rival.weights[counts])
        values = self._game.values(seat, summed(rival.lines, rival.weights, len(space.lines)))
        tried = [
            np.union1d(*both) for both in zip(_candidates(space, values, num_lines), self._likeliest[seat], strict=True)
        ]
        lines = np.unique(np.concatenate(tried))
        answers = self._attacks.answers(seat, lines, rival)
        found = np.full(len(space.lines), -np.inf)
        found[lines] = answers.values
        best = np.array([own[found[own].argmax()] for own in tried])
        return float(space.side.chances @ found[best]), np.unique(best), answers


def _candidates(space: PlanSpace, values: Floats, count: int) -> list[Numbers]:
    """The lines of the highest values of each hand."""
    return [
        rows[np.argsort(-values[rows], kind="stable")[:count]]
        for rows in (space.rows[space.side.types == hand] for hand in range(len(space.side.chances)))
    ]
