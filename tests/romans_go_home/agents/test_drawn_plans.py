"""Plans drawn from a policy for many hands at once."""

import numpy as np
import pytest

from romans_agents.romans_go_home.planning_agent import PlanningAgent, own_plans
from romans_agents.romans_go_home.rounds.beliefs import begin_planning, plans_laid, plans_of, possible_hands
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel, observed
from romans_agents.romans_go_home.rounds.plan_distributions import Plans
from romans_env import RomansGoHome, Table
from romans_env.romans_go_home.actions import DISCARD, PLACE
from romans_env.romans_go_home.material import NUM_WARRIORS
from tests.policies import even_agent
from tests.romans_go_home.stages import new_game


def round_start(seed=4):
    return new_game((2, 0), seed=seed).states.copy()


def draw_plans(probabilities, root, seat, hands, table, rng):
    states = np.repeat(root, len(hands))
    begin_planning(states, seat, hands, table)
    return plans_laid(lambda states: probabilities(*observed(states)), states, seat, table, rng)


@pytest.mark.parametrize("seat", [0, 1])
def test_plans_are_drawn_as_often_as_the_policy_makes_them(seat):
    agent, table, rng, root = even_agent(), Table(2, 0), np.random.default_rng(1), round_start()
    hand = np.array([0, 1, 2, 3, 4, 5, 6], dtype=np.int8)
    exact = plans_of(OpponentModel(agent, RomansGoHome(table)), root, seat, rng, 10_000, hand)
    asked = []

    def probabilities(observations, masks):
        asked.append(masks.sum(axis=1))
        return agent.policy.probabilities(observations, masks)

    drawn = draw_plans(probabilities, root, seat, np.repeat(hand[None], 40_000, axis=0), table, rng)
    assert (np.sort(drawn, axis=1) == hand).all()
    first = np.bincount(exact.plans[:, 0], exact.weights, 9), np.bincount(drawn[:, 0], minlength=9) / len(drawn)
    aside = np.bincount(exact.plans[:, 6], exact.weights, 9), np.bincount(drawn[:, 6], minlength=9) / len(drawn)
    assert first[1] == pytest.approx(first[0], abs=0.012)
    assert aside[1] == pytest.approx(aside[0], abs=0.012)
    # The seventh warrior is a matter of course.
    assert [sorted(set(counts.tolist())) for counts in asked] == [[7], [6], [5], [4], [3], [2]]


class Mixer(PlanningAgent):
    """States the probabilities of its plans: the more, the higher the warrior that it sets aside."""

    def mixed_plans(self, root, seat):
        plans = own_plans(root, seat)
        weights = 1.0 + plans[:, root["line_size"][0]] ** 2
        return Plans(plans, weights / weights.sum())


@pytest.mark.parametrize("table", [(2, 0), (3, 0), (4, 0)])
def test_a_rival_plans_with_the_probabilities_that_it_states(table):
    game, rng = new_game(table, 7), np.random.default_rng(1)
    mixer = Mixer()
    mixer.seed(1)
    rival, seat = OpponentModel(mixer, RomansGoHome(Table(*table))), game.seat_to_act
    known, laid = mixer.mixed_plans(game.states, seat), []
    while game.seat_to_act == seat and game.position()["decision"]["kind"] in ("discard", "place"):
        # What it sets aside, and then its line, as far as the plans agree with what is laid.
        order = known.plans[:, [6, *range(6)]]
        agrees = (order[:, : len(laid)] == laid).all(axis=1)
        expected = np.bincount(order[agrees, len(laid)], known.weights[agrees], NUM_WARRIORS)
        first = PLACE if laid else DISCARD
        found = rival.probabilities(game.states)[0]
        assert found.sum() == pytest.approx(1.0)
        assert found[first : first + NUM_WARRIORS] == pytest.approx(expected / expected.sum())
        action = int(rng.choice(len(found), p=found))
        game.act(action)
        laid.append(action - first)
    assert len(laid) >= 3


def test_plans_are_drawn_from_what_the_seat_sees_alone():
    """Other hands in the record change nothing."""
    root, table = round_start(), Table(2, 0)
    other = new_game((2, 0), seed=9).states.copy()
    twin = root.copy()
    twin["hand"][0, 0], twin["dealt"][0, :, 0] = other["hand"][0, 0], other["dealt"][0, :, 0]
    assert twin.tobytes() != root.tobytes()
    made, policy = [], even_agent().policy
    for states in (root, twin):
        hands, seen = possible_hands(table)[0], []

        def probabilities(observations, masks, seen=seen):
            seen.append(observations)
            return policy.probabilities(observations, masks)

        made.append(
            (draw_plans(probabilities, states, 1, hands, table, np.random.default_rng(2)), np.concatenate(seen))
        )
    for first, second in zip(*made, strict=True):
        assert np.array_equal(first, second)
