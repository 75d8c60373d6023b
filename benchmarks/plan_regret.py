"""What a player who knows a policy's plans wins by one plan of its own, in a round: a quick look at exploitability.

    python -m benchmarks.plan_regret legate legate-1
    python -m benchmarks.plan_regret runs/first/policy.npz --rounds 100

At the table 2+0: the return that the best plan wins more than the policy's own, to one who knows the policy's plans, by
rollouts to the end of the round and `round_values.npz` there, as a mean over rounds with a 95 % interval. Rounds are
taken from games of `legate-1`, so that they are the same for all policies. ``romans exploit --by search`` plays whole
games instead.
"""

from __future__ import annotations

from collections.abc import Callable

import click
import numpy as np
import numpy.typing as npt

import romans_agents
from recipes.rounds.explored_games import ExploredGames
from romans_agents.romans_go_home.rounds.beliefs import own_plans, possible_hands
from romans_agents.romans_go_home.rounds.drawn_plans import Probabilities, draw_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, redacted
from romans_agents.romans_go_home.rounds.plans import hand_of
from romans_agents.romans_go_home.rounds.solver import RoundSolverAgent
from romans_agents.romans_go_home.trained.legate_1 import Legate1Agent
from romans_env import Table
from romans_env.romans_go_home.state import States
from romans_training.intervals import mean_of_clusters
from romans_training.reporting import markdown_grid, print_whole

TABLE = Table(2, 0)
Floats = npt.NDArray[np.float64]
Planner = Callable[[States, int, npt.NDArray[np.int8]], npt.NDArray[np.int8]]
"""Draws a plan for each hand, for a game at the start of a round and a seat: int8, shape (n, 7), for hands as kinds."""
HANDS = 256
"""Hands of the other player, with a plan each, that a plan is chosen against, and as many others to measure it."""
FIRST, KEPT = 24, 200
"""Hands that all plans meet; the best plans, KEPT of them, meet all hands."""
OWN = 64
"""Plans of the policy for the hand."""


def planner_of(probabilities: Probabilities, rng: np.random.Generator) -> Planner:
    """Draws the plans of a policy."""

    def drawn(root: States, seat: int, hands: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        return draw_plans(probabilities, root, seat, hands, TABLE, rng)

    return drawn


def plan_regrets(planner: Planner, roots: States, rng: np.random.Generator) -> Floats:
    """The return that the best plan of seat 0 wins more than the agent's own, in each game: float64, shape (n,).

    The best plan is chosen against some plans of the other player and measured against others.

    Args:
        planner: of the agent.
        roots: games between two players at the start of a round, shape (n,).
        rng: of all chance but the planner's.
    """
    kinds, chances = possible_hands(TABLE)
    hands = kinds[rng.choice(len(kinds), (len(roots), 2 * HANDS), p=chances)]
    regrets = np.empty(len(roots))
    for k in range(len(roots)):
        root, view = roots[k : k + 1], redacted(roots[k : k + 1], 0)
        others = planner(root, 1, hands[k])
        laid = np.stack([np.zeros_like(others), others], axis=1)
        plans = own_plans(root, 0)
        plans = plans[np.argsort(-payoffs_of(view, 0, plans, laid[:FIRST], rng).mean(axis=1))[:KEPT]]
        best = plans[[payoffs_of(view, 0, plans, laid[:HANDS], rng).mean(axis=1).argmax()]]
        own = planner(root, 0, np.repeat(hand_of(root, 0)[None], OWN, axis=0))
        payoffs = payoffs_of(view, 0, np.concatenate([best, own]), laid[HANDS:], rng).mean(axis=1)
        regrets[k] = payoffs[0] - payoffs[1:].mean()
    return regrets


ROUND_NAMES = ("first round", "second", "third")


def round_starts(count: int, seed: int) -> list[States]:
    """Games at the start of the first, second and third round, ``count`` of each."""
    games = ExploredGames(Legate1Agent(seed=seed), TABLE, 2 * count + 20, seed)
    found: list[list[States]] = [[] for _ in ROUND_NAMES]
    for _ in games.play():
        for number, states in enumerate(found):
            states.append(games.states[games.begun[games.rounds_of(games.begun) == number]].copy())
    return [np.concatenate(states)[:count] for states in found]


@click.command()
@click.argument("policies", nargs=-1, required=True)
@click.option("--rounds", type=click.IntRange(min=2), default=50, show_default=True, help="Rounds of each number.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
def main(policies: tuple[str, ...], rounds: int, seed: int) -> None:
    """Print the regret of the plans of POLICIES, agent specs or policy files."""
    starts = round_starts(rounds, seed)
    grid = markdown_grid(("policy",), ROUND_NAMES)
    for spec in policies:
        cells = []
        for roots in starts:
            regrets = plan_regrets(planner(spec, seed), roots, np.random.default_rng(seed))
            cells.append("{:.3f} [{:.3f}, {:.3f}]".format(*mean_of_clusters(regrets[:, None])))
        grid.add_row(spec, *cells)
    print_whole(grid)


def planner(spec: str, seed: int) -> Planner:
    """Draws plans of an agent: of `round-equilibrium` from its solutions, of all others by their policy."""
    agent, rng = romans_agents.make(spec), np.random.default_rng([seed, 1])
    if not isinstance(agent, RoundSolverAgent):
        return planner_of(romans_agents.policy_of(spec).probabilities, rng)

    def drawn(root: States, seat: int, hands: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        known = agent.mixed_plans(root, seat)
        if known is None:
            raise click.UsageError(f"{spec} states no probabilities of its plans: name round-equilibrium")
        found = np.empty_like(hands)
        for hand in np.unique(hands, axis=0):
            rows, own = (hands == hand).all(axis=1), known.of_hand(hand)
            found[rows] = own.plans[rng.choice(len(own.plans), rows.sum(), p=own.weights)]
        return found

    return drawn


if __name__ == "__main__":
    main()
