"""The gymnasium API: one seat for the learner, agents on the others, and all that ``gymnasium.make`` promises."""

from __future__ import annotations

import copy
import json
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env as check_env_of_sb3
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.monitor import Monitor

from romans_agents import RandomAgent, UnknownAgentError
from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_env import GameOverError, RomansGoHome, View
from romans_env.games import spec_of
from romans_env.render.romans_go_home.text import transcript
from romans_env.romans_go_home.material import DEFAULT_FORT_DECK
from tests.envs.playing import COPIES, Chooser, settings_of
from tests.envs.wrong_settings import WRONG_SETTINGS
from tests.romans_go_home.stages import COVERING, random_game, table_id
from tests.tools import Lcg, state_bytes

REWARDS = ("win", "points")


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


# -- the checkers of the libraries


@pytest.mark.parametrize("table", COVERING[::2], ids=table_id)
def test_the_checkers_of_gymnasium_and_stable_baselines3(table):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "an illegal action ended an episode")  # they play any action
        warnings.filterwarnings("ignore", ".*render_mode='human' prints text")  # in every render mode
        check_env(make(table, reward="win").unwrapped)
        check_env(make(table, reward="points", seat=0).unwrapped)
        check_env_of_sb3(make(table), warn=True)


def test_the_masks_are_found_by_sb3_contrib():
    env = make((2, 1))
    env.reset(seed=1)
    assert is_masking_supported(env)
    assert np.flatnonzero(get_action_masks(env)).tolist() == legal(env)


# -- settings


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


def test_the_info_at_the_end_says_who_won():
    for seed in range(6):
        env = Monitor(make(seat=0))
        env.reset(seed=seed)
        _, (*_, info) = play(env, seed)
        assert info["is_success"] == info["won"] == int("player_0" in env.unwrapped.winners())
        assert info["points"] == env.unwrapped.game.points()["player_0"]


@pytest.mark.parametrize("seat", range(4))
def test_opponents_sit_from_the_learners_left_on(seat):
    opponents = [Chooser() for _ in range(3)]
    env = gymnasium.make("RomansGoHome-v0", opponents=opponents, seat=seat)
    env.reset(seed=3)
    play(env)
    assert [opponent.seats for opponent in opponents] == [{(seat + k) % 4} for k in (1, 2, 3)]
    assert all(opponent.given == {View} for opponent in opponents)  # never the game


@pytest.mark.parametrize(
    ("settings", "error", "why"),
    [
        *(wrong for wrong in WRONG_SETTINGS if "num_envs" not in wrong[0]),
        ({"seat": "0"}, ValueError, "seat is None .* or 0 to 1, not '0'"),
        ({"opponents": ["greedy:iq=3"]}, UnknownAgentError, "agent 'greedy' has no option 'iq=3'"),
        ({"opponents": ["nowhere.npz"]}, ValueError, "cannot read the policy file nowhere.npz"),
        ({"opponents": []}, ValueError, "no table has 1 players and 0 neutrals.*the learner and its opponents, here 1"),
        ({"opponents": [GreedyAgent]}, TypeError, "give an object of that class"),
        ({"opponents": [3]}, TypeError, "an agent spec or a romans_agents.Agent, not 3"),
        ({"fort_deck": ["tax-8"] * 18}, ValueError, "4 Legion forts"),
    ],
)
def test_wrong_settings_are_refused_in_one_line(settings, error, why):
    with pytest.raises(error, match=why) as refused:
        gymnasium.make("RomansGoHome-v0", **settings)
    assert "\n" not in str(refused.value)


def test_a_wrong_render_mode_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # gymnasium warns before it asks the environment
        with pytest.raises(ValueError, match="render_mode is None or one of"):
            gymnasium.make("RomansGoHome-v0", render_mode="hologram")


# -- observations and masks


@pytest.mark.parametrize("table", COVERING, ids=table_id)
def test_observations_and_masks(table):
    env = make(table)
    assert (env.observation_space, env.action_space) == (make().observation_space, make().action_space)
    observation, info = env.reset(seed=4)
    raw, lcg, over = env.unwrapped, Lcg(4), False
    while not over:
        assert env.observation_space.contains(observation)
        assert observation.tolist() == raw.game.observation(raw.player).tolist()
        assert raw.game.agent_to_act == raw.player
        assert info["seat"] == raw.seat
        assert info["action_mask"].dtype == np.int8
        assert info["action_mask"].shape == (56,)
        assert np.flatnonzero(info["action_mask"]).tolist() == legal(env)
        masks = raw.action_masks()
        assert masks.dtype == np.bool_
        assert masks.tolist() == info["action_mask"].astype(bool).tolist()
        assert len(legal(env)) > 1
        observation, reward, over, truncated, info = env.step(lcg.pick(legal(env)))
        assert type(reward) is float
        assert type(over) is bool
        assert truncated is False
    assert env.observation_space.contains(observation)
    assert not info["action_mask"].any()
    assert not raw.action_masks().any()


