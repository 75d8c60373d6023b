"""A critic that sees the full state: what it sees, that the policy does not, and runs with it."""

import dataclasses

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import torch

import romans_agents
from romans_agents import Policy
from romans_env import RomansGoHome
from romans_env.romans_go_home.observation import SLICE_BY_NAME
from romans_training.learn import trainer
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder
from romans_training.learn.self_play.full_state import others_observations
from romans_training.learn.self_play.league import draw_line_ups
from romans_training.learn.self_play.learner import Learner
from romans_training.learn.self_play.rollout import Rollout
from romans_training.learn.self_play.rollout_games import Games
from romans_training.settings import ConfigError
from tests.romans_go_home.scrambling import scrambled
from tests.romans_go_home.stages import new_game
from tests.tools import Lcg, decisions
from tests.training.runs import SMALL, Stop, cut_off_after, same

SETTINGS = dataclasses.replace(SMALL, self_play=1.0, full_state_critic=True, epochs=1, minibatch_size=64)


def seen_by_others(game, num_seats=2):
    games, seats = np.zeros(1, dtype=np.int64), np.array([game.seat_to_act], dtype=np.int8)
    return others_observations(game.rules, game.states, games, seats, num_seats)


def test_it_sees_what_the_others_observe_in_their_order():
    for game in decisions(new_game((3, 0, "standard"), 1), 1):
        seen = seen_by_others(game, num_seats=4).reshape(3, -1)
        for k in (1, 2):
            assert np.array_equal(seen[k - 1], game.observation((game.seat_to_act + k) % 3))
        assert not seen[2].any()


@pytest.mark.parametrize("num_seats", [1, 2, 4])
def test_of_no_decisions_the_others_observe_nothing(num_seats):
    game = new_game((min(num_seats, 2), 0, "standard") if num_seats > 1 else (1, 1, "standard"), 1)
    found = others_observations(
        game.rules, game.states, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int8), num_seats
    )
    assert found.shape == (0, (num_seats - 1) * game.rules.observation_size)


def test_hidden_cards_change_its_values_and_no_decision():
    torch.manual_seed(1)
    learner, lcg, changed = Learner(RomansGoHome(), SETTINGS), Lcg(1), 0
    for game in decisions(new_game((2, 0, "standard"), 2), 2):
        seat = game.seat_to_act
        other = scrambled(game, seat, lcg)
        found = []
        for one in (game, other):
            seen, mask = (array[None] for array in (one.observation(seat), one.action_mask(seat)))
            found.append(learner.decide(seen, mask, torch.Generator().manual_seed(3), seen_by_others(one)))
        (action, log, value), (same_action, same_log, other_value) = found
        assert action == same_action and log == same_log
        is_hidden = not np.array_equal(seen_by_others(game), seen_by_others(other))
        assert (value != other_value) == is_hidden
        changed += is_hidden
    assert changed > 20


def test_a_rollout_keeps_what_the_others_observed_at_each_decision_and_results_are_of_whole_games():
    config = dataclasses.replace(SETTINGS, setups=("2+0", "3+0"), num_envs=8, rollout_length=120, restarts=0.9)
    learner, games = Learner(config.rules, config), Games(config, list, 1)

    def draw(rng, count, num_players):
        return draw_line_ups(rng, count, num_players, 1.0, np.zeros(0))

    games.start(draw)
    (rollout,), ended = games.collect(learner, draw, 1)
    assert 8 <= sum(len(one.returns) for one in ended) < 0.7 * rollout.ended.sum()
    columns = rollout.columns(1.0, 0.95)
    own, others = columns["observations"], columns["others"].reshape(len(columns["actions"]), 2, -1)
    players = 1 + own[:, SLICE_BY_NAME["num_players"]].argmax(axis=1)
    assert set(players.tolist()) == {2, 3}
    assert not others[players == 2, 1].any()
    for k in (1, 2):
        rows = players > k
        seats = own[rows][:, SLICE_BY_NAME["own_seat"]].argmax(axis=1)
        its_seats = others[rows, k - 1][:, SLICE_BY_NAME["own_seat"]].argmax(axis=1)
        assert np.array_equal(its_seats, (seats + k) % players[rows])
        # The public part is that of the same moment.
        wall = SLICE_BY_NAME["wall"]
        assert np.array_equal(own[rows][:, wall], others[rows, k - 1][:, wall])
    assert others[:, 0, SLICE_BY_NAME["own_line"]].any() and others[:, 0, SLICE_BY_NAME["own_hand"]].any()


