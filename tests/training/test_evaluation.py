"""Duplicate deals: every deal from every seat."""

from __future__ import annotations

from collections import Counter

import pytest

import romans_agents
from romans_agents import Agent
from romans_env import Table
from romans_training.evaluation import evaluate


class First(Agent):
    """Takes the first legal action, and notes whom it sat with and what it was dealt."""

    name = "first"

    def __init__(self):
        self.hands = Counter()

    def act(self, view):
        position = view.position()
        if position["decision"]["kind"] == "discard" and position["round"] == 1:
            self.hands[view.seat, tuple(position["clans"][view.agent]["hand"]), tuple(position["wall"])] += 1
        return view.legal_actions()[0]


def test_every_deal_is_played_from_every_seat_with_the_same_cards():
    one, two = First(), First()
    result = evaluate(one, [two], Table(2, 0), num_deals=20, seed=3)
    assert result.num_games == 40
    assert Counter(seat for seat, *_ in one.hands.elements()) == {0: 20, 1: 20}
    # What one held in a seat, the other held there when they changed places.
    assert one.hands == two.hands


@pytest.mark.parametrize("size", [(2, 0), (2, 1), (3, 0), (4, 0)])
def test_a_mirror_match_of_a_deterministic_agent_is_fair_to_the_game(size):
    table = Table(*size)
    result = evaluate(
        romans_agents.make("greedy"), [romans_agents.make("greedy") for _ in range(size[0] - 1)], table, num_deals=60
    )
    assert result.mean_return.mean == pytest.approx(0.0)
    share = result.win_rate.mean + result.draw_rate.mean / 2
    assert share == pytest.approx(1 / size[0], abs=0.02)


def test_the_same_seed_gives_the_same_result_and_another_does_not():
    def measured(seed):
        return evaluate(
            romans_agents.make("random"), [romans_agents.make("greedy")], Table(2, 1), num_deals=50, seed=seed
        )

    assert measured(5) == measured(5)
    assert measured(5).mean_points != measured(6).mean_points


def test_more_deals_begin_with_the_deals_of_fewer():
    few, many = First(), First()
    evaluate(few, [First()], Table(2, 0), num_deals=5, seed=1)
    evaluate(many, [First()], Table(2, 0), num_deals=9, seed=1)
    assert few.hands <= many.hands


def test_solo_games_are_won_drawn_or_lost_against_the_neutral_clans():
    result = evaluate(romans_agents.make("greedy"), [], Table(1, 1), num_deals=100)
    assert result.num_games == 100
    assert result.win_rate.mean > 0.9
    assert result.mean_return.mean == pytest.approx(2 * result.win_rate.mean + result.draw_rate.mean - 1, abs=1e-9)


def test_progress_never_falls_and_reaches_all_games():
    done = []
    evaluate(First(), [First()], Table(2, 0), num_deals=3, on_progress=done.append)
    assert done == sorted(done)
    assert done[-1] == 6


@pytest.mark.parametrize(("opponents", "num_deals"), [(0, 5), (2, 5), (1, 0)])
def test_bad_settings_are_refused(opponents, num_deals):
    with pytest.raises(ValueError, match=r"opponents|number of deals"):
        evaluate(First(), [First() for _ in range(opponents)], Table(2, 0), num_deals)
