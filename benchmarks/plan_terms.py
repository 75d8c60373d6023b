"""How far the return of a plan is a sum of terms: how much a policy may infer from plan to plan.

    python -m benchmarks.plan_terms

At the table 2+0, against the solution of a round (`double_oracle`): the mean returns of all plans of a hand are fitted,
on a part of the plans, by ridge regression on where each warrior is, or on where each two warriors are, the one set
aside included. Printed are the standard deviation of the returns over the plans, that of what is left on the plans that
were not fitted, and by how much the best plan beats the fiftieth. As means over the rounds of `benchmarks.plan_regret`,
with the hand that seat 0 has there.
"""

from __future__ import annotations

from itertools import combinations

import click
import numpy as np
import numpy.typing as npt

import romans_agents
from benchmarks.plan_regret import ROUND_NAMES, round_starts
from romans_agents.romans_go_home.rounds.beliefs import own_plans, possible_hands
from romans_agents.romans_go_home.rounds.double_oracle import DoubleOracle, Search
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, redacted
from romans_env.romans_go_home.cards import NUM_WARRIORS
from romans_env.romans_go_home.state import States
from romans_training.reporting import markdown_grid, print_whole
from romans_training.romans_go_home.plan_payoffs import Floats
from romans_training.romans_go_home.plan_regret import TABLE

OTHERS = 256
"""Plans of the other player, drawn from the solution."""
FITTED = 0.7
"""The part of the plans that the terms are fitted to."""
RIDGE = 0.01
FIFTIETH = 50
POLICY = "legate"
"""Whose plans the solution begins with."""


def indicators(plans: npt.NDArray[np.int8], order: int) -> Floats:
    """Which terms each plan has: where ``order`` warriors at a time are, one-hot: float64, shape (n, terms)."""
    places, size = list(combinations(range(plans.shape[1]), order)), NUM_WARRIORS**order
    found = np.zeros((len(plans), len(places) * size))
    for number, together in enumerate(places):
        codes = np.zeros(len(plans), dtype=np.int64)
        for place in together:
            codes = codes * NUM_WARRIORS + plans[:, place]
        found[np.arange(len(plans)), number * size + codes] = 1.0
    return found


def left_over(terms: Floats, returns: Floats, fitted: npt.NDArray[np.bool_]) -> float:
    """The standard deviation of what a fit leaves on the plans that it has not seen."""
    known, mean = terms[fitted], returns[fitted].mean()
    weights = np.linalg.solve(known.T @ known + RIDGE * np.eye(known.shape[1]), known.T @ (returns[fitted] - mean))
    return float((returns - mean - terms @ weights)[~fitted].std())


def returns_of_plans(root: States, rng: np.random.Generator) -> tuple[npt.NDArray[np.int8], Floats]:
    """All plans of seat 0, and what each wins, as a mean, against the solution."""
    solution = DoubleOracle(root, TABLE, Search(), rng).solve(romans_agents.policy_of(POLICY).probabilities)[1]
    chances = possible_hands(TABLE)[1][solution.types] * solution.weights
    others = solution.plans[rng.choice(len(chances), OTHERS, p=chances / chances.sum())]
    plans = own_plans(root, 0)
    laid = np.stack([np.zeros_like(others), others], axis=1)
    return plans, payoffs_of(redacted(root, 0), 0, plans, laid, rng).mean(axis=1)


@click.command()
@click.option("--rounds", type=click.IntRange(min=1), default=12, show_default=True, help="Rounds of each number.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
def main(rounds: int, seed: int) -> None:
    """Print how far returns of plans are sums of terms."""
    rng = np.random.default_rng(seed)
    grid = markdown_grid(("round",), ("spread", "left by single places", "left by pairs", "best less fiftieth"))
    for name, roots in zip(ROUND_NAMES, round_starts(rounds, seed), strict=True):
        figures = []
        for k in range(len(roots)):
            plans, returns = returns_of_plans(roots[k : k + 1], rng)
            fitted, ordered = rng.random(len(plans)) < FITTED, np.sort(returns)
            left = [left_over(indicators(plans, order), returns, fitted) for order in (1, 2)]
            figures.append([returns.std(), *left, ordered[-1] - ordered[-FIFTIETH]])
        grid.add_row(name, *(f"{figure:.3f}" for figure in np.mean(figures, axis=0)))
    print_whole(grid)


if __name__ == "__main__":
    main()
