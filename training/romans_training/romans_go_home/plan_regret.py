"""How much better than an agent's own the best plan is that a player could make who knows the agent's plans.

It is what a best response wins by its plans in one round, with the attack played by rollouts and `round_values.npz` at
the end of the round: a part of what ``romans exploit --by search`` measures, in seconds.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.beliefs import hand_of, own_plans
from romans_agents.romans_go_home.rounds.drawn_plans import Probabilities, draw_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, redacted
from romans_env import Table
from romans_env.romans_go_home.state import States
from romans_training.romans_go_home.plan_payoffs import Floats, Sizes, draw_hands

TABLE = Table(2, 0)
Planner = Callable[[States, int, npt.NDArray[np.int8]], npt.NDArray[np.int8]]
"""Draws a plan for each hand, for a game at the start of a round and a seat: int8, shape (n, 7), for hands as kinds."""
HANDS = 256
"""Hands of the other player, with a plan each, that a plan is chosen against, and as many others to measure it."""
FIRST, KEPT = 24, 200
"""All plans meet so many of them; so many plans, the best, go on."""
OWN = 64
"""Plans of the policy for the hand."""


def planner_of(probabilities: Probabilities, rng: np.random.Generator) -> Planner:
    """Draws the plans of a policy."""

    def drawn(root: States, seat: int, hands: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        return draw_plans(probabilities, root, seat, hands, TABLE, rng)[0]

    return drawn


def plan_regrets(planner: Planner, roots: States, rng: np.random.Generator) -> Floats:
    """The return that the best plan of seat 0 wins more than the agent's own, in each game: float64, shape (n,).

    The best plan is chosen against some plans of the other player and measured against others.

    Args:
        planner: of the agent.
        roots: games between two players at the start of a round, shape (n,).
        rng: of all chance but the planner's.
    """
    hands = draw_hands(len(roots), TABLE, Sizes(2 * HANDS, 1), rng).reshape(len(roots), 2 * HANDS, -1)
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
