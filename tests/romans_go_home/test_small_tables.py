"""Small tables in every API, with every agent, and on the command line."""

from __future__ import annotations

from collections import Counter

import pytest

import romans_agents
from romans_env import Table, romans_go_home_v0
from romans_env.envs.sb3 import RomansVecEnv
from romans_env.render.romans_go_home.text import render_text, transcript
from romans_env.romans_go_home.setup import SMALL_TABLE
from romans_training.config import ConfigError, TrainConfig
from tests.romans_go_home.players import arena
from tests.romans_go_home.scrambling import scrambled
from tests.romans_go_home.stages import SMALL_TABLES, new_game, table_id
from tests.tools import Lcg, assert_distributed, decisions, play, samples, state_bytes

SETTINGS = {name: value for name, value in SMALL_TABLE.as_json().items() if name != "num_players"}
every_small_table = pytest.mark.parametrize("table", SMALL_TABLES, ids=table_id)


def test_the_environments():
    env, twin = (romans_go_home_v0.raw_env(**SETTINGS) for _ in range(2))
    env.reset(seed=1)
    twin.reset(options={"deal": env.deal()})
    lcg = Lcg(1)
    while not all(env.terminations.values()):
        action = lcg.pick(env.legal_actions())
        env.step(action)
        twin.step(action)
    assert env.game.rules.setup == SMALL_TABLE
    assert env.record() == twin.record()
    assert env.rewards == env.returns()
    many = RomansVecEnv(8, opponents=["greedy"], seed=1, **SETTINGS)
    many.reset()
    lengths = []
    for _ in range(40):
        _, _, dones, infos = many.step(many.action_masks().argmax(axis=1))
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
    greedy, seeds = romans_agents.make("greedy"), range(6)
    _, states = arena(table, [[greedy] * table[0]] * len(seeds), seeds)
    for i, seed in enumerate(seeds):
        assert state_bytes(play(new_game(table, seed), greedy)) == states[i : i + 1].tobytes()


@every_small_table
def test_greedy_does_not_change_its_mind_with_what_it_cannot_know(table):
    greedy, lcg = romans_agents.make("greedy"), Lcg(1)
    for seed in range(2):
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
    view, cards = new_game(SMALL_TABLES[1], seed=1).view("player_0"), SMALL_TABLES[1][4]
    lines = (game.position()["clans"]["neutral_0"]["hidden"] for game in samples(view, 3000))
    assert_distributed(Counter(line[0] for line in lines), Counter(cards))
