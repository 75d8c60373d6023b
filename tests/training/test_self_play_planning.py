"""Planning decisions of self-play: a lambda and an entropy weight of their own, and which decisions they are."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")


from romans_env import RomansGoHome
from romans_env.games import spec_of
from romans_training import trainer
from romans_training.config import TrainConfig
from romans_training.run_folder import RunFolder
from romans_training.self_play.advantages import Planning, advantages_of
from romans_training.self_play.learner import planning_of
from romans_training.settings import ConfigError
from tests.romans_go_home.stages import TABLES, new_game, table_id
from tests.tools import decisions
from tests.training.rollouts import chance_of_the_winner, rollout_of_one_seat
from tests.training.runs import SMALL

PLAN, ATTACK = 0, 3
PLANNING = Planning(np.array([True, True, False, False]), 1.0)
SETTINGS = TrainConfig(self_play=1.0, hidden_layers=(16, 16), minibatch_size=64, epochs=1)


def test_a_planning_decision_learns_from_the_return_and_another_from_what_follows():
    # The temporal differences are -0.3, -0.3, 0.5, -0.7 and 1.3; the return of every decision is 1.
    rollout = rollout_of_one_seat([0.5, 0.2, -0.1, 0.4, -0.3], [PLAN, PLAN, ATTACK, PLAN, ATTACK], ended=True)
    advantages, is_known = advantages_of(rollout.decisions(), 1.0, 0.5, PLANNING)
    assert is_known.all()
    # Of the third: 0.5 - 0.7 / 2 + 1.3 / 4. With it, the second one would have 0.175 by the recursion.
    assert advantages.tolist() == pytest.approx([0.5, 0.8, 0.475, 0.6, 1.3])
    returns = rollout.columns(1.0, 0.5, PLANNING)["returns"]
    assert returns.tolist() == pytest.approx([1.0, 1.0, 0.375, 1.0, 1.0])


def test_at_the_end_of_a_rollout_the_return_goes_up_to_the_last_decision():
    rollout = rollout_of_one_seat([0.5, 0.2, -0.1, 0.4], [PLAN, ATTACK, ATTACK, PLAN], ended=False)
    columns = rollout.columns(1.0, 0.5, PLANNING)
    assert advantages_of(rollout.decisions(), 1.0, 0.5)[1].tolist() == [True, True, True, False]
    assert columns["advantages"].tolist() == pytest.approx([-0.1, -0.05, 0.5])
    assert float(columns["returns"][0]) == pytest.approx(0.4)


def test_without_a_lambda_of_their_own_they_are_estimated_as_all_others():
    rollout = rollout_of_one_seat([0.5, 0.2, -0.1, 0.4], [PLAN, PLAN, ATTACK, ATTACK], ended=True)
    expected, same, other = (
        advantages_of(rollout.decisions(), 1.0, 0.5, planning)[0].tolist()
        for planning in (None, PLANNING._replace(gae_lambda=0.5), PLANNING)
    )
    assert same == expected != other
    assert planning_of(RomansGoHome(), SETTINGS) is None
    own = planning_of(RomansGoHome(), dataclasses.replace(SETTINGS, planning_lambda=0.9))
    assert own.gae_lambda == 0.9 and own.actions.sum() == 16


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_discards_and_places_are_the_planning_decisions(table):
    kinds = {True: set(), False: set()}
    for seed in range(5):
        for game in decisions(new_game(table, seed), seed):
            found = game.rules.planning_actions[game.legal_actions()]
            assert found.all() or not found.any()
            kinds[bool(found.all())].add(game.rules.decision_kind(game.states, 0))
    assert kinds[True] == {"discard", "place"}
    assert kinds[False] and not kinds[True] & kinds[False]


@pytest.mark.parametrize("name", ["roma", "struggle"])
def test_a_game_without_planning_decisions_refuses_their_settings(name):
    assert not spec_of(name).make_rules().planning_actions.any()
    with pytest.raises(ConfigError, match=f"^planning_lambda, planning_entropy: {name} has no planning decisions"):
        TrainConfig(game=name, self_play=1.0, planning_lambda=1.0, planning_entropy=0.1)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"planning_lambda": 1.5}, "planning_lambda is a number from 0 to 1"),
        ({"planning_entropy": -1.0}, "planning_entropy is a number from 0"),
        ({"final_planning_entropy": 0.1}, "where planning_entropy falls to"),
        ({"self_play": 0.0, "planning_lambda": 1.0}, "settings of self-play alone"),
    ],
    ids=str,
)
def test_mistakes_are_told(changes, says):
    with pytest.raises(ConfigError, match=says):
        dataclasses.replace(SETTINGS, **changes)


@pytest.mark.parametrize(("choices", "is_planning"), [((0, 1), True), ((30, 31), False)])
def test_an_entropy_weight_counts_for_its_own_decisions_alone(choices, is_planning):
    assert RomansGoHome().planning_actions[list(choices)].all() == is_planning
    own, other = ("planning_entropy", "entropy") if is_planning else ("entropy", "planning_entropy")
    assert chance_of_the_winner(SETTINGS, choices, **{own: 5.0, other: 0.0})[0] < 0.7
    assert chance_of_the_winner(SETTINGS, choices, **{own: 0.0, other: 5.0})[0] > 0.95


def test_the_weight_falls_in_the_course_of_a_run(tmp_path):
    folder = RunFolder(tmp_path / "run")
    config = dataclasses.replace(
        SMALL, self_play=1.0, planning_lambda=1.0, planning_entropy=0.1, final_planning_entropy=0.0, entropy=0.02
    )
    trainer.train(config, folder)
    weights = [float(row["planning_entropy_weight"]) for row in folder.load_metrics()]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > 0.08 and weights[-1] < 0.02
    assert {row["entropy_weight"] for row in folder.load_metrics()} == {"0.02"}
