"""The parts of self-play: advantages by seat, line-ups, the league and its file."""

import json

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import torch

from romans_agents.loops.codes import LEARNER
from romans_env import RomansGoHome
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolderError
from romans_training.learn.self_play.advantages import advantages_of
from romans_training.learn.self_play.league import EXPLOITER, PAST, SCRIPTED, League, draw_line_ups
from romans_training.learn.self_play.learner import Learner
from romans_training.learn.transfers import device_of
from romans_training.settings import ConfigError
from tests.training.rollouts import expected_advantages, random_rollout


@pytest.mark.parametrize("num_seats", [1, 2, 3, 4])
@pytest.mark.parametrize(("gamma", "gae_lambda"), [(1.0, 1.0), (1.0, 0.95), (0.9, 0.5)])
def test_advantages_are_those_of_each_seat_alone(gamma, gae_lambda, num_seats):
    rollout, stories = random_rollout(np.random.default_rng(1), num_seats=num_seats)
    advantages, is_known = (found.numpy() for found in advantages_of(rollout.decisions(), gamma, gae_lambda))
    rows = np.flatnonzero(is_known)
    expected = expected_advantages(stories, gamma, gae_lambda)
    assert rows.tolist() == sorted(expected)
    assert 0.7 * rollout.size < len(rows) < rollout.size
    assert np.allclose(advantages[rows], [expected[row] for row in rows], atol=1e-4)
    returns = rollout.columns(gamma, gae_lambda)["returns"].numpy()
    assert np.allclose(returns, advantages[rows] + rollout.values.numpy()[rows])


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_line_ups_hold_the_learner_and_members_as_they_should(num_players):
    weights = np.array([0.1, 0.9])
    line_ups = draw_line_ups(np.random.default_rng(3), 4000, num_players, 0.6, weights)
    assert line_ups.shape == (4000, num_players)
    own = (line_ups == LEARNER).sum(axis=1)
    assert own.min() >= 1
    if num_players == 1:
        return
    assert abs((own == num_players).mean() - 0.6) < 0.03
    met = line_ups[line_ups != LEARNER]
    assert abs((met == 1).mean() - 0.9) < 0.02
    # In the other games the learner sits on every seat alike.
    shares = (line_ups[own < num_players] == LEARNER).mean(axis=0)
    assert np.ptp(shares) < 0.05
    if num_players > 2:
        alone = line_ups[own == 1]
        assert len(alone) > 0.15 * 4000
        assert ((alone != LEARNER) & (alone == 0)).any(axis=1).sum() > 0


def test_without_members_the_learner_has_all_seats():
    line_ups = draw_line_ups(np.random.default_rng(4), 50, 3, 0.0, np.zeros(0))
    assert (line_ups == LEARNER).all()


def league():
    league = League()
    for agent, kind in (("greedy", SCRIPTED), ("league/past-5.npz", PAST), ("league/exploiter-9.npz", EXPLOITER)):
        league.add(agent, kind, joined=5)
    return league


def test_who_wins_more_is_met_more_often():
    met = league()
    assert np.allclose(met.weights(), 1 / 3)
    met.members[0].record("2+0", 200, 200.0)
    met.members[1].record("2+0", 200, 0.0)
    met.members[2].record("4+0", 200, -200.0)
    weights = met.weights()
    assert weights.sum() == pytest.approx(1.0)
    assert 0 < weights[0] < weights[1] < weights[2]
    assert met.members[0].score > 0.9 and met.members[1].score == 0.5 and met.members[2].score < 0.1


def test_old_results_fade_but_are_kept_in_the_record():
    member = league().members[0]
    for _ in range(50):
        member.record("2+0", 100, 100.0)
    for _ in range(50):
        member.record("2+1", 100, -100.0)
    assert member.score < 0.05
    assert member.results["2+0"].games == member.results["2+1"].games == 5000
    assert member.results["2+0"].total_return == 5000.0


def test_the_league_file_keeps_everything(tmp_path):
    met = league()
    met.members[1].record("2+0", 3, 1.0)
    met.save(tmp_path / "league.json")
    again = League.load(tmp_path / "league.json")
    assert again.members == met.members
    assert np.array_equal(again.weights(), met.weights())
    written = json.loads((tmp_path / "league.json").read_text(encoding="utf-8"))
    assert [member["agent"] for member in written["members"]] == [member.agent for member in met.members]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"format": "romans-league/1", "members": [{"agent"', "is not a valid league file"),
        ('{"format": "romans-league/1", "members": [{"agent": "greedy"}]}', "is not a valid league file"),
        ('{"format": "romans-league/9", "members": []}', "this version reads 'romans-league/1'"),
        ("[]", "is not a valid league file"),
    ],
)
def test_a_damaged_league_file_is_told(tmp_path, text, says):
    (tmp_path / "league.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunFolderError, match=says):
        League.load(tmp_path / "league.json")
    with pytest.raises(RunFolderError, match="cannot read the league file"):
        League.load(tmp_path / "missing.json")


def test_the_learner_computes_on_the_device_of_its_settings():
    assert device_of("cpu") == torch.device("cpu")
    learner = Learner(RomansGoHome(), TrainConfig(self_play=1.0, device="cpu"))
    assert {weights.device.type for weights in learner.policy.parameters()} == {"cpu"}


@pytest.mark.parametrize("name", ["abacus", "cuda:63", "meta", ""])
def test_a_device_that_torch_does_not_have_is_one_error(name):
    with pytest.raises(ConfigError, match="cpu always works"):
        device_of(name)
