"""What `RolloutAgent` shares with its searches: the mean of rollouts beside the score, and a budget for all actions."""

from types import SimpleNamespace

import numpy as np
import pytest

from romans_agents.searches.comparison import BATCHES
from romans_agents.searches.search import RolloutAgent

SCORES, WORTH = np.array([1.0, 0.6, 0.0]), np.array([-0.25, 0.25, 0.5])
ACTIONS = np.array([4, 8, 15])


class Known(RolloutAgent):
    """Its rollouts of an action are always worth the same."""

    name = "known"

    def __init__(self, iterations, value_weight=1.0):
        super().__init__(iterations, None, 0, len(ACTIONS), value_weight)
        self.counts = []

    def candidates(self, view):
        return ACTIONS, SCORES

    def rollouts(self, view, actions):
        worth = WORTH[np.searchsorted(ACTIONS, actions)]

        def run(sums, count):
            self.counts.append(count)
            sums += count * worth

        return run


@pytest.mark.parametrize("iterations", [3, 30, 10_000])
@pytest.mark.parametrize(("value_weight", "chosen"), [(0.0, 4), (0.79, 4), (0.81, 8), (2.3, 8), (2.5, 15), (1e9, 15)])
def test_the_score_and_the_mean_of_rollouts_decide_whatever_their_number(iterations, value_weight, chosen):
    assert Known(iterations, value_weight).decide(None) == chosen


@pytest.mark.parametrize(("iterations", "count"), [(1, 1), (3, 1), (30, 10), (10_000, 3333)])
def test_the_iterations_are_those_of_all_actions_together(iterations, count):
    agent = Known(iterations)
    agent.decide(None)
    assert agent.counts == [count]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_comparison_has_the_same_budget_and_the_means(num_players):
    agent, view = Known(300 * BATCHES), SimpleNamespace(rules=SimpleNamespace(players=("one",) * num_players))
    found = agent.compare(view, [8])
    assert agent.counts == [100] * BATCHES
    assert found.choices == [(8,), (4,), (15,)]
    even = 1 / num_players
    assert np.allclose(found.shares, even + (1 - even) * WORTH[[1, 0, 2]])
