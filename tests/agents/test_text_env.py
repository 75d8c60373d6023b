"""Games as text: tools, chance that does not depend on what is played, and what a seat is told."""

import inspect
import random
import re
import threading

import numpy as np
import pytest

import romans_agents
from romans_agents.external.text_env import TextEnv, make_text_env, tasks
from romans_agents.romans_go_home.text_env import RomansGoHomeTextEnv
from romans_env import Table
from romans_env.core.games import names
from romans_env.render.language import describe
from romans_env.render.text_interface import NO_BREAK, text_interface_of
from tests.agents.texts import played
from tests.harness import STRUGGLE
from tests.pages import run_python_of


def short(game, **settings):
    """The text environment of a game that ends soon."""
    return make_text_env(game, setup=STRUGGLE.short if game == STRUGGLE.name else None, **settings)


@pytest.mark.parametrize("game", names())
def test_a_game_from_every_seat(game):
    for seat in range(2):
        env, other = (short(game, against="random") for _ in range(2))
        texts = played(env, seed=5, seat=seat)
        assert f"You are player_{seat}." in texts[0]
        assert not any(text.startswith("\n") for text in texts)
        assert "The game is over." in texts[-1] and texts[-1].endswith(env.look())
        assert env.legal_actions == [] and env.num_refused == 0
        assert env.choose("anything") == env.look()
        # The same seed again is the same game, in an environment that has played another one.
        assert played(other, seed=6, seat=seat) != texts
        assert played(other, seed=5, seat=seat) == texts


@pytest.mark.parametrize(
    ("game", "against"),
    [("romans-go-home", None), *((game, "random") for game in names())],
    ids=["romans-go-home, its own opponent", *names()],
)
def test_the_same_seed_brings_the_same_chance_whatever_is_played(game, against):
    """GRPO takes this for granted when it compares completions of one prompt."""
    deals, seeds_in_games = [], []
    for seed_of_play in (1, 2):
        env, rng = short(game, against=against), random.Random(seed_of_play)
        seeds_of_opponents = [noting_seeds(agent) for agent in env._opponents]
        env.reset(seed=9, seat=0)
        while not env.is_over:
            env.choose(rng.choice(env.legal_actions))
        deals.append(env.game.deal())
        seeds_in_games.append(seeds_of_opponents)
    # An opponent is seeded for each of its turns, and one of the games may have more turns than the other.
    for first, second in zip(*seeds_in_games, strict=True):
        common = min(len(first), len(second))
        assert common > 2 and first[:common] == second[:common]
    # A deal of rounds is all chance of a game; in the other games chance events depend on what is played.
    if "rounds" in deals[0]:
        assert deals[0] == deals[1]


def noting_seeds(agent):
    """Let an agent note the seeds that it is given; return the list of them."""
    seeds, seed = [], agent.seed

    def noted(word):
        seeds.append(word)
        seed(word)

    agent.seed = noted
    return seeds


def test_a_rival_plans_the_same_whatever_the_seat_plans():
    plans = set()
    for chance in range(8):
        env, rng = make_text_env("romans-go-home", against="random", setup={"num_players": 2}), random.Random(chance)
        env.reset(seed=4, seat=0)
        while env.game.position()["turn"] == 0:
            env.choose(rng.choice(env.legal_actions))
        laid = [name for who, name in env.game.actions if who == "player_1"]
        plans.add(tuple(laid[:6]))  # a discard and the placements that are a choice
    assert len(plans) == 1


def test_a_whole_plan_is_one_call():
    env = make_text_env("romans-go-home", against="greedy")
    assert isinstance(env, RomansGoHomeTextEnv)
    env.reset(seed=3, seat=0)
    hand = env.game.position("player_0")["clans"]["player_0"]["hand"]
    wrong = env.plan(hand[0], [hand[0]] if hand.count(hand[0]) == 1 else ["kleppatra"])
    assert wrong.startswith("That cannot be played: ") and env.num_refused == 1
    assert env.game.position("player_0")["clans"]["player_0"]["hand"] == hand
    text = env.plan(hand[0], hand[1:3])
    assert (env.num_played, env.num_refused) == (3, 1)
    assert "You are player_0." in text and len(env.game.position("player_0")["clans"]["player_0"]["hand"]) == 4
    assert "Turn 1" in env.plan("", hand[3:])


def test_tools_have_what_a_schema_is_made_of():
    for game in names():
        env = make_text_env(game)
        assert {tool.__name__ for tool in env.tools} >= {"choose", "look", "rules"}
        for tool in env.tools:
            signature = inspect.signature(tool)
            assert signature.return_annotation == "str"
            for name in signature.parameters:
                assert re.search(rf"^    +{name}: \w", tool.__doc__, re.MULTILINE), (game, tool)
            assert "Returns:" in tool.__doc__


@pytest.mark.parametrize("game", names())
def test_a_seat_is_shown_its_view_and_its_story_alone(game):
    env, told, rng = short(game, against="random"), "", random.Random(5)
    text = env.reset(seed=5, seat=0)
    while not env.is_over:
        assert env.look() == describe(env.game.view(0), form="") and text.endswith(env.look())
        told += text.removesuffix(env.look())
        text = env.choose(rng.choice(env.legal_actions))
    own, *others = ["\n".join(text_interface_of(game).story(env.game, player)) for player in env.game.players]
    told = told.replace("\n\n", "\n")
    assert told and own.replace(NO_BREAK, " ").startswith(told)
    assert (own in others) == (game == "romans-go-home")  # a plan is told when it is public