# -- rewards and the end


@pytest.mark.parametrize("reward", REWARDS)
def test_an_illegal_action_ends_the_episode_with_the_loss(reward):
    env = make((2, 1), reward=reward)
    env.reset(seed=5)
    play(env, stop_after=8)
    raw = env.unwrapped
    before, not_now = state_bytes(raw.game), min(set(range(56)) - set(legal(env)))
    for action in (-1, 56, 1000, np.array([-1]), not_now):
        env.reset(seed=5)
        play(env, stop_after=8)
        observation, earned, terminated, truncated, info = raw.step(action)
        assert (earned, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, 1)
        assert not info["action_mask"].any()
        assert not raw.action_masks().any()
        assert env.observation_space.contains(observation)
        assert state_bytes(raw.game) == before
        assert raw.legal_actions() == []
        with pytest.raises(GameOverError, match="reset"):
            raw.step(0)
    env.reset()
    assert "illegal_action" not in env.step(legal(env)[0])[4]


def test_what_is_no_integer_is_refused():
    env = make()
    env.reset(seed=5)
    before = state_bytes(env.unwrapped.game)
    for action in (None, "axx:keep", 1.5, np.zeros(2, dtype=int), True, np.bool_(True)):
        with pytest.raises(TypeError, match="an action is an integer, not"):
            env.unwrapped.step(action)
    assert state_bytes(env.unwrapped.game) == before
    env.step(np.array([legal(env)[0]]))


def test_a_step_after_the_end():
    env = make()
    env.reset(seed=6)
    play(env)
    for action in (0, None):
        with pytest.raises(GameOverError, match="reset"):
            env.step(action)


def test_nothing_before_the_first_reset():
    raw = make().unwrapped
    for look in (raw.legal_actions, raw.deal, raw.position, raw.record, raw.winners, lambda: raw.view("player_0")):
        with pytest.raises(RuntimeError, match="reset"):
            look()
    with pytest.raises(GameOverError, match="reset"):
        raw.step(0)
    assert not raw.action_masks().any()


# -- seeds and seats


@pytest.mark.parametrize(("opponent", "seat"), [("random", None), ("greedy", 0)])
def test_the_same_seed_is_the_same_game(opponent, seat):
    def records(seed):
        env = make((3, 0), opponent=opponent, seat=seat)
        env.reset(seed=seed)
        found = []
        for number in range(3):  # the seed decides the games of later resets, too
            play(env, number)
            found.append(env.unwrapped.record())
            env.reset()
        return found

    first = records(7)
    assert records(7) == first
    assert len({json.dumps(record) for record in (*first, *records(8))}) == 6


def test_without_a_seed_games_differ():
    deals = set()
    for _ in range(3):
        env = make()
        env.reset()
        deals.add(json.dumps(env.unwrapped.deal()))
    assert len(deals) == 3


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


def test_a_fixed_seat_and_every_seat():
    env = make((4, 0), seat=None)
    env.reset(seed=10)
    seats = []
    for _ in range(80):
        seats.append(env.reset()[1]["seat"])
        assert env.unwrapped.game.seat_to_act == seats[-1]
    assert min(seats.count(seat) for seat in range(4)) >= 8  # 20 expected; 8 is 3 standard deviations off
    fixed = make((4, 0), seat=2)
    assert {fixed.reset(seed=seed)[1]["seat"] for seed in range(10)} == {2}


# -- deals and records


def test_a_given_deal_is_played():
    deal = random_game((2, 1, "vogel"), seed=11).deal()
    env = make((2, 1, "vogel"))
    env.reset(seed=12, options={"deal": json.loads(json.dumps(deal))})
    assert env.unwrapped.deal() == deal
    play(env)
    assert env.unwrapped.record()["deal"] == deal
    env.reset()
    assert env.unwrapped.deal() != deal