def test_it_learns_what_the_own_observation_does_not_say_and_the_value_network_the_mean():
    rules, size = RomansGoHome(), 512
    torch.manual_seed(1)
    rng, learner = np.random.default_rng(1), Learner(rules, dataclasses.replace(SETTINGS, entropy=0.0))
    observations = np.zeros((size, rules.observation_size), dtype=np.int8)
    masks = np.zeros((size, rules.num_actions), dtype=np.int8)
    masks[:, :2] = 1
    for _ in range(40):
        others = np.zeros_like(observations)
        others[:, 0] = rng.random(size) < 0.75
        rollout = Rollout(1, size, 2, rules.observation_low, rules.num_actions, others.shape[1])
        decided = learner.decide(observations, masks, None, others)
        rewards = np.stack([2.0 * others[:, 0] - 1.0, 1.0 - 2.0 * others[:, 0]], axis=1).astype(np.float32)
        seats, ended = np.zeros(size, dtype=np.int8), np.ones(size, dtype=bool)
        rollout.add_turn(np.arange(size), seats, decided, observations, masks.astype(bool), rewards, ended, others)
        figures = learner.learn([rollout], 1e-2, 0.0)
    assert {group["lr"] for group in learner.policy.optimizer.param_groups} == {1e-2}  # the critic's, too
    assert figures["critic_loss"] < 0.1 < 0.6 < figures["value_loss"]
    assert figures["explained_variance"] > 0.9
    # Without what the others observe, the values are those of the network in the policy file.
    assert np.allclose(learner.decide(observations, masks)[2], 0.5, atol=0.2)


def test_an_exploiter_starts_with_the_critic():
    torch.manual_seed(1)
    one, two = (Learner(RomansGoHome(), SETTINGS) for _ in range(2))
    two.start_as(one)
    for mine, its in zip(one.critic.parameters(), two.critic.parameters(), strict=True):
        assert torch.equal(mine, its)


def test_a_run_cut_off_and_resumed_ends_the_same_and_its_policy_plays(tmp_path):
    config = dataclasses.replace(
        SETTINGS, steps=1536, snapshot_every=400, exploiter_every=900, exploiter_steps=200, self_play=0.5
    )
    whole, part = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "part")
    expected = trainer.train(config, whole)
    with pytest.raises(Stop):
        trainer.train(config, part, report=cut_off_after(1200))
    assert same(trainer.resume(part), expected)
    assert "critic_loss" in whole.load_metrics()[0]
    assert not same(
        expected, trainer.train(dataclasses.replace(config, full_state_critic=False), RunFolder(tmp_path / "3"))
    )
    assert Policy.load(whole.policy).vf[0][0].shape == (16, RomansGoHome.observation_size)
    lcg = Lcg(2)
    for game in decisions(new_game((2, 0, "standard"), 3), 3):
        views = [one.view(game.seat_to_act) for one in (game, scrambled(game, game.seat_to_act, lcg))]
        agents = [romans_agents.make(f"policy:{whole.policy},sample=false") for _ in views]
        assert len({agent.act(view) for agent, view in zip(agents, views, strict=True)}) == 1


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"device": "cuda"}, "^full_state_critic works on device cpu only"),
        ({"self_play": 0.0}, "full_state_critic: settings of self-play"),
    ],
    ids=str,
)
def test_where_it_cannot_be_it_is_refused(changes, says):
    with pytest.raises(ConfigError, match=says):
        TrainConfig(**{**SETTINGS.as_json(), **changes})
