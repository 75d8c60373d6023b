"""Small tables in every API, with every agent, and on the command line."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test

import romans_agents
from romans_agents.arena import Arena
from romans_env import Game, RomansGoHome, Table, romans_go_home_v0
from romans_env.engine.random_stream import streams_from_seeds
from romans_env.render.romans_go_home.text import render_text, transcript
from romans_env.romans_go_home.table import SMALL_TABLE
from romans_training.config import ConfigError, TrainConfig
from tests.romans_go_home.scrambling import scrambled
from tests.romans_go_home.stages import SMALL_TABLES, new_game, table_id
from tests.tools import Lcg, decisions, state_bytes

SETTINGS = {name: value for name, value in SMALL_TABLE.as_json().items() if name != "num_players"}
every_small_table = pytest.mark.parametrize("table", SMALL_TABLES, ids=table_id)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_pettingzoo_environment():
    api_test(romans_go_home_v0.env(**SETTINGS), num_cycles=20)
    env = romans_go_home_v0.raw_env(**SETTINGS)
    env.reset(seed=1)
    twin = romans_go_home_v0.raw_env(**SETTINGS)
    twin.reset(options={"deal": env.deal()})
    lcg = Lcg(1)
    while not all(env.terminations.values()):
        action = lcg.pick(env.legal_actions())
        env.step(action)
        twin.step(action)
    assert env.game.rules.setup == SMALL_TABLE
    assert env.record() == twin.record()
    assert env.rewards == env.returns()


def test_the_single_agent_environments():
    one = gymnasium.make("RomansGoHome-v0", opponents=["greedy"], **SETTINGS)
    _, info = one.reset(seed=1)
    ended = False
    while not ended:
        _, reward, ended, _, info = one.step(one.action_space.sample(info["action_mask"]))
    assert reward in (-1.0, 0.0, 1.0)
    many = gymnasium.make_vec("RomansGoHome-v0", num_envs=8, opponents=["greedy"], **SETTINGS)
    _, info = many.reset(seed=1)
    ends = 0
    for _ in range(30):
        _, _, ended, _, info = many.step(info["action_mask"].argmax(axis=1))
        ends += ended.sum()
    assert ends > 8


def test_the_environment_for_stable_baselines3():
    sb3 = pytest.importorskip("romans_env.envs.sb3")
    env = sb3.RomansVecEnv(8, opponents=["random"], seed=1, **SETTINGS)
    env.reset()
    lengths = []
    for _ in range(40):
        _, _, dones, infos = env.step(env.action_masks().argmax(axis=1))
        lengths += [info["episode"]["l"] for info, done in zip(infos, dones, strict=True) if done]
    assert len(lengths) > 20 and max(lengths) < 12


@every_small_table
def test_the_text(table):
    for game in decisions(new_game(table, seed=1), seed=1):
        *_, wall = render_text(game, game.players[0]).split("  wall ")
        assert wall.partition("\n")[0].count("|") == table[5] - 1
    assert transcript(game).count("== Round") == game.position()["round"]


@every_small_table
def test_greedy_is_the_same_from_views_and_compiled(table):
    rules = RomansGoHome(Table(*table))
    greedy, seeds = romans_agents.make("greedy"), range(6)
    states = rules.new_states(len(seeds))
    for i in seeds:
        rules.deal(states, i, streams_from_seeds(list(seeds)))
    games = [Game.of_states(rules, states[i : i + 1].copy()) for i in seeds]
    list(Arena(rules, states, [[greedy] * table[0]] * len(seeds), seeds).play())
    for i, game in enumerate(games):
        while not game.is_over:
            game.act(greedy.act(game.view(game.seat_to_act)))
        assert state_bytes(game) == states[i : i + 1].tobytes()


@every_small_table
def test_greedy_does_not_change_its_mind_with_what_it_cannot_know(table):
    greedy, lcg = romans_agents.make("greedy"), Lcg(1)
    for seed in range(4):
        for game in decisions(new_game(table, seed), seed):
            seat = game.seat_to_act
            chosen = greedy.act(game.view(seat))
            assert chosen in game.legal_actions()
            for _ in range(2):
                assert greedy.act(scrambled(game, seat, lcg).view(seat)) == chosen


def test_how_likely_agents_choose():
    view = new_game(SMALL_TABLES[0], seed=3).view(0)
    legal = view.legal_actions()
    random = romans_agents.make("random").action_probabilities(view)
    assert random[legal].tolist() == [1 / len(legal)] * len(legal) and random.sum() == pytest.approx(1)
    greedy = romans_agents.make("greedy")
    assert greedy.action_probabilities(view).nonzero()[0].tolist() == [greedy.act(view)]


def test_the_settings_of_training_carry_a_small_table(tmp_path):
    config = TrainConfig(setup=SETTINGS)
    assert config.rules.setup == SMALL_TABLE
    config.save(tmp_path / "config.json")
    assert TrainConfig.load(tmp_path / "config.json") == config
    assert TrainConfig().rules.setup == Table()
    with pytest.raises(ConfigError, match="unknown settings"):
        TrainConfig.from_json({"lines": 3})


def test_evaluating_on_the_small_table(capsys):
    from romans_training.cli.main import romans

    romans(["evaluate", "greedy", "--against", "random", "--table", "small", "--deals", "20"], standalone_mode=False)
    assert "| small | random " in capsys.readouterr().out


def test_re_dealt_neutral_lines_are_uniform_over_the_physical_cards():
    view = new_game(SMALL_TABLES[1], seed=1).view("player_0")
    rng = np.random.default_rng(1)
    number = 4000
    first = [view.sample_game(rng).position()["clans"]["neutral_0"]["hidden"][0] for _ in range(number)]
    for name in set(SMALL_TABLES[1][4]):
        chance = SMALL_TABLES[1][4].count(name) / 7
        assert abs(first.count(name) - number * chance) < 5 * np.sqrt(number * chance * (1 - chance))
