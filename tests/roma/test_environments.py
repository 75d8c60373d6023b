"""Roma as environments: PettingZoo, gymnasium, vector, records, copies."""

from __future__ import annotations

import copy
import json
import pickle
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

from romans_env import IllegalActionError, load_record, replay, roma_v0, save_record
from romans_env.render.replays import replay_page
from tests.roma.stages import PLAYERS, Lcg


def finished(env, seed=0):
    """Play an environment at random to its end; what each agent got."""
    lcg, got = Lcg(seed), dict.fromkeys(PLAYERS, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        got[agent] += reward
        mask = observation["action_mask"]
        env.step(None if termination or truncation else int(lcg.pick(np.flatnonzero(mask).tolist())))
    return got


def test_pettingzoo_api():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(Observation|deprecated).*")
        api_test(roma_v0.env(), num_cycles=200)
        api_test(roma_v0.raw_env(), num_cycles=200)
        seed_test(roma_v0.env, num_cycles=60)


def test_pettingzoo_make():
    env = pettingzoo.make("aec", "roma_v0")
    env.reset(seed=1)
    assert env.unwrapped.metadata["name"] == "roma_v0"
    finished(env)
    assert sum(env.unwrapped.returns().values()) == 0
    pettingzoo.make("aec", "Roma-v0", reward="points").reset(seed=1)


def test_spaces():
    env = roma_v0.env()
    for agent in PLAYERS:
        assert env.action_space(agent).n == 301
        space = env.observation_space(agent)
        assert space["observation"].dtype == np.int16 and space["action_mask"].shape == (301,)
    env.reset(seed=2)
    assert all(env.observation_space(agent).contains(env.observe(agent)) for agent in PLAYERS)
    assert env.state_space.contains(env.state())
    assert not env.observe("player_1")["action_mask"].any()


@pytest.mark.parametrize("make", [roma_v0.raw_env, roma_v0.env])
def test_rewards(make):
    for seed in range(4):
        env = make()
        env.reset(seed=seed)
        assert finished(env, seed) == env.unwrapped.returns()
        env = make(reward="points")
        env.reset(seed=seed)
        got = finished(env, seed)
        assert got == {agent: points - 10 for agent, points in env.unwrapped.game.points().items()}
    with pytest.raises(ValueError, match="reward"):
        make(reward="money")


def test_illegal_actions():
    env = roma_v0.raw_env()
    env.reset(seed=1)
    before = env.position()
    for action in (195, 300, "give:forumm", "end", 1000, None):
        with pytest.raises(IllegalActionError):
            env.step(action)
        assert env.position() == before
    env = roma_v0.env()
    env.reset(seed=1)
    env.step(195)
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0} and all(env.terminations.values())


def test_records_and_copies(tmp_path):
    env = roma_v0.raw_env()
    env.reset(seed=5)
    lcg = Lcg(5)
    for number in range(30):
        if number == 20:
            twins = [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        env.step(lcg.pick(env.legal_actions()))
    actions = env.game.actions[20:]
    for twin in twins:
        for _, action in actions:
            twin.step(action)
        assert twin.position() == env.position() and twin.deal() == env.deal()
    save_record(env.record(), tmp_path / "game.json")
    again = replay(load_record(tmp_path / "game.json"))
    assert again.position() == env.position() and json.dumps(again.record()) == json.dumps(env.record())
    other = roma_v0.env()
    other.reset(options={"deal": env.deal()}, seed=1)
    assert other.unwrapped.deal()["outcomes"] == env.deal()["outcomes"][:8]


def test_gymnasium_single():
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("Roma-v0", opponents=["random"], seat=None)
    check_env(env.unwrapped, skip_render_check=True)
    seats, ended = set(), 0
    for seed in range(8):
        observation, info = env.reset(seed=seed)
        seats.add(info["seat"])
        terminated = False
        while not terminated:
            assert env.observation_space.contains(observation)
            observation, reward, terminated, _, info = env.step(int(info["action_mask"].argmax()))
        assert reward in (-1.0, 0.0, 1.0) and (reward == 1.0) <= info["won"]
        ended += 1
    assert seats == {0, 1} and ended == 8
    env = gymnasium.make("Roma-v0", opponents=["random"], seat=1, reward="points")
    _, info = env.reset(seed=3)
    total, terminated = 0.0, False
    start = env.unwrapped.game.points()["player_1"]
    while not terminated:
        _, reward, terminated, _, info = env.step(int(info["action_mask"].argmax()))
        total += reward
    assert start + total == info["points"]


def test_gymnasium_vector():
    vector = gymnasium.make_vec("Roma-v0", num_envs=5, opponents=["random"])
    observations, info = vector.reset(seed=3)
    assert observations.dtype == np.int16 and observations.shape == (5, 564)
    ended = 0
    for _ in range(150):
        observations, rewards, over, _, info = vector.step(info["action_mask"].argmax(axis=1))
        assert vector.single_observation_space.contains(observations[0])
        assert set(rewards[over].tolist()) <= {-1.0, 0.0, 1.0} and not rewards[~over].any()
        ended += int(over.sum())
    assert ended >= 3


def test_games_are_shown():
    env = roma_v0.raw_env(render_mode="ansi")
    env.reset(seed=1)
    env.step(env.legal_actions()[0])
    assert "pile 44" in env.render() and "player_0 puts" in env.render()
    pixels = roma_v0.raw_env(render_mode="rgb_array")
    pixels.reset(seed=1)
    assert pixels.render().shape[1:] == (600, 3)
    page = replay_page(env.game, viewer="player_1").html
    assert "Roma" in page and "player_0 give" not in page


def test_settings_there_are_not():
    with pytest.raises(ValueError, match="unknown setting 'num_players'; the settings are reward, render_mode"):
        roma_v0.env(num_players=3)
    with pytest.raises(ValueError, match="Roma is a game for 2 players"):
        roma_v0.single_env(opponents=["random", "random"])
    with pytest.raises(
        ValueError, match=r"unknown setting 'variant'; the settings are num_envs, opponents, .*render_mode"
    ):
        roma_v0.vector_env(2, variant="vogel")
