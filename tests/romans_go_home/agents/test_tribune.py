"""The step of `tribune`: how its temperature divides what the plans of the policy are worth."""

import numpy as np
import pytest

from romans_agents import warm_up
from romans_agents.romans_go_home.rounds import tribune
from romans_agents.romans_go_home.rounds.beliefs import possible_hands
from romans_env import Game, RomansGoHome, Table
from romans_env.romans_go_home.setup import SMALL_TABLE


def worth(plans):
    """What the plans win, in place of rollouts: by the first warriors of the line."""
    return 0.01 * plans[:, 0] - 0.005 * plans[:, 1]


@pytest.mark.parametrize("temperature", [0.1, 0.02])
def test_the_odds_of_a_plan_grow_by_its_value_over_the_temperature(temperature, monkeypatch):
    monkeypatch.setattr(
        tribune, "payoffs_of", lambda root, seat, plans, laid, rng: np.tile(worth(plans)[:, None], len(laid))
    )
    root, compared = Game(RomansGoHome(SMALL_TABLE), seed=4).states.copy(), 0
    policy, stepped = (tribune.TribuneAgent(one).mixed_plans(root, 0) for one in (1e9, temperature))
    for hand in possible_hands(SMALL_TABLE)[0]:
        known, after = (
            {plan.tobytes(): weight for plan, weight in zip(*one.of_hand(hand), strict=True)}
            for one in (policy, stepped)
        )
        plans = sorted(known.keys() & after.keys())
        assert plans
        values = worth(np.array([np.frombuffer(plan, dtype=np.int8) for plan in plans]))
        odds = np.log([after[plan] / known[plan] for plan in plans])
        assert odds - odds[0] == pytest.approx((values - values[0]) / temperature, abs=1e-3)
        compared += np.ptp(values) > 0
    assert compared >= 3


@pytest.mark.parametrize(("table", "plays"), [(Table(2, 0), True), (SMALL_TABLE, True), (Table(2, 1), False)])
def test_a_warm_up_leaves_it_out_at_tables_that_it_does_not_play(table, plays):
    texts = [text for text, _ in warm_up.steps(table, ["tribune", "greedy"], ["game"])]
    assert ("Romans Go Home!: tribune" in texts) is plays and "Romans Go Home!: greedy" in texts
