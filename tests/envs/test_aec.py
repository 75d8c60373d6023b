"""The PettingZoo API: what PettingZoo's own tests ask, and what the contract of the project adds.

PettingZoo's ``max_cycles_test`` does not apply: the game ends by itself after 18 turns, so there is no ``max_cycles``,
and players act one after the other, so there is no ``parallel_env``.
"""

from __future__ import annotations

import copy
import json
import pickle
import re
from itertools import chain

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import render_test

from romans_env import Game, GameOverError, View, romans_go_home_v0
from tests.envs.playing import COPIES, settings_of
from tests.romans_go_home.stages import COVERING, Stage, new_game, table_id
from tests.tools import Lcg, decisions, state_bytes

MAKERS = [romans_go_home_v0.env, romans_go_home_v0.raw_env]


def play(env, seed=0, stop_after=None):
    """Play an environment at random, until all agents end or for a number of decisions."""
    lcg, number = Lcg(seed), 0
    while not env.terminations[env.agent_selection] and number != stop_after:
        env.step(lcg.pick(env.unwrapped.legal_actions()))
        number += 1


# -- PettingZoo's own tests


@pytest.mark.usefixtures("no_screen")
@pytest.mark.parametrize("make", MAKERS)
def test_pettingzoo_render(make, capsys):
    render_test(
        lambda render_mode: make(2, 1, render_mode=render_mode),
        custom_tests={"ansi": lambda text: isinstance(text, str), "human": lambda result: result is None},
    )


# -- agents, spaces, masks


def test_defaults():
    env = romans_go_home_v0.env()
    assert env.possible_agents == ["player_0", "player_1"]
    assert (env.render_mode, env.unwrapped.reward) == (None, "win")
    assert env.unwrapped.rules.setup.variant == "standard"
    assert env.metadata["name"] == "romans_go_home_v0"
    assert set(env.metadata["render_modes"]) >= {"ansi", "human"}
    assert env.metadata["is_parallelizable"] is False


def test_the_spaces_have_a_short_repr_and_are_equal_to_plain_ones():
    env = romans_go_home_v0.env()
    box = env.observation_space("player_0")["observation"]
    assert repr(box) == f"Box({box.low.min()}..{box.low.max()}, {box.high.min()}..{box.high.max()}, (393,), int8)"
    assert box == spaces.Box(box.low, box.high, dtype=np.int8)
    assert repr(pickle.loads(pickle.dumps(box))) == repr(copy.deepcopy(box)) == repr(box)
    assert len(repr(env.unwrapped.state_space)) < 60


@pytest.mark.parametrize("table", COVERING, ids=table_id)
def test_agents_are_the_players_and_only_the_seat_to_act_has_a_mask(table):
    env = romans_go_home_v0.env(**settings_of(table))
    env.reset(seed=2)
    assert env.agents == env.possible_agents == [f"player_{seat}" for seat in range(table[0])]
    assert env.agent_selection == "player_0"
    lcg, states = Lcg(2), set()
    while not env.terminations[env.agent_selection]:
        for agent in env.agents:
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            legal = env.unwrapped.legal_actions() if agent == env.agent_selection else []
            assert seen["action_mask"].nonzero()[0].tolist() == legal
        assert env.unwrapped.state_space.contains(env.state())
        states.add(env.state().tobytes())
        env.step(lcg.pick(env.unwrapped.legal_actions()))
    for agent in env.agents:
        assert not env.observe(agent)["action_mask"].any()
        assert env.observation_space(agent).contains(env.observe(agent))
    assert len(states) > 6


# -- rewards and the end


def test_infos_say_points_and_who_won():
    env = romans_go_home_v0.raw_env(2, 1)
    env.reset(seed=5)
    assert env.infos == {"player_0": {}, "player_1": {}}
    play(env, seed=5)
    for agent in env.possible_agents:
        assert env.infos[agent]["points"] == env.game.points()[agent]
        assert env.infos[agent]["won"] == (agent in env.winners())


def test_nobody_steps_after_the_end():
    env = romans_go_home_v0.raw_env()
    env.reset(seed=6)
    play(env)
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    env.step(None)
    env.step(None)
    assert env.agents == []
    with pytest.raises(GameOverError):
        env.step(None)


def test_nothing_before_the_first_reset():
    env = romans_go_home_v0.raw_env()
    for look in (env.legal_actions, env.deal, env.position, env.record, lambda: env.observe("player_0"), env.state):
        with pytest.raises(RuntimeError, match="reset"):
            look()


