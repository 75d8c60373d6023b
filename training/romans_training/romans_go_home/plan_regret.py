"""How much better than a policy's own the best plan is that a player could make who knows the policy's plans.

It is what a best response wins by its plans in one round, with the attack played by rollouts and `round_values.npz` at
the end of the round: a part of what ``romans exploit --by search`` measures, in seconds.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.rounds.beliefs import hand_of, own_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of
from romans_env import Table
from romans_env.romans_go_home.kernels import hide_from
from romans_env.romans_go_home.state import States
from romans_training.romans_go_home.drawn_plans import Floats, Probabilities, Sizes, draw_hands, draw_plans

TABLE = Table(2, 0)
HANDS = 256
"""Hands of the other player, with a plan each, that a plan is chosen against, and as many others to measure it."""
FIRST, KEPT = 24, 200
"""All plans meet so many of them; so many plans, the best, go on."""
OWN = 64
"""Plans of the policy for the hand."""


def plan_regrets(probabilities: Probabilities, roots: States, rng: np.random.Generator) -> Floats:
    """The return that the best plan of seat 0 wins more than the policy's own, in each game: float64, shape (n,).

    The best plan is chosen against some plans of the other player and measured against others.

    Args:
        probabilities: of the policy.
        roots: games between two players at the start of a round, shape (n,).
        rng: of all chance.
    """
    hands = draw_hands(len(roots), TABLE, Sizes(2 * HANDS, 1), rng)
    others, _ = draw_plans(probabilities, roots, 1, hands, TABLE, rng)
    others = others.reshape(len(roots), 2 * HANDS, 1, -1)
    regrets = np.empty(len(roots))
    for k in range(len(roots)):
        root, view = roots[k : k + 1], roots[k : k + 1].copy()
        hide_from(view, 0, 0)
        laid = np.concatenate([np.zeros_like(others[k]), others[k]], axis=1)
        plans = own_plans(root, 0)
        plans = plans[np.argsort(-payoffs_of(view, 0, plans, laid[:FIRST], rng).mean(axis=1))[:KEPT]]
        best = plans[[payoffs_of(view, 0, plans, laid[:HANDS], rng).mean(axis=1).argmax()]]
        own, _ = draw_plans(probabilities, root, 0, np.repeat(hand_of(root, 0)[None], OWN, axis=0), TABLE, rng)
        payoffs = payoffs_of(view, 0, np.concatenate([best, own]), laid[HANDS:], rng).mean(axis=1)
        regrets[k] = payoffs[0] - payoffs[1:].mean()
    return regrets
