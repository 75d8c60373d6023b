"""The imitation of a scripted agent, from which self-play starts."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from click.testing import CliRunner

import romans_agents
from romans_agents import Policy
from romans_env.struggle import StruggleForRome, StruggleSetup
from romans_training.config import TrainConfig
from romans_training.self_play.learner import Learner
from romans_training.struggle import imitate
from romans_training.struggle.imitate import learn, main, play_lessons, rounds_of_lessons, weights_of

SHORT = StruggleForRome(StruggleSetup(max_rounds=2))


def test_lessons_are_the_teachers_choices_in_games_among_all():
    lessons = play_lessons(SHORT, "trader", "win", 4, 1)
    rows = np.arange(len(lessons.actions))
    assert lessons.observations.shape == (rows.size, SHORT.observation_size)
    assert lessons.masks[rows, lessons.actions].all() and (lessons.masks.sum(axis=1) >= 2).all()
    assert set(np.round(lessons.returns.astype(np.float64), 3).tolist()) <= {-0.333, 0.333, 0.111, 0.0, 1.0}
    again = play_lessons(SHORT, "trader", "win", 4, 1)
    assert all(np.array_equal(*pair) for pair in zip(lessons, again, strict=True))


def test_the_value_may_be_of_points_to_come():
    of_wins, of_points = (play_lessons(SHORT, "trader", reward, 4, 1) for reward in ("win", "points"))
    assert np.array_equal(of_wins.observations, of_points.observations)
    shown = next(row for row in SHORT.slices if row.name == "seat_0.points")
    assert (of_points.returns >= 0.0).all() and of_points.returns.dtype == np.float32
    assert (of_points.returns + of_points.observations[:, shown.start]).max() <= 4.0


def test_rounds_are_the_same_whoever_plays_them_first():
    first, second = (list(rounds_of_lessons(SHORT, "trader", "win", 2, 4, 2, 3)) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        assert all(np.array_equal(*pair) for pair in zip(one, other, strict=True))
    assert first[0].actions.tolist() != first[1].actions.tolist()


def test_a_network_learns_what_it_is_taught():
    torch.manual_seed(1)
    learner = Learner(SHORT, TrainConfig(game="struggle", hidden_layers=(32,)))
    lessons = play_lessons(SHORT, "trader", "win", 8, 1)
    found = [learn(learner, lessons, 2e-3) for _ in range(20)]
    assert found[-1][0] > found[0][0] + 0.15 and found[-1][1] < found[0][1]


def test_the_teacher_is_scripted():
    assert weights_of("chieftain") is not None
    with pytest.raises(ValueError, match="the teacher is a scripted agent, such as trader, not random"):
        weights_of("random")


def test_the_command_writes_a_policy(tmp_path, monkeypatch):
    monkeypatch.setattr(imitate, "StruggleSetup", lambda: StruggleSetup(max_rounds=2))
    path = tmp_path / "start.npz"
    done = CliRunner().invoke(main, [str(path), "--rounds", "1", "--games", "4", "--hidden-layers", "16", "16"])
    assert done.exit_code == 0, done.output
    policy = Policy.load(path)
    assert policy.game == "struggle" and policy.meta["teacher"] == "trader"
    assert romans_agents.policy_of(f"policy:{path}", game="struggle").scale.shape == (SHORT.observation_size,)
