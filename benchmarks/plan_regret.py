"""What a player who knows a policy's plans wins by one plan of its own, in a round: a quick look at exploitability.

    python -m benchmarks.plan_regret legate legate-1
    python -m benchmarks.plan_regret runs/planned/policy.npz --rounds 100

At the table 2+0: the return that the best plan wins more than the policy's own, by rollouts to the end of the round
(`romans_training.romans_go_home.plan_regret`), as a mean over rounds with a 95 % interval. Rounds are taken from games
of `legate-1`, so that they are the same for all policies. ``romans exploit --by search`` plays whole games instead.
"""

from __future__ import annotations

import click
import numpy as np
import numpy.typing as npt

import romans_agents
from romans_agents.romans_go_home.rounds.solver import RoundSolverAgent
from romans_agents.romans_go_home.trained.legate_1 import Legate1Agent
from romans_env.romans_go_home.state import States
from romans_training.intervals import mean_of_clusters
from romans_training.reporting import markdown_grid, print_whole
from romans_training.romans_go_home.explored_games import ExploredGames
from romans_training.romans_go_home.plan_regret import TABLE, Planner, plan_regrets, planner_of

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
    """Draws plans of an agent: of `round-solver` from its solutions, of all others by their policy."""
    agent, rng = romans_agents.make(spec), np.random.default_rng([seed, 1])
    if not isinstance(agent, RoundSolverAgent):
        return planner_of(romans_agents.policy_of(spec).probabilities, rng)

    def drawn(root: States, seat: int, hands: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        known = agent.mixed_plans(root, seat)
        if known is None:
            raise click.UsageError(f"{spec} states no probabilities of its plans: give trust=0")
        found = np.empty_like(hands)
        for hand in np.unique(hands, axis=0):
            rows, own = (hands == hand).all(axis=1), known.of_hand(hand)
            found[rows] = own.plans[rng.choice(len(own.plans), rows.sum(), p=own.weights)]
        return found

    return drawn


if __name__ == "__main__":
    main()