def test_a_bad_deal_leaves_the_game_in_progress():
    env = make()
    env.reset(seed=13)
    play(env, stop_after=7)
    twin = copy.deepcopy(env)
    # What else is wrong with a deal is tested where it is read.
    for deal, why in (("a deal", "an object with the keys"), (random_game((3, 0), seed=1).deal(), "exactly the clans")):
        with pytest.raises(ValueError, match=why):
            env.reset(seed=14, options={"deal": deal})
    assert env.unwrapped.record() == twin.unwrapped.record()
    assert play(env, 3)[0] == play(twin, 3)[0]
    env.reset()
    twin.reset()
    assert env.unwrapped.deal() == twin.unwrapped.deal()


# -- copies


@pytest.mark.parametrize("stop_after", [0, 9, None])
@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_carries_the_game_in_progress(copied, stop_after):
    env = make((3, 1, "vogel"), opponent="random", reward="points")
    env.reset(seed=16)
    play(env, stop_after=stop_after)
    record = env.unwrapped.record()
    twin, other = copied(env), copied(env)
    assert twin.unwrapped.record() == record
    if stop_after is None:
        with pytest.raises(GameOverError):
            twin.step(0)
    else:
        play(other, seed=18)  # what happens in one copy is nothing to the others
        assert env.unwrapped.record() == record
        # the chance of the opponents goes on alike, too
        assert play(env, seed=17)[0] == play(twin, seed=17)[0]
    assert env.unwrapped.record() == twin.unwrapped.record()
    env.reset()
    twin.reset()
    assert play(env, seed=19)[0] == play(twin, seed=19)[0]
    assert env.unwrapped.record() == twin.unwrapped.record()


def test_a_copy_before_the_first_reset():
    env = make()
    for copied in COPIES:
        assert copied(env).reset(seed=20)[0].tolist() == env.reset(seed=20)[0].tolist()


# -- rendering


def test_ansi_rendering_keeps_the_others_plans():
    env = make((3, 1), seat=2, render_mode="ansi")  # the others have planned before the learner does
    env.reset(seed=21)
    raw = env.unwrapped
    position = raw.position()
    assert position["turn"] == 0
    text = env.render()
    assert "wall" in text
    assert f"{raw.player} decides: discard" in text
    # Nobody is revealed yet, so the only warriors that may be named are those of the learner's hand.
    titles = {"qween": "Qween", "druhid": "Dru'hid", "zvord": "Zvord", "axx": "Axx", "archr": "Arch'r"}
    titles |= {"filchy": "Filchy", "horsie": "Horsie", "chariott": "Ch'ariott"}
    hand = position["clans"][raw.player]["hand"]
    for warrior, title in titles.items():
        assert text.count(title) + text.count(f":{warrior}") == hand.count(warrior), title
    assert "?" in text


def test_ansi_rendering_follows_the_game_to_its_end():
    env = make((2, 1), render_mode="ansi")
    env.reset(seed=22)
    lcg, over = Lcg(22), False
    while not over:
        assert f"{env.unwrapped.player} decides: " in env.render()
        over = env.step(lcg.pick(legal(env)))[2]
    assert "The end" in env.render()
    assert "the game is over" in env.render()


@pytest.mark.usefixtures("no_screen")
def test_human_rendering_prints_everything_once_where_there_is_no_screen(capsys):
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


def test_the_number_of_players_alone_is_enough():
    env = gymnasium.make("RomansGoHome-v0", num_players=3).unwrapped
    env.reset(seed=1)
    assert len(env.record()["agents"]) == len(env.opponents) == 2
    vector = gymnasium.make_vec("RomansGoHome-v0", num_envs=2, num_players=4)
    assert vector.reset(seed=1)[0].shape[0] == 2


def test_make_vec_env_of_stable_baselines3():
    vec_env = make_vec_env("RomansGoHome-v0", n_envs=2, seed=1, env_kwargs={"opponents": ["random"]})
    assert vec_env.reset().shape == (2, vec_env.observation_space.shape[0])
    assert vec_env.env_method("action_masks")[0].any()


# -- the names of the contract


def test_the_names_of_the_contract():
    env = make((2, 1), opponent=RandomAgent(seed=1))
    env.reset(seed=25)
    raw = env.unwrapped
    view = raw.view(raw.player)
    assert view.legal_actions() == raw.legal_actions()
    assert raw.action_id(raw.action_name(5)) == 5
    assert raw.position(raw.player) == view.position()
    assert raw.position()["decision"]["agent"] == raw.player
    assert (raw.winners(), raw.returns()) == ([], {"player_0": 0.0, "player_1": 0.0})
    play(env)
    assert raw.winners() == raw.game.winners() != []
    assert raw.replay(raw.record()).position() == raw.position()
