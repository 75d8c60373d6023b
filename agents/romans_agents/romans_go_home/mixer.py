"""`mixer`: draws its plan at random, so that it cannot be predicted.

Like `schemer` it plays some dozens of its plans against as many of its rivals'. But it takes that table as a game of
its own, in which both sides choose a row or a column, solves it by regret matching (Hart and Mas-Colell 2000; with
the clipped regrets and weighted averages of Tammelin's CFR+, 2014), and draws its plan from the mix that comes out:
close to an equilibrium of the table, so no plan of the other side does much better than another.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.plans import drawn
from romans_env.engine.compiled import inlined, jitted

NUM_ITERATIONS = 100


@inlined
def drawn_row(payoffs, streams, i):
    """A row drawn from the mix; payoffs are float64, shape (n, m)."""
    weights = np.zeros(payoffs.shape[0])
    solve_rows(payoffs, weights)
    return drawn(weights, streams, i)


@jitted
def solve_rows(payoffs, weights):
    """Add up, by row, the strategies that regret matching goes through in a zero-sum game.

    Args:
        payoffs: what the rows' player wins and the columns' player loses: float64, shape (n, m).
        weights: written: in proportion to the average strategy; float64, shape (n,), zeros at first.
    """
    n, m = payoffs.shape
    rows, columns = np.full(n, 1.0 / n), np.full(m, 1.0 / m)
    row_regrets, column_regrets = np.zeros(n), np.zeros(m)
    row_values, column_values = np.empty(n), np.empty(m)
    for iteration in range(NUM_ITERATIONS):
        row_values[:] = 0.0
        column_values[:] = 0.0
        for k in range(n):
            for j in range(m):
                row_values[k] += payoffs[k, j] * columns[j]
                column_values[j] -= payoffs[k, j] * rows[k]
        match_regrets(rows, row_values, row_regrets)
        match_regrets(columns, column_values, column_regrets)
        for k in range(n):
            weights[k] += (iteration + 1) * rows[k]


@inlined
def match_regrets(strategy, values, regrets):
    """Play in proportion to what each choice would have won over the strategy, losses forgotten."""
    value = (strategy * values).sum()
    total = 0.0
    for k in range(strategy.shape[0]):
        regrets[k] = max(0.0, regrets[k] + values[k] - value)
        total += regrets[k]
    for k in range(strategy.shape[0]):
        strategy[k] = regrets[k] / total if total > 0.0 else 1.0 / strategy.shape[0]
