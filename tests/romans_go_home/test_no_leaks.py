"""A seat is told nothing that it cannot know, and all that it can."""

from __future__ import annotations

import numpy as np
import pytest

from romans_env import romans_go_home_v0
from tests.romans_go_home import invariants
from tests.romans_go_home.scrambling import scrambled
from tests.romans_go_home.stages import SMALL_TABLES, TABLES, new_game, table_id
from tests.tools import Lcg, decisions, state_bytes

SEEDS = (1, 2, 3)
ALL_TABLES = (*TABLES, *SMALL_TABLES)


def all_positions(table, seed):
    """The same game at every decision, and at its end."""
    game = new_game(table, seed)
    yield from decisions(game, seed)
    yield game


def everything_shown(game, seat):
    """All that the package tells a seat about a game."""
    view = game.view(seat)
    return {
        "observation": game.observation(seat).tobytes(),
        "mask": game.action_mask(seat).tobytes(),
        "position": game.position(seat),
        "view": view.states.tobytes(),
        "view's observation": view.observation.tobytes(),
        "view's mask": view.action_mask.tobytes(),
        "view's actions": view.legal_actions(),
        "a sample": state_bytes(view.sample_game(np.random.default_rng(5))),
    }


@pytest.mark.parametrize("table", ALL_TABLES, ids=table_id)
def test_what_a_seat_is_shown_does_not_change_with_what_it_cannot_know(table):
    changed = 0
    for seed in SEEDS:
        lcg = Lcg(seed)
        for game in all_positions(table, seed):
            for seat in range(len(game.players)):
                other = scrambled(game, seat, lcg)
                changed += state_bytes(other) != state_bytes(game)
                assert everything_shown(other, seat) == everything_shown(game, seat)
    assert changed > (50 if len(table) == 3 else 5)


@pytest.mark.parametrize("table", ALL_TABLES, ids=table_id)
def test_the_scrambled_games_are_games(table):
    # Otherwise the test above would show less than it seems to.
    lcg = Lcg(4)
    for game in all_positions(table, 4):
        invariants.check(scrambled(game, 0, lcg))


@pytest.mark.parametrize("table", [(2, 1, "standard"), (4, 0, "vogel"), (1, 2, "standard")], ids=table_id)
def test_the_environment_shows_no_more(table):
    env = romans_go_home_v0.raw_env(*table)
    env.reset(seed=6)
    lcg = Lcg(6)
    while not all(env.terminations.values()):
        for seat, agent in enumerate(env.agents):
            twin = env.clone()
            twin._game = scrambled(env.game, seat, lcg)
            shown, other = env.observe(agent), twin.observe(agent)
            assert shown["observation"].tobytes() == other["observation"].tobytes()
            assert shown["action_mask"].tobytes() == other["action_mask"].tobytes()
            assert env.position(agent) == twin.position(agent)
            assert env.infos[agent] == {}
            assert env.rewards == env._cumulative_rewards == dict.fromkeys(env.agents, 0)
        env.step(lcg.pick(env.legal_actions()))


@pytest.mark.parametrize("table", ALL_TABLES, ids=table_id)
def test_a_seat_is_shown_all_that_it_may_know(table):
    for game in all_positions(table, 7):
        truth = game.position()
        for player in game.players:
            seen = game.position(player)
            for key in ("round", "turn", "wall", "decision", "this_turn", "lost_forts"):
                assert seen[key] == truth[key]
            assert seen["clans"][player] == truth["clans"][player]
            for clan, cards in seen["clans"].items():
                for key in ("face_up", "forts", "points"):
                    assert cards[key] == truth["clans"][clan][key]
                if clan != player:
                    # how many cards lie face-down is seen, which ones is not
                    assert cards["hand"] == [None] * len(truth["clans"][clan]["hand"])
                    assert cards["hidden"] == [None] * len(truth["clans"][clan]["hidden"])
                    assert cards["set_aside"] is None
            if player == game.agent_to_act:
                assert game.view(player).legal_actions() == game.legal_actions()
            else:
                assert game.view(player).legal_actions() == []


def test_a_seat_knows_the_warriors_revealed_in_past_rounds_and_no_more():
    game = new_game((2, 0, "standard"), seed=8)
    for _ in decisions(game, seed=8):
        if game.position()["round"] == 3:
            break
    hidden, state = game.view("player_1").states[0], game.states[0]
    for past in range(2):
        dealt = state.dealt[past, 0].tolist()
        dealt.remove(int(state.set_aside[past, 0]))
        assert hidden.dealt[past, 0].tolist() == [*sorted(dealt), -2]
        assert hidden.set_aside[past, 0] == -2
        assert hidden.dealt[past, 1].tolist() == state.dealt[past, 1].tolist()
        assert hidden.set_aside[past, 1] == state.set_aside[past, 1]
