"""Struggle for Rome as environments: PettingZoo, gymnasium, vector, OpenSpiel, records, copies."""

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

from romans_env import IllegalActionError, load_record, replay, save_record, struggle_v0
from tests.struggle.stages import BOARD, SETTINGS, Lcg

SHORT = {"max_rounds": 2, "max_offers": 1}


def finished(env, seed=0):
    """Play an environment at random to its end; what each agent got."""
    lcg, got = Lcg(seed), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        got[agent] += reward
        mask = observation["action_mask"]
        env.step(None if termination or truncation else int(lcg.pick(np.flatnonzero(mask).tolist())))
    return got


@pytest.mark.parametrize("players", [3, 4])
def test_pettingzoo_api(players):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(Observation|deprecated).*")
        api_test(struggle_v0.env(num_players=players), num_cycles=200)
        api_test(struggle_v0.raw_env(num_players=players), num_cycles=200)
        seed_test(lambda: struggle_v0.env(num_players=players), num_cycles=60)


def test_pettingzoo_make():
    env = pettingzoo.make("aec", "struggle_v0", **SHORT)
    env.reset(seed=1)
    assert env.unwrapped.metadata["name"] == "struggle_v0"
    finished(env)
    assert sum(env.unwrapped.returns().values()) == pytest.approx(0)
    pettingzoo.make("aec", "Struggle-v0", num_players=3, player_trade=False, reward="points").reset(seed=1)


@pytest.mark.parametrize("settings", SETTINGS)
def test_spaces_are_those_of_the_board(settings):
    env = struggle_v0.env(**settings)
    agents = [f"player_{seat}" for seat in range(settings.get("num_players", 4))]
    assert env.possible_agents == agents
    for agent in agents:
        assert env.action_space(agent).n == 399 == 186 + len(BOARD.hexes) + len(BOARD.crossroads)
        space = env.observation_space(agent)
        assert space["observation"].dtype == np.int16 and space["observation"].shape == (2120,)
        assert space["action_mask"].shape == (399,)
    env.reset(seed=2)
    assert all(env.observation_space(agent).contains(env.observe(agent)) for agent in agents)
    assert env.state_space.contains(env.state())
    acting = env.agent_selection
    assert all(env.observe(agent)["action_mask"].any() == (agent == acting) for agent in agents)


@pytest.mark.parametrize("make", [struggle_v0.raw_env, struggle_v0.env])
@pytest.mark.parametrize("players", [3, 4])
def test_rewards(make, players):
    for seed in range(3):
        env = make(num_players=players, max_rounds=6)
        env.reset(seed=seed)
        assert finished(env, seed) == env.unwrapped.returns()
        env = make(num_players=players, max_rounds=6, reward="points")
        env.reset(seed=seed)
        assert finished(env, seed) == env.unwrapped.game.points()
    with pytest.raises(ValueError, match="reward"):
        make(reward="gold")


def test_points_are_rewarded_as_they_change_those_of_the_end_included():
    env = struggle_v0.raw_env(num_players=3, reward="points")
    env.reset(seed=4)
    lcg = Lcg(4)
    while not all(env.terminations.values()):
        before = env.game.points()
        env.step(lcg.pick(env.legal_actions()))
        after = env.game.points()
        assert env.rewards == {agent: after[agent] - before[agent] for agent in env.possible_agents}


def test_illegal_actions():
    env = struggle_v0.raw_env()
    env.reset(seed=1)
    before = env.position()
    illegal = next(action for action in range(399) if action not in env.legal_actions())
    for action in (illegal, 399, -1, "plunder:carthago", 1000, None, 2.0, True):
        with pytest.raises(IllegalActionError):
            env.step(action)
        assert env.position() == before
    env = struggle_v0.env()
    env.reset(seed=1)
    offender = env.agent_selection
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(illegal)
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert all(env.terminations.values())


@pytest.mark.parametrize("settings", SETTINGS)
def test_records_and_copies(settings, tmp_path):
    env = struggle_v0.raw_env(**settings)
    env.reset(seed=5)
    lcg = Lcg(5)
    for number in range(40):
        if number == 25:
            twins = [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        env.step(lcg.pick(env.legal_actions()))
    for twin in twins:
        for _, action in env.game.actions[25:]:
            twin.step(action)
        assert twin.position() == env.position() and twin.deal() == env.deal()
    record = env.record()
    assert record["format"] == "struggle/1"
    defaults = {"num_players": 4, "player_trade": True, "max_offers": 3, "max_rounds": 60}
    assert record["table"] == defaults | settings
    save_record(record, tmp_path / "game.json")
    again = replay(load_record(tmp_path / "game.json"))
    assert again.position() == env.position() and json.dumps(again.record()) == json.dumps(record)
    other = struggle_v0.env(**settings)
    other.reset(options={"deal": env.deal()}, seed=1)
    outcomes = other.unwrapped.deal()["outcomes"]
    assert env.deal()["outcomes"][: len(outcomes)] == outcomes


def test_gymnasium_single():
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("Struggle-v0", opponents=["random"] * 3, seat=None, **SHORT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env.unwrapped, skip_render_check=True)
    seats = set()
    for seed in range(12):
        observation, info = env.reset(seed=seed)
        seats.add(info["seat"])
        terminated = False
        while not terminated:
            assert env.observation_space.contains(observation)
            observation, reward, terminated, _, info = env.step(int(info["action_mask"].argmax()))
        assert -1 / 3 - 1e-9 <= reward <= 1.0 and (reward > 0) <= info["won"]
    assert seats == {0, 1, 2, 3}
    env = gymnasium.make("Struggle-v0", opponents=["random"] * 2, seat=1, reward="points", max_rounds=6)
    _, info = env.reset(seed=3)
    total, terminated = 0.0, False
    while not terminated:
        _, reward, terminated, _, info = env.step(int(info["action_mask"].argmax()))
        total += reward
    assert total == info["points"]
    assert gymnasium.make("Struggle-v0").unwrapped.rules.num_players == 4


def test_gymnasium_vector():
    vector = gymnasium.make_vec("Struggle-v0", num_envs=4, opponents=["random"] * 2, **SHORT)
    observations, info = vector.reset(seed=3)
    assert observations.dtype == np.int16 and observations.shape == (4, 2120)
    ended = 0
    for _ in range(60):
        observations, rewards, over, _, info = vector.step(info["action_mask"].argmax(axis=1))
        assert vector.single_observation_space.contains(observations[0])
        assert not rewards[~over].any()
        ended += int(over.sum())
    assert ended > 4


def test_stable_baselines_vector():
    pytest.importorskip("stable_baselines3")
    from romans_env.envs.sb3 import RomansVecEnv

    env = RomansVecEnv(3, game="struggle", opponents=["random"] * 3, **SHORT)
    env.seed(1)
    observations = env.reset()
    assert observations.shape == (3, 2120)
    for _ in range(30):
        masks = env.action_masks()
        observations, _, _, _ = env.step(masks.argmax(axis=1))
    assert masks.shape == (3, 399) and (masks.sum(axis=1) >= 2).all()


def test_settings_there_are_not():
    with pytest.raises(ValueError, match="unknown setting 'players'; did you mean 'num_players'"):
        struggle_v0.env(players=3)
    with pytest.raises(ValueError, match="is a game for 3 or 4 players, not 2"):
        struggle_v0.single_env(opponents=["random"])
    with pytest.raises(ValueError, match="unknown setting 'variant'"):
        struggle_v0.vector_env(2, variant="vogel")
