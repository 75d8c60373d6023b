"""How far what plans win by rollouts is from what they win where a policy decides in the attack.

    python -m benchmarks.rollout_attack legate

At the table 2+0: plans of the policy and plans at random meet plans of the policy, and each pair is played to the end
of the round several times, by different players of the attack, a line of the table each. A figure says by how much the
return of a plan, as a mean over the other player's plans, differs from that where the likeliest action of the policy is
chosen: the mean of the absolute differences, with a 95 % interval over rounds. Rounds are those of
`benchmarks.plan_regret`.
"""

from __future__ import annotations

from collections.abc import Callable

import click
import numpy as np
import numpy.typing as npt

import romans_agents
from benchmarks.plan_regret import ROUND_NAMES, round_starts
from romans_agents.romans_go_home.compiled_agents import GREEDY
from romans_agents.romans_go_home.rounds.attack import determinized
from romans_agents.romans_go_home.rounds.beliefs import hand_of, own_plans
from romans_agents.romans_go_home.rounds.drawn_plans import Probabilities, drawn_actions, observed
from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_agents.romans_go_home.rounds.networks import round_networks
from romans_agents.romans_go_home.rounds.payoffs import redacted
from romans_agents.romans_go_home.rounds.rival import RolloutPlayer
from romans_env.romans_go_home.state import PHASE_GAME_OVER, States
from romans_training.intervals import mean_of_clusters
from romans_training.reporting import markdown_grid, print_whole
from romans_training.romans_go_home.plan_payoffs import Floats, Sizes, draw_hands
from romans_training.romans_go_home.plan_regret import TABLE, planner_of

PLANS, OTHERS = 30, 60
"""Plans of the policy and at random of seat 0, each, and plans of seat 1."""
Attack = Callable[[States], npt.NDArray[np.int64]]
"""Chooses for the seats that must decide in the attack."""


def attacks(probabilities: Probabilities, rng: np.random.Generator) -> dict[str, Attack]:
    """The players of the attack, the first being the one that the others are compared with."""

    def likeliest(states: States) -> npt.NDArray[np.int64]:
        return probabilities(*observed(states)).argmax(axis=1)

    def drawn(states: States) -> npt.NDArray[np.int64]:
        return drawn_actions(probabilities(*observed(states)), rng)

    def rollouts(states: States) -> npt.NDArray[np.int64]:
        return RolloutPlayer().probabilities(states).argmax(axis=1)

    def scripted(states: States) -> npt.NDArray[np.int64]:
        actions = np.empty(len(states), dtype=np.int64)
        kernels.scripted_actions(GREEDY, states, np.empty(1, dtype=states.dtype), actions)
        return actions

    return {"the policy": likeliest, "the policy, actions drawn": drawn, "rollouts": rollouts, "scripted": scripted}


def returns_of(
    root: States, plans: npt.NDArray[np.int8], others: npt.NDArray[np.int8], attack: Attack, seed: int
) -> Floats:
    """The return of seat 0 with each plan, as a mean over plans of seat 1: float64, shape (n,)."""
    laid = np.stack([np.repeat(plans, len(others), axis=0), np.tile(others, (len(plans), 1))], axis=1)
    roots = determinized(redacted(root, 0), 0, len(others), np.random.default_rng(seed))
    states, round_index = np.tile(roots, len(plans)), root["round_index"][0]
    kernels.begin_attacks(states, laid)
    while True:
        open_rounds = (states["round_index"] == round_index) & (states["phase"] != PHASE_GAME_OVER)
        if not open_rounds.any():
            break
        played = states[open_rounds]
        kernels.act_each(played, attack(played))
        states[open_rounds] = played
    returns = np.empty(len(states))
    kernels.round_end_values(states, 0, round_networks(), returns)
    return returns.reshape(len(plans), len(others)).mean(axis=1)


def differences(probabilities: Probabilities, roots: States, seed: int) -> dict[str, Floats]:
    """For each player of the attack but the first, the mean absolute difference in every round: float64, shape (n,)."""
    rng = np.random.default_rng(seed)
    draw, players = planner_of(probabilities, rng), attacks(probabilities, rng)
    first, *others_of = players
    found = {name: np.empty(len(roots)) for name in others_of}
    hands = draw_hands(len(roots), TABLE, Sizes(OTHERS, 1), rng).reshape(len(roots), OTHERS, -1)
    for k in range(len(roots)):
        root = roots[k : k + 1]
        every = own_plans(root, 0)
        own = draw(root, 0, np.repeat(hand_of(root, 0)[None], PLANS, axis=0))
        plans = np.concatenate([own, every[rng.choice(len(every), min(PLANS, len(every)), replace=False)]])
        others = draw(root, 1, hands[k])
        expected = returns_of(root, plans, others, players[first], seed)
        for name, errors in found.items():
            errors[k] = np.abs(returns_of(root, plans, others, players[name], seed) - expected).mean()
    return found


@click.command()
@click.argument("policy")
@click.option("--rounds", type=click.IntRange(min=2), default=30, show_default=True, help="Rounds of each number.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
def main(policy: str, rounds: int, seed: int) -> None:
    """Print how well rollouts agree with POLICY, an agent spec or a policy file."""
    probabilities = romans_agents.policy_of(policy).probabilities
    columns = [differences(probabilities, roots, seed) for roots in round_starts(rounds, seed)]
    grid = markdown_grid(("attack",), ROUND_NAMES)
    for name in columns[0]:
        cells = ["{:.3f} [{:.3f}, {:.3f}]".format(*mean_of_clusters(column[name][:, None])) for column in columns]
        grid.add_row(name, *cells)
    print_whole(grid)


if __name__ == "__main__":
    main()
