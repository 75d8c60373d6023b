"""The gymnasium vector environment: many games at once, each of them the game that its seed and its deal say."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_env import Table
from romans_env.romans_go_home.chance import deal_as_json
from romans_env.romans_go_home.observation import OBSERVATION_SIZE, SLICE_BY_NAME
from tests.envs.playing import choice, choices, in_python, settings_of
from tests.romans_go_home.stages import COVERING, table_id


def make(num_envs, table=(2, 0), opponent="random", **settings):
    """The environment of a table, with the same opponent on every other seat."""
    return gymnasium.make_vec("RomansGoHome-v0", num_envs, **{**settings_of(table, opponent), **settings})


def played(env, steps, observations=None, seed=None):
    """Steps of an environment, played by ``choices``; yields what each gave, the reset first."""
    if observations is None:
        observations, info = env.reset(seed=seed)
        yield observations, info
    for _ in range(steps):
        given = env.step(choices(observations, env.action_masks()))
        observations = given[0]
        yield given


def as_lists(env, steps, seed=None):
    """What every game of an environment gave, step by step: plain data, one list a game."""
    games = [[] for _ in range(env.num_envs)]
    for observations, *rest in played(env, steps, seed=seed):
        for i, game in enumerate(games):
            info = rest[-1]
            game.append((observations[i].tobytes(), info["action_mask"][i].tobytes()))
            if len(rest) > 1:
                game.append((float(rest[0][i]), bool(rest[1][i])))
            if "final_obs" in info and info["_final_obs"][i]:
                game.append(info["final_obs"][i].tobytes())
    return games


@pytest.mark.parametrize("reward", ["win", "points"])
@pytest.mark.parametrize("table", COVERING[1::2], ids=table_id)
def test_a_game_of_the_batch_is_the_single_environments_game_of_its_deal(table, reward):
    env = make(6, table, opponent="greedy", reward=reward)
    settings = {**settings_of(table, "greedy"), "reward": reward}
    _, info = env.reset(seed=3)
    deals = [deal_as_json(env._batch.states[i], Table(*table)) for i in range(6)]
    seats = info["seat"].tolist()
    batch = as_lists(env, 60, seed=3)
    for i, deal in enumerate(deals):
        single = gymnasium.make("RomansGoHome-v0", **settings, seat=seats[i]).unwrapped
        observation, info = single.reset(options={"deal": deal})
        game, over = [(observation.tobytes(), info["action_mask"].tobytes())], False
        while not over:
            observation, its_reward, over, _, info = single.step(choice(observation, info["action_mask"]))
            if not over:
                game += [(observation.tobytes(), info["action_mask"].tobytes()), (its_reward, False)]
        # The last step of the batch shows the next game's start, and the reward of this one, whose end it keeps.
        length = len(game)
        assert batch[i][:length] == game
        assert batch[i][length + 1] == (np.float32(its_reward), True)
        assert batch[i][length + 2] == observation.tobytes()


@pytest.mark.parametrize(
    "settings", [{"opponents": ["random"] * 2}, {"opponents": ["random", "greedy"], "mix_opponents": True}]
)
def test_a_game_is_the_same_whatever_the_number_of_games_and_threads(settings):
    large = as_lists(make(8, (3, 0), **settings), 60, seed=10)
    assert as_lists(make(8, (3, 0), threads=3, **settings), 60, seed=10) == large
    assert as_lists(make(3, (3, 0), threads=2, **settings), 60, seed=10) == large[:3]
    assert as_lists(make(1, (3, 0), **settings), 60, seed=17) == large[7:]
    assert len({str(game) for game in large}) == 8


def test_fixed_and_random_seats():
    own_seat = SLICE_BY_NAME["own_seat"]
    observations, _ = make(200, (4, 0)).reset(seed=31)
    counts = observations[:, own_seat].sum(axis=0)
    assert counts.min() >= 30
    assert counts.sum() == 200
    observations, _ = make(50, (4, 0), seat=2).reset(seed=31)
    assert observations[:, own_seat].sum(axis=0).tolist() == [0, 0, 50, 0]


@pytest.mark.parametrize("reward", ["win", "points"])
def test_greedy_in_python_plays_the_games_of_the_compiled_one(reward):
    opponents = ("greedy", in_python(GreedyAgent)())
    compiled, asked = (as_lists(make(8, (3, 1), one, reward=reward), 60, seed=50) for one in opponents)
    assert asked == compiled


def test_rendering_is_what_the_learner_may_see():
    env = make(3, render_mode="ansi")
    _, info = env.reset(seed=2)
    assert env.np_random_seed == 2  # gymnasium's own generator has the seed, too
    for text, seat in zip(env.render(), info["seat"], strict=True):
        assert f"player_{seat} decides: discard" in text
        assert text.count("? ? ? ? ? ?") == 1  # the other's hand or line
    with pytest.raises(ValueError, match=r"render_mode is one of \[None, 'ansi', 'rgb_array'\]"):
        make(3, render_mode="human")
    with pytest.raises(ValueError, match="one seed for each of the 3 games"):
        env.reset(seed=[1, 2])
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before render\(\)"):
        make(2, render_mode="rgb_array").render()


def test_gymnasiums_own_vector_environment_takes_the_single_one():
    env = gymnasium.make_vec("RomansGoHome-v0", num_envs=2, opponents=["random"], vectorization_mode="sync")
    observations, info = env.reset(seed=71)
    ended = 0
    for _ in range(80):
        # It resets in the step after the end, where nothing is legal and any action will do.
        observations, _, terminations, _, info = env.step(info["action_mask"].argmax(axis=1))
        assert observations.shape == (2, OBSERVATION_SIZE)
        assert "illegal_action" not in info
        ended += terminations.sum()
    assert ended >= 2
