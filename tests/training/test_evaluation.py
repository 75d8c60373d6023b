"""Duplicate deals: every deal from every seat."""

import pytest

import romans_agents
from romans_env import Table
from romans_training.measure.evaluation import evaluate
from tests.envs.playing import Last


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


def test_recording_changes_nothing_and_more_deals_begin_with_the_deals_of_fewer():
    agent, *opponents = (romans_agents.make(spec) for spec in ("greedy", "hoarder", "legionary"))
    few, many = [], []
    for records, deals in ((few, 5), (many, 9)):
        found = evaluate(agent, opponents, Table(3, 1), deals, seed=1, on_record=records.append)
        assert found == evaluate(agent, opponents, Table(3, 1), deals, seed=1)
    assert few == many[:15]


def test_solo_games_are_won_drawn_or_lost_against_the_neutral_clans():
    result = evaluate(romans_agents.make("greedy"), [], Table(1, 1), num_deals=100)
    assert result.num_games == 100
    assert result.win_rate.mean > 0.9
    assert result.mean_return.mean == pytest.approx(2 * result.win_rate.mean + result.draw_rate.mean - 1, abs=1e-9)


def test_progress_never_falls_and_reaches_all_games():
    done = []
    evaluate(Last(), [Last()], Table(2, 0), num_deals=3, on_progress=done.append)
    assert done == sorted(done)
    assert done[-1] == 6


@pytest.mark.parametrize(("opponents", "num_deals"), [(0, 5), (2, 5), (1, 0)])
def test_bad_settings_are_refused(opponents, num_deals):
    with pytest.raises(ValueError, match=r"opponents|number of deals"):
        evaluate(Last(), [Last() for _ in range(opponents)], Table(2, 0), num_deals)