def test_a_game_can_be_reset_in_its_middle():
    env = romans_go_home_v0.env(reward="points")
    env.reset(seed=7)
    play(env, stop_after=30)
    env.reset(seed=7)
    assert env.unwrapped.record()["actions"] == []
    assert env.agents == ["player_0", "player_1"]
    assert set(env.rewards.values()) == {0.0}


# -- seeds


def test_a_seed_decides_this_deal_and_those_of_later_resets():
    one, other = romans_go_home_v0.env(2, 1), romans_go_home_v0.raw_env(2, 1)
    one.reset(seed=8)
    other.reset(seed=8)
    deals = []
    for _ in range(3):
        assert one.unwrapped.deal() == other.unwrapped.deal()
        deals.append(json.dumps(one.unwrapped.deal()))
        one.reset()
        other.reset()
    assert len(set(deals)) == 3
    one.reset(seed=9)
    assert one.unwrapped.deal() != other.unwrapped.deal()


def test_without_a_seed_deals_differ():
    env = romans_go_home_v0.raw_env()
    deals = set()
    for _ in range(5):
        env.reset()
        deals.add(json.dumps(env.deal()))
    assert len(deals) == 5


# -- illegal actions


# -- copies


@pytest.mark.parametrize("stop_after", [0, 17, 10_000])
@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_carries_the_game_in_progress(copied, stop_after):
    for make in MAKERS:
        env = make(2, 2, "vogel", reward="points")
        env.reset(seed=13)
        play(env, seed=13, stop_after=stop_after)
        twin, again = copied(env), copied(env)
        before = everything(env)
        assert everything(twin) == before
        play(twin, seed=14)
        twin.reset(seed=15)
        assert everything(env) == before
        # The copy deals on like the original, too.
        play(env, seed=14)
        play(again, seed=14)
        assert everything(env) == everything(again)
        env.reset()
        again.reset()
        assert everything(env) == everything(again)


def everything(env):
    raw = env.unwrapped
    return (
        state_bytes(raw.game),
        raw.record(),
        list(env.agents),
        env.agent_selection,
        dict(env.rewards),
        dict(raw._cumulative_rewards),
        dict(env.terminations),
        dict(env.truncations),
        copy.deepcopy(env.infos),
        {agent: env.observe(agent)["observation"].tobytes() for agent in env.possible_agents},
    )


@pytest.mark.parametrize("make", MAKERS)
def test_a_copy_before_the_first_reset(make):
    for copied in COPIES:
        twin = copied(make(2, 1))
        twin.reset(seed=1)
        assert twin.agents == ["player_0", "player_1"]


# -- rendering


def test_ansi_rendering_tells_totals_and_captures():
    stage = Stage({"player_0": "archr zvord", "player_1": "chariott axx", "neutral_0": "filchy"})
    env = romans_go_home_v0.env(2, 1, fort_deck=stage.table.fort_deck, render_mode="ansi")
    env.reset(options={"deal": stage.game.deal()})
    game = stage.planned_game()
    for entry in game.record()["actions"]:
        env.step(env.unwrapped.action_id(entry.split()[1]))
    text = env.render()
    assert "Turn 1, for dinary-3: player_0 Arch'r, player_1 Ch'ariott, neutral_0 Filchy" in text
    assert "totals: player_0 5 (Arch'r), player_1 9 (Ch'ariott), neutral_0 does not fight" in text
    assert "player_1 captures dinary-3" in text
    assert "player_1 discards Ch'ariott" in text
    assert re.search(r"player_1 +3 points +dinary-3", text)
    assert "decides: " in text


@pytest.mark.parametrize("table", COVERING[1::2], ids=table_id)
def test_every_position_can_be_rendered(table):
    env = romans_go_home_v0.raw_env(**settings_of(table), render_mode="ansi")
    env.reset(seed=17)
    lcg = Lcg(17)
    while not env.terminations[env.agent_selection]:
        text = env.render()
        assert f"{env.agent_selection} decides" in text and "wall" in text
        env.step(lcg.pick(env.legal_actions()))
    assert "the game is over" in env.render()
    assert "The end" in env.render()


