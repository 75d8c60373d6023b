"""Variance reduction knows a game by its control variates alone: those of the toy game explain its points exactly."""

import dataclasses

import numpy as np
import pytest

import romans_agents
from romans_env.core import games
from romans_training.measure.evaluation import evaluate
from romans_training.measure.variance_reduction import AIVAT
from tests.toy.dice_race_v0 import SPEC
from tests.toy.rules import DiceRace

FACES = range(1, 7)
EXPECTED_OF_DIE = {die: np.mean([number % 7 for number in range(0, 100, die)]) for die in FACES}
"""What a random action adds to the score, by the die that was thrown."""
EXPECTED = np.mean(list(EXPECTED_OF_DIE.values()))


class DiceVariates:
    """The bonus that is dealt, the die of every turn, and what `random` answers it: all expectations are sums."""

    names = ("bonus", "die", "action")

    def __init__(self, rules, players, seed, words):
        self._values = np.zeros((len(players), 2, 3))

    def see(self, states, indices, actions):
        for i, action in zip(indices.tolist(), actions.tolist(), strict=True):
            state = states[i]
            seat, die = int(state["turn"]) % 2, int(state["die"])
            self._values[i, :, 0] = 3.5 - state["bonus"]
            self._values[i, seat, 1] += EXPECTED - EXPECTED_OF_DIE[die]
            self._values[i, seat, 2] += EXPECTED_OF_DIE[die] - action % 7

    def values(self):
        return self._values


@pytest.fixture
def explained():
    games.register(dataclasses.replace(SPEC, control_variates=f"{__name__}:DiceVariates"))
    yield
    games.register(SPEC)


def measured(num_deals, **settings):
    first, second = (romans_agents.make("random", game="dice-race") for _ in range(2))
    return evaluate(first, [second], DiceRace(), num_deals, seed=1, **settings)


def test_points_that_are_explained_have_their_expected_value_and_no_variance(explained):
    result = measured(30, variance_reduction=AIVAT)
    exact = 3.5 + 5 * EXPECTED
    assert result.mean_points.low < exact < result.mean_points.high
    assert result.reduced.mean_points.mean == pytest.approx(exact, abs=0.01)
    reduced, plain = (points.high - points.low for points in (result.reduced.mean_points, result.mean_points))
    assert reduced < 0.01 * plain


def test_a_game_without_control_variates_says_so(called):
    for command in (["evaluate", "random"], ["tournament", "random", "random"]):
        status, _, err = called(*command, "--game", "dice-race", "--variance-reduction", "aivat", "--deals", 2)
        assert status == "romans: dice-race has no control variates for aivat: give none" and not err
