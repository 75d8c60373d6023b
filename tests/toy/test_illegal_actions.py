"""What an illegal action does: it ends the game, or a legal action is played in its place."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from hypothesis import given
from hypothesis import strategies as st

from romans_env.envs.illegal_actions import replacement_of
from romans_env.envs.sb3 import RomansVecEnv

ID, NUM_GAMES = "DiceRace-v0", 4
REPLACED = {"illegal_actions": "replace"}


def make(mode=AutoresetMode.NEXT_STEP, **settings):
    return gymnasium.make_vec(ID, NUM_GAMES, opponents=["random"], autoreset_mode=mode, turns=6, **settings)


def test_the_reward_of_an_illegal_action():
    for settings, expected in (({}, -1.0), ({"illegal_reward": -2.5}, -2.5), ({"illegal_reward": 0}, 0.0)):
        single = gymnasium.make(ID, opponents=["random"], **settings)
        single.reset(seed=1)
        _, reward, terminated, _, info = single.step(-1)
        assert (reward, terminated, info["illegal_action"]) == (expected, True, 1)
        many = make(AutoresetMode.SAME_STEP, **settings)
        many.reset(seed=1)
        _, rewards, _, _, info = many.step(np.full(NUM_GAMES, -1))
        assert rewards.tolist() == [expected] * NUM_GAMES and not info["final_info"]["_won"].any()


@pytest.mark.parametrize("wrong", ["random", None, True])
def test_an_unknown_way_with_illegal_actions(wrong):
    for environment in (lambda: gymnasium.make(ID, illegal_actions=wrong), lambda: make(illegal_actions=wrong)):
        with pytest.raises(ValueError, match="illegal_actions is one of 'end', 'replace', not"):
            environment()


def test_one_warning_that_the_reward_equals_a_loss():
    env = make(AutoresetMode.SAME_STEP)
    env.reset(seed=1)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("default")
        for _ in range(3):
            env.step(np.full(NUM_GAMES, -1))
    assert len(warned) == 1 and "equals a lost game" in str(warned[0].message)
    gentle = make(AutoresetMode.SAME_STEP, illegal_reward=-0.1)
    gentle.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gentle.step(np.full(NUM_GAMES, -1))


def many_replaced(num_games, seed, steps=60, **settings):
    """Rewards, ends and marks of games in which every third action is illegal, one list for each game."""
    env = gymnasium.make_vec(ID, num_games, opponents=["random"], turns=6, **REPLACED, **settings)
    _, info = env.reset(seed=seed)
    rows = []
    for step in range(steps):
        legal = info["action_mask"].argmax(axis=1)
        _, rewards, ended, _, info = env.step(np.where((step + legal) % 3 == 0, 100, legal))
        marks = info.get("illegal_action", np.zeros(num_games, dtype=np.int64))
        rows.append(list(zip(rewards.tolist(), ended.tolist(), marks.tolist(), strict=True)))
    return list(zip(*rows, strict=True))


def test_a_legal_action_is_played_instead_and_costs_what_is_asked_for():
    for settings, cost in (({}, 0.0), ({"illegal_reward": -0.25}, -0.25)):
        env = gymnasium.make(ID, opponents=["random"], **REPLACED, **settings)
        env.reset(seed=3)
        game, rewards, terminated = env.unwrapped.game, [], False
        while not terminated:
            _, reward, terminated, _, info = env.step(100)
            assert info["illegal_action"] == 1
            rewards.append(reward)
        assert len(rewards) == 5 and rewards[:-1] == [cost] * 4
        assert rewards[-1] == game.returns()[env.unwrapped.player] + cost
        env.reset(seed=3)
        env.step(env.unwrapped.legal_actions()[0])
        assert "illegal_action" not in env.step(env.unwrapped.legal_actions()[0])[4]


@given(st.integers(1, 100).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1), min_size=1))))
def test_every_illegal_action_has_one_legal_action_in_its_place(drawn):
    num_actions, legal = drawn
    found = [replacement_of(action, sorted(legal), num_actions) for action in range(num_actions)]
    assert {action: found[action] for action in legal} == {action: action for action in legal}
    assert set(found) == legal


@pytest.mark.parametrize("action", [100, -1, 12_345])
def test_many_games_replace_as_one(action):
    careless, careful = make(**REPLACED), make(**REPLACED)
    _, info = careless.reset(seed=4)
    careful.reset(seed=4)
    for _ in range(12):
        legal = [np.flatnonzero(mask) for mask in info["action_mask"]]
        size = info["action_mask"].shape[1]
        instead = [replacement_of(action, ids, size) if len(ids) else 0 for ids in legal]
        seen, rewards, ended, _, info = careless.step(np.full(NUM_GAMES, action))
        same = careful.step(np.array(instead))
        assert seen.tolist() == same[0].tolist() and rewards.tolist() == same[1].tolist()
        assert ended.tolist() == same[2].tolist()


@pytest.mark.parametrize("reward", ["win", "points"])
@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_what_replaced_actions_cost_in_many_games(mode, reward):
    costly, free = (many_replaced(4, 9, reward=reward, illegal_reward=cost, autoreset_mode=mode) for cost in (-0.5, 0))
    marks = 0
    for with_cost, without in zip(costly, free, strict=True):
        for (reward_now, ended, mark), (reward_then, ended_then, mark_then) in zip(with_cost, without, strict=True):
            assert (ended, mark) == (ended_then, mark_then)
            assert reward_now == reward_then - 0.5 * mark
            marks += mark
    assert marks > 40 and any(ended for row in free for _, ended, _ in row)


def test_replaced_actions_in_stable_baselines3():
    env = RomansVecEnv(3, opponents=["random"], game="dice-race", seed=2, turns=6, illegal_reward=-1, **REPLACED)
    env.reset()
    for _ in range(2):
        _, rewards, dones, infos = env.step(np.array([100, 0, -1]))
        assert [info.get("illegal_action", 0) for info in infos] == [1, 0, 1] and not dones.any()
        assert rewards.tolist() == [-1, 0, -1]
    _, _, dones, infos = env.step(np.array([100, 0, -1]))
    assert dones.all() and [info.get("illegal_action", 0) for info in infos] == [1, 0, 1]