@pytest.mark.usefixtures("no_screen")
def test_human_rendering_prints_where_there_is_no_screen(capsys):
    with pytest.warns(UserWarning, match="a window needs a screen"):
        env = romans_go_home_v0.raw_env(render_mode="human")
    env.reset(seed=18)
    opening = capsys.readouterr().out
    assert "Round 1" in opening
    env.step(env.legal_actions()[0])
    assert "player_0 sets Qween aside" in capsys.readouterr().out
    assert env.render() is None


# -- the game's own calls


def test_action_names_and_ids():
    env = romans_go_home_v0.env().unwrapped
    names = [env.action_name(action) for action in range(56)]
    assert [env.action_id(name) for name in names] == list(range(56))
    warriors = "qween|druhid|zvord|axx|archr|filchy|horsie|chariott"
    forts = r"legion-[123]|dinary-[13456]|unwary-2|signal-4|tax-8"
    patterns = {
        f"discard:({warriors})": 8,
        f"place:({warriors})": 8,
        f"reorder:({warriors})": 8,
        r"charm:\+[123]": 3,
        "take:[1-6]": 6,
        "axx:(keep|discard)": 2,
        "unwary:(keep|discard)": 2,
        f"lose:({warriors})": 8,
        f"give_up:({forts})": 11,
    }
    assert sum(patterns.values()) == len(set(names)) == 56
    for pattern, number in patterns.items():
        assert sum(re.fullmatch(pattern, name) is not None for name in names) == number, pattern


def test_the_names_of_the_contract():
    env = romans_go_home_v0.env(2, 1).unwrapped
    env.reset(seed=20)
    agent = env.agent_selection
    mask = env.observe(agent)["action_mask"]
    assert env.legal_actions() == np.flatnonzero(mask).tolist()
    view = env.view(agent)
    assert isinstance(view, View) and view.seat == 0
    assert view.observation.tolist() == env.observe(agent)["observation"].tolist()
    assert view.action_mask.tolist() == mask.tolist()
    assert view.legal_actions() == env.legal_actions()
    assert view.action_name(3) == env.action_name(3)
    assert view.position() == env.position(agent)
    assert isinstance(view.sample_game(np.random.default_rng(1)), Game)
    assert (env.winners(), env.returns()) == ([], {"player_0": 0.0, "player_1": 0.0})
    play(env, seed=20)
    assert env.winners() == env.game.winners() != []
    assert env.returns() == env.game.returns()
    assert all(type(value) is float for value in env.returns().values())
    assert env.replay(env.record()).position() == env.position()


def test_a_deal_goes_through_json_and_is_played():
    env = romans_go_home_v0.env(1, 2)
    env.reset(seed=21)
    deal = env.unwrapped.deal()
    assert set(deal) == {"forts", "rounds"} and len(deal["forts"]) == 18 and len(deal["rounds"]) == 3
    again = romans_go_home_v0.env(1, 2)
    again.reset(options={"deal": json.loads(json.dumps(deal))})
    assert again.unwrapped.deal() == deal
    assert again.unwrapped.position() == env.unwrapped.position()
    # A deal wins over a seed, which holds for the resets to come.
    again.reset(seed=1, options={"deal": deal})
    assert again.unwrapped.deal() == deal


@pytest.mark.parametrize("table", COVERING[:5], ids=table_id)
def test_a_position_is_plain_data_with_the_keys_of_the_contract(table):
    game = new_game(table, seed=22)
    for _ in chain(decisions(game, 22), [game]):
        for position in (game.position(), game.position("player_0")):
            assert json.loads(json.dumps(position)) == position
            assert set(position) >= {"round", "turn", "wall", "decision", "clans"}
            assert position["round"] in (1, 2, 3) and position["turn"] in range(7) and len(position["wall"]) == 6
            assert list(position["clans"]) == list(game.rules.seats)
            for cards in position["clans"].values():
                assert set(cards) >= {"hand", "hidden", "face_up", "set_aside", "forts", "points"}
            if position["decision"]:
                assert set(position["decision"]) == {"agent", "kind"}
                assert position["decision"]["agent"] == game.agent_to_act
    assert game.position()["decision"] is None


def test_a_clone_has_generators_of_its_own():
    env = romans_go_home_v0.raw_env()
    env.reset(seed=1)
    env.action_space("player_0").seed(5)
    expected = [env.clone().action_space("player_0").sample() for _ in range(3)]
    assert len(set(expected)) == 1
    assert env.action_space("player_0").sample() == expected[0]
    assert romans_go_home_v0.env().clone().possible_agents == ["player_0", "player_1"]
