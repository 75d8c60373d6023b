"""The gymnasium API: one seat for the learner, agents on the others, and all that ``gymnasium.make`` promises."""

import json
import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as check_env_of_sb3
from stable_baselines3.common.env_util import make_vec_env

from romans_env import RomansGoHome, View
from romans_env.core.games import spec_of
from romans_env.render.romans_go_home.text import transcript
from romans_env.romans_go_home.material import DEFAULT_FORT_DECK
from tests.envs.playing import Chooser, settings_of
from tests.tools import Lcg


def make(table=(2, 0), opponent="random", **settings):
    """The environment of a table, with the same opponent on every other seat."""
    return gymnasium.make("RomansGoHome-v0", **{**settings_of(table, opponent), **settings})


def legal(env):
    return env.unwrapped.legal_actions()


def play(env, seed=0, stop_after=None):
    """Play the learner at random; the rewards of its steps, and what the last one gave."""
    lcg, rewards, last = Lcg(seed), [], None
    while len(rewards) != stop_after:
        last = env.step(lcg.pick(legal(env)))
        rewards.append(last[1])
        if last[2]:
            break
    return rewards, last


def test_the_checkers_of_gymnasium_and_stable_baselines3():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "an illegal action ended an episode")  # they play any action
        warnings.filterwarnings("ignore", ".*render_mode='human' prints text")  # in every render mode
        check_env(make((2, 1), reward="points", seat=0).unwrapped)
        check_env_of_sb3(make(), warn=True)
    many = make_vec_env("RomansGoHome-v0", n_envs=2, seed=1, env_kwargs={"opponents": ["random"]})
    assert many.reset().shape == (2, many.observation_space.shape[0])
    assert many.env_method("action_masks")[0].any()


def test_defaults():
    env, met = gymnasium.make("RomansGoHome-v0"), set()
    raw = env.unwrapped
    for seed in range(20):
        env.reset(seed=seed)
        met.update(raw.record()["agents"].values())
    assert met == set(spec_of("romans-go-home").default_pool)
    assert env.spec.id == "RomansGoHome-v0"
    assert env.render_mode is None
    assert raw.rules == RomansGoHome()
    assert raw.record()["agents"].keys() == {"player_0", "player_1"} - {raw.player}
    assert isinstance(env.action_space, gymnasium.spaces.Discrete)
    assert env.action_space.n == 56
    # The number of players alone is enough.
    env = gymnasium.make("RomansGoHome-v0", num_players=3).unwrapped
    env.reset(seed=1)
    assert len(env.record()["agents"]) == len(env.opponents) == 2
    assert len(gymnasium.make_vec("RomansGoHome-v0", num_envs=2, num_players=4).reset(seed=1)[0]) == 2


def test_settings_make_the_table():
    deck = ["tax-8" if fort == "dinary-6" else fort for fort in DEFAULT_FORT_DECK]
    env = gymnasium.make(
        "RomansGoHome-v0", opponents=["greedy", "random"], num_neutrals=1, variant="vogel", fort_deck=deck, seat=1
    )
    env.reset(seed=2)
    record = env.unwrapped.record()
    assert record["table"].pop("fort_deck").count("tax-8") == 2
    assert record["table"] == {"num_players": 3, "num_neutrals": 1, "variant": "vogel"}
    assert record["agents"] == {"player_2": "greedy", "player_0": "random"}  # from the learner's left on
    assert sorted(record["deal"]["forts"]) == sorted(deck)


def test_opponents_from_a_pool():
    env = gymnasium.make("RomansGoHome-v0", opponents=["random", "greedy"], mix_opponents=True, num_players=3, seat=0)
    met = set()
    for seed in range(20):
        env.reset(seed=seed)
        met.add(tuple(env.unwrapped.record()["agents"].values()))
    assert met == {(one, other) for one in ("random", "greedy") for other in ("random", "greedy")}
    env.reset(seed=19)
    assert tuple(env.unwrapped.record()["agents"].values()) in met


@pytest.mark.parametrize("seat", range(4))
def test_opponents_sit_from_the_learners_left_on(seat):
    opponents = [Chooser() for _ in range(3)]
    env = gymnasium.make("RomansGoHome-v0", opponents=opponents, seat=seat)
    env.reset(seed=3)
    play(env)
    assert [opponent.seats for opponent in opponents] == [{(seat + k) % 4} for k in (1, 2, 3)]
    assert all(opponent.given == {View} for opponent in opponents)  # never the game
    many = [Chooser() for _ in range(3)]
    vector = gymnasium.make_vec("RomansGoHome-v0", 2, opponents=many, seat=seat)
    vector.reset(seed=51)
    for _ in range(20):
        vector.step(vector.unwrapped.action_masks().argmax(axis=1))
    assert [opponent.seats for opponent in many] == [{(seat + k) % 4} for k in (1, 2, 3)]


def test_random_opponents_draw_anew_in_every_game():
    env = make(seat=0)
    env.reset(seed=9)
    deal = env.unwrapped.deal()
    lines = set()
    for _ in range(5):
        env.reset(options={"deal": deal})
        play(env, seed=1, stop_after=6)
        lines.add(json.dumps(env.unwrapped.position()["clans"]["player_1"]))
    assert len(lines) > 1


@pytest.mark.usefixtures("no_screen")
def test_human_rendering_prints_everything_once_where_there_is_no_screen(capsys):
    with pytest.warns(UserWarning, match="a window needs a screen"):
        env = make(render_mode="human")
    env.reset(seed=23)
    printed = capsys.readouterr().out
    assert "Round 1" in printed
    over = False
    while not over:
        over = env.step(legal(env)[0])[2]
        more = capsys.readouterr().out
        assert over or "decides: " in more
        printed += more
    told = transcript(env.unwrapped.game, env.unwrapped.player).splitlines()
    for line in told:
        if line.strip().startswith("Round") or "captures" in line:
            assert printed.splitlines().count(line) == told.count(line)