def test_bad_input_changes_nothing():
    env = make_text_env("romans-go-home", against="greedy")
    assert env.look() == env.choose("discard:axx") == "There is no game yet; start one.\n"
    text = env.reset(seed=1, seat=0)
    for wrong, why in (("take:1", "take:1 is not legal"), ("fly", "there is no action"), ("", "there is no action")):
        answer = env.choose(wrong)
        assert why in answer and all(name in answer for name in env.legal_actions)
    assert env.num_refused == 3 and text.endswith(env.look())
    for error, settings in {
        "seat is from 0 to 1, not 2": {"seat": 2},
        "needs 1 opponents, not 2": {"against": ["greedy", "random"]},
        "unknown agent": {"against": "nobody"},
        "seed is an integer": {"seed": -1},
        "num_player": {"setup": {"num_player": 3}},
        "seat is from 0 to 2, not 3": {"setup": {"num_players": 3}, "against": "random", "seat": 3},
    }.items():
        with pytest.raises(ValueError, match=error):
            env.reset(**settings)
    assert text.endswith(env.look()) and env.num_players == 2
    assert env.reset(seed=1, seat=0) == text
    with pytest.raises(ValueError, match="reward is one of win, points, aivat"):
        TextEnv(reward="gold")
    with pytest.raises(ValueError, match="unknown game"):
        make_text_env("chess")


def test_a_row_can_name_opponents_and_a_setup():
    env = make_text_env("romans-go-home")
    assert "player_2" in env.reset(seed=1, setup={"num_players": 3}, against=["random", "greedy"], prompt=[], other=1)
    assert "player_2" in env.reset(seed=2)
    assert "player_2" not in env.reset(seed=1, setup={"num_players": 2}, against="random")


@pytest.mark.parametrize(("game", "rewards"), [("roma", ("win", "points", "aivat")), ("struggle", ("win", "points"))])
def test_rewards(game, rewards):
    for reward in rewards:
        env = short(game, against="random", reward=reward)
        assert env.get_reward() == (0.0 if reward == "points" else -1.0)
        env.reset(seed=2, seat=1)
        assert env.get_reward() == (env.game.points()["player_1"] if reward == "points" else -1.0)
        played(env, seed=2, seat=1)
        win, points = env.game.returns()["player_1"], env.game.points()["player_1"]
        if reward == "aivat":
            assert env.get_reward() == env.get_reward() != win
            assert abs(env.get_reward() - win) < 2.0
        else:
            assert env.get_reward() == (win if reward == "win" else points)


def test_what_chance_explains_is_taken_from_the_return():
    """Where both sides play well, the rewards that are left vary less."""
    plain, corrected = [], []
    env, player = (
        make_text_env("roma", against="forum-runner", reward="aivat"),
        romans_agents.make("forum-runner", game="roma"),
    )
    for seed in range(24):
        env.reset(seed=seed, seat=seed % 2)
        game = env.game
        while not env.is_over:
            env.choose(game.action_name(player.act(game.view(seed % 2))))
        corrected.append(env.get_reward())
        plain.append(game.returns()[game.players[seed % 2]])
    assert np.std(corrected) < 0.85 * np.std(plain)


class Failing:
    name = "failing"
    searches = False

    def seed(self, seed):
        pass

    def act(self, view):
        raise ValueError(f"it holds {view.position()['clans']['player_1']['hand']}")


def test_an_opponent_that_fails_tells_nothing_and_the_game_goes_on(caplog):
    env = make_text_env("romans-go-home", against="greedy")
    env._opponents = [Failing()]
    texts = played(env, seed=5, seat=0)
    assert not any("it holds" in text for text in texts)
    assert "failing failed, and a random action is played: ValueError: it holds" in caplog.text


def test_calls_at_once_play_for_their_seat_alone():
    env = make_text_env("romans-go-home", against="greedy", setup=Table(2, 0))
    answers = []

    def act():
        legal = env.legal_actions
        answers.append(env.choose(legal[0] if legal else "none"))

    for seed in range(20):
        env.reset(seed=seed, seat=0)
        threads = [threading.Thread(target=act) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not any("player_1 must decide" in answer for answer in answers)
        assert env.game.seat_to_act in (0, None)


def test_tasks_play_every_deal_from_every_seat():
    rows = tasks("romans-go-home", 2, first_seed=7)
    assert [(row["seed"], row["seat"]) for row in rows] == [(7, 0), (7, 1), (8, 0), (8, 1)]
    env = make_text_env("romans-go-home")
    text = rows[1]["prompt"][-1]["content"] + env.reset(**rows[1])
    assert "Axx" in text and "\n\n== Round 1 ==" in text and "You are player_1." in text
    assert [row["seat"] for row in tasks("struggle", 1)] == [0, 1, 2, 3]
    assert [row["seat"] for row in tasks("struggle", 1, num_players=3)] == [0, 1, 2]


def test_the_python_of_the_page_runs(capsys):
    run_python_of("agents/language_models.md", slice(1, 2))
    printed = capsys.readouterr().out
    assert "You are player_0." in printed
    assert float(printed.splitlines()[-1]) in (-1.0, 0.0, 1.0)
