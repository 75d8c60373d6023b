"""Self-play whose rollouts stay on the device: the estimates of `Rollout`, games that go on where they were."""

import dataclasses

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import torch

from romans_agents import Policy
from romans_env.envs.vector import GameVectorEnv
from romans_training.learn import trainer
from romans_training.learn.run_folder import RunFolder
from romans_training.learn.self_play import device_games
from romans_training.learn.self_play.device_games import DeviceGames
from romans_training.learn.self_play.learner import Learner
from romans_training.learn.self_play.rollout import Rollout
from romans_training.learn.self_play.run import SelfPlay
from tests.envs.tensors import StubTransfer, Waits
from tests.training.runs import SMALL, Stop, cut_off_after, same

CONFIG = dataclasses.replace(
    SMALL,
    self_play=1.0,
    setups=("2+0=3", "4+0=1"),
    num_envs=64,
    rollout_length=70,
    minibatch_size=512,
    steps=9000,
    checkpoint_every=4000,
    evaluate_every=100_000,
    evaluation_deals=1,
    magnet=0.1,
    restarts=0.0,
)
ALONE = dataclasses.replace(CONFIG, self_play=0.0, setups=None, opponents=("greedy", "random"), magnet=0.0)


def no_draw(*_):
    raise AssertionError("the learner has every seat")


@pytest.fixture
def collected():
    torch.manual_seed(1)
    learner, games = Learner(CONFIG.rules, CONFIG), DeviceGames(CONFIG, 1)
    games.start(no_draw)
    rollouts, ended = games.collect(learner, no_draw, 0)
    assert ended == []
    return learner, games, rollouts


@pytest.mark.parametrize("config", [CONFIG, ALONE])
def test_the_device_is_waited_for_where_actions_are_read_and_nowhere_else(config, monkeypatch):
    monkeypatch.setattr(device_games, "Transfer", StubTransfer)
    learner, games = Learner(config.rules, config), DeviceGames(config, 1)
    games.start(no_draw)
    with Waits() as waits:
        games.collect(learner, no_draw, 0)
    assert waits.found == (config.rollout_length * sum(len(half.batches) for half in games._groups), 0)


@pytest.mark.parametrize(("gamma", "gae_lambda"), [(1.0, 0.95), (0.9, 1.0), (0.99, 0.0)])
def test_advantages_are_those_of_a_rollout_of_the_same_decisions(collected, gamma, gae_lambda):
    for own in collected[2]:
        games = np.arange(own.num_games)
        other = Rollout(own.length, own.num_games, own.num_seats, CONFIG.rules.observation_low, own.masks.shape[1])
        for turn in range(own.length):
            at = slice(turn * own.num_games, (turn + 1) * own.num_games)
            decided = tuple(getattr(own, name)[at].numpy() for name in ("actions", "log_probabilities", "values"))
            seats, seen, masks = own.seats[at].numpy().astype(np.int8), own.observations[at], own.masks[at]
            rewards, ended = own.rewards[turn].numpy(), own.ended[turn].numpy()
            other.add_turn(games, seats, decided, seen.numpy(), masks.numpy(), rewards, ended)
        expected, mine = (one.columns(gamma, gae_lambda) for one in (other, own))
        assert expected.keys() == mine.keys()
        for name, column in expected.items():
            np.testing.assert_allclose(mine[name].numpy(), column, atol=1e-5, err_msg=name)


def test_decisions_are_legal_of_every_seat_and_their_probabilities_are_the_learners(collected):
    learner, _, rollouts = collected
    for rollout in rollouts:
        assert rollout.masks.gather(1, rollout.actions[:, None]).all()
        # Three games of four have two players.
        assert [(rollout.seats == seat).any().item() for seat in range(4)] == [True] * 4
        assert rollout.seats[rollout.games < 24].max() == 1
        assert rollout.ended.any()
        at_ends = rollout.rewards[rollout.ended]
        assert (rollout.rewards[~rollout.ended] == 0).all()
        assert (at_ends.abs().sum(dim=1) > 0).all()
        with torch.no_grad():
            _, logits = learner.policy.values_and_logits(rollout.observations[:99], rollout.masks[:99])
        logs = torch.log_softmax(logits.float(), dim=1).gather(1, rollout.actions[:99, None])[:, 0]
        torch.testing.assert_close(logs, rollout.log_probabilities[:99], atol=2e-2, rtol=2e-2)


def test_what_a_league_points_or_restarts_need_is_not_played_so(monkeypatch):
    assert not DeviceGames.can_play(CONFIG)  # its network is on the processor
    monkeypatch.setattr(device_games, "device_of", lambda name: torch.device("cuda"))
    assert DeviceGames.can_play(CONFIG) and DeviceGames.can_play(ALONE)
    changes = {"self_play": 0.5, "snapshot_every": 9, "exploiter_every": 9, "reward": "points", "restarts": 0.5}
    assert not any(DeviceGames.can_play(dataclasses.replace(CONFIG, **{name: changes[name]})) for name in changes)


@pytest.mark.parametrize("config", [CONFIG, ALONE, dataclasses.replace(ALONE, reward="points")])
def test_a_run_cut_off_and_resumed_ends_the_same(config, tmp_path, monkeypatch):
    monkeypatch.setattr(DeviceGames, "can_play", lambda config: True)
    monkeypatch.setattr(trainer, "MaskablePPORun", SelfPlay)
    whole, part = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "part")
    expected = trainer.train(config, whole)
    with pytest.raises(Stop):
        trainer.train(config, part, report=cut_off_after(5000))
    assert same(trainer.resume(part), expected)
    assert not same(expected, Policy.load(whole.average))
    metrics = whole.load_metrics()[-1]
    if not config.self_play:
        assert int(metrics["games"]) > 50
        assert part.load_metrics()[-1]["mean_return"] == metrics["mean_return"]
    assert expected.meta.get("sample", False) == bool(config.self_play)


def test_the_seat_of_the_learner_against_others_is_that_of_a_batch():
    learner, games = Learner(ALONE.rules, ALONE), DeviceGames(ALONE, 1)
    games.start(no_draw)
    rollouts, ended = games.collect(learner, no_draw, 0)
    for rollout, one, half in zip(rollouts, ended, games._groups, strict=True):
        assert rollout.masks.gather(1, rollout.actions[:, None]).all() and not rollout.seats.any()
        env = GameVectorEnv(rollout.num_games, ["greedy", "random"], mix_opponents=True, num_players=2)
        seen, info = env.reset(seed=half._seed)
        for turn in range(rollout.length):
            rows = slice(turn * rollout.num_games, (turn + 1) * rollout.num_games)
            assert (rollout.observations[rows].numpy() == seen).all()
            assert (rollout.masks[rows].numpy() == info["action_mask"]).all()
            seen, rewards, over, _, info = env.step(rollout.actions[rows].numpy())
            assert (rollout.rewards[turn, :, 0].numpy() == rewards.astype(np.float32)).all()
            assert (rollout.ended[turn].numpy() == over).all()
        assert len(one.returns) == rollout.ended.sum()
        assert one.returns.sum() == rollout.rewards.sum()
