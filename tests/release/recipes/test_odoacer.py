"""The player of few rollouts: it is legal, the same twice, and plays none where a rollout must be worth more."""

import numpy as np

from recipes.odoacer.agent import OdoacerAgent, expected_gain
from tests.struggle.stages import new_game


def test_it_plays_legally_and_the_same_twice():
    agent, again, never = OdoacerAgent(), OdoacerAgent(), OdoacerAgent(least_worth=9.0)
    game = new_game(1)
    while (seat := game.seat_to_act) is not None:
        view = game.view(seat)
        action = agent.act(view)
        assert action == again.act(view) and never.act(view) in game.legal_actions()
        game.act(action)
    assert agent.rollouts == again.rollouts > 0 == never.rollouts


def test_the_expected_gain_is_that_of_a_normal_number():
    drawn = np.random.default_rng(1).normal(-0.5, 2.0, size=200_000)
    assert abs(expected_gain(-0.5, 2.0) - np.maximum(drawn, 0.0).mean()) < 0.01
    assert expected_gain(-0.5, 0.0) == 0.0
