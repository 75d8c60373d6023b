"""The stable-baselines3 environment: a ``VecEnv`` that learners, monitors and maskable policies take as it is."""

import gymnasium
import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from romans_env.envs.sb3 import RomansVecEnv
from tests.envs.playing import Chooser, choices, settings_of
from tests.romans_go_home.stages import COVERING, table_id


def make(num_envs, table=(2, 0), opponent="random", **settings):
    """The environment of a table, with the same opponent on every other seat."""
    return RomansVecEnv(num_envs, **{**settings_of(table, opponent), **settings})


def steps(env, number):
    """Steps of an environment from its reset, played by ``choices``."""
    observations = env.reset()
    for _ in range(number):
        given = env.step(choices(observations, env.action_masks()))
        observations = given[0]
        yield given


def test_masks_for_maskable_policies():
    env = make(3, seed=2)
    env.reset()
    masks = env.action_masks()
    assert masks.shape == (3, 56)
    assert masks[:, :8].any()
    assert not masks[:, 8:].any()
    assert is_masking_supported(env)
    assert (get_action_masks(env) == masks).all()
    assert [mask.tolist() for mask in env.env_method("action_masks", indices=[2, 0])] == masks[[2, 0]].tolist()
    assert env.has_attr("action_masks") and not env.has_attr("conquer")
    assert env.get_attr("num_envs", indices=[0, 1]) == [3, 3] and env.env_is_wrapped(VecMonitor) == [False] * 3
    with pytest.raises(AttributeError, match="'conquer'"):
        env.env_method("conquer")


@pytest.mark.parametrize("reward", ["win", "points"])
@pytest.mark.parametrize("table", COVERING[::2], ids=table_id)
def test_both_vector_environments_play_the_same_games(table, reward):
    # Those of the vector environment are the games of the single one, and start again in the step in which they end.
    settings = {**settings_of(table, "greedy"), "reward": reward}
    vector, env = gymnasium.make_vec("RomansGoHome-v0", num_envs=5, **settings), RomansVecEnv(5, **settings, seed=11)
    theirs, _ = vector.reset(seed=11)
    mine = env.reset()
    returns, lengths = np.zeros(5), np.zeros(5, dtype=int)
    for _ in range(60):
        assert mine.tolist() == theirs.tolist()
        assert (env.action_masks() == vector.action_masks()).all()
        actions = choices(mine, env.action_masks())
        mine, rewards, dones, infos = env.step(actions)
        theirs, *given, final = vector.step(actions)
        assert (rewards.tolist(), dones.tolist()) == (given[0].tolist(), given[1].tolist())
        returns += rewards
        lengths += 1
        for i, info in enumerate(infos):
            if not dones[i]:
                assert info == {}
                continue
            assert set(info) == {
                "terminal_observation",
                "TimeLimit.truncated",
                "episode",
                "points",
                "won",
                "is_success",
                "seat",
            }
            assert info["TimeLimit.truncated"] is False
            assert info["terminal_observation"].tolist() == final["final_obs"][i].tolist()
            assert (info["episode"]["r"], info["episode"]["l"]) == (pytest.approx(returns[i]), lengths[i])
            returns[i] = lengths[i] = 0


def test_every_seat_is_drawn_from_the_pool_by_itself():
    first, second = Chooser(), Chooser()
    env = make(1, opponents=[first, second], mix_opponents=True, num_players=3, seat=0, seed=51)
    acted, kinds = (0, 0), {"first": 0, "second": 0, "both": 0}
    for _, _, dones, _ in steps(env, 3000):
        if dones[0]:
            played = first.acts > acted[0], second.acts > acted[1]
            kinds["both" if all(played) else "first" if played[0] else "second"] += 1
            acted = first.acts, second.acts
    number = sum(kinds.values())
    assert number > 100
    for kind, share in (("both", 0.5), ("first", 0.25), ("second", 0.25)):
        assert abs(kinds[kind] / number - share) < 4 * np.sqrt(share * (1 - share) / number)


def test_maskable_ppo_learns_and_evaluates_on_it_in_a_monitor():
    env = VecMonitor(make(4, opponents=["random", "greedy"], mix_opponents=True, num_players=2, seed=70))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu").learn(256)
    assert model.num_timesteps == 256 and env.episode_count == len(model.ep_info_buffer) > 4
    assert 0 <= model.logger.name_to_value["rollout/success_rate"] <= 1
    returns, lengths = evaluate_policy(model, env, n_eval_episodes=6, return_episode_rewards=True)
    assert len(returns) == 6 and min(lengths) > 8
