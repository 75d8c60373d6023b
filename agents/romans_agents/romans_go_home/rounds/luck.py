"""Luck in Romans Go Home!: the value of the hands of a round (RULES 2.2), if a policy makes the plans.

It is the mean return of the policy's plans with the hands that were drawn, minus the mean over all hands that might
have been drawn. The walls, which are the same for all players, and the lines of neutrals do not count.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from romans_agents.policies.policy import PolicyAgent
from romans_agents.romans_go_home.rounds.attack import joint_plans
from romans_agents.romans_go_home.rounds.beliefs import plans_of, thinned
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, redacted
from romans_agents.romans_go_home.rounds.plan_distributions import Plans, hand_of
from romans_agents.searches.comparison import share_of_difference
from romans_agents.specs.registry import policy_of
from romans_agents.variates.luck import Luck
from romans_env import Game, RomansGoHome
from romans_env.romans_go_home.state import PHASE_DISCARD, States

POLICY = "legate"
PARTIAL_PLANS, SAMPLES = 1000, 64
"""The most partial plans of the policy that are followed, and the number of plans of each side that play each other."""


def luck_of(game: Game, seed: int) -> list[Luck]:
    """Compute the luck of every round of a game.

    Args:
        game: the game with its history.
        seed: the seed of the draws.
    """
    policy = PolicyAgent.of(policy_of(POLICY), POLICY, sample=True, cut=0.0)
    rival = OpponentModel(policy, cast(RomansGoHome, game.rules))
    rng, again = np.random.default_rng(seed), Game(game.rules, deal=game.deal())
    found: list[Luck] = []
    for number, (_, name) in enumerate(game.actions):
        round_index = int(again.states["round_index"][0])
        if again.states["phase"][0] == PHASE_DISCARD and round_index == len(found):
            shares = _luck_of_hands(again.states.copy(), rival, rng)
            found.append(Luck(number, f"the hands of round {round_index + 1}", shares))
        again.act(name)
    return found


def _luck_of_hands(root: States, rival: OpponentModel, rng: np.random.Generator) -> tuple[float, ...]:
    """Return the luck of the hands at the start of a round for each player, in shares of the win."""
    num_players = rival.rules.num_players
    means = []
    for is_known in (True, False):
        sides = [
            plans_of(rival, root, seat, rng, PARTIAL_PLANS, hand_of(root, seat) if is_known else None)
            for seat in range(num_players)
        ]
        means.append([_mean_return(root, seat, sides, rng) for seat in range(num_players)])
    known, unknown = np.array(means)
    worth = known - unknown
    if num_players > 1:
        # Returns sum to zero, but estimates from different samples for each seat do not.
        worth -= worth.mean()
    return tuple(share_of_difference(worth, num_players).tolist())


def _mean_return(root: States, seat: int, sides: list[Plans], rng: np.random.Generator) -> float:
    """Return the mean return of a seat if every side samples its plan."""
    own = sides[seat]
    chosen, weights = thinned(own.weights, SAMPLES, rng)
    others = [side for player, side in enumerate(sides) if player != seat]
    laid, likely = joint_plans(others, len(sides), seat, SAMPLES, rng)
    returns = payoffs_of(redacted(root, seat), seat, own.plans[chosen], laid, rng)
    return float(weights @ returns @ likely)
