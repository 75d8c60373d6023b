"""A seat is shown nothing that it cannot know, and its view is that of the game."""

import numpy as np
import pytest

from tests.harness import each_game, each_setup, each_table, every_of
from tests.tools import Lcg, state_bytes

pytestmark = pytest.mark.usefixtures("toy")


def everything_shown(game, seat):
    """All that the package shows a seat of a game."""
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


@each_table
def test_what_a_seat_is_shown_does_not_change_with_what_it_cannot_know(game, setup):
    changed, told_apart, lcg = 0, 0, Lcg(1)
    check = game.check_scrambled or game.check_invariants
    for seed in range(1, 1 + game.seeds):
        for number, here in enumerate(game.positions(seed, every_of(game, setup), **setup)):
            for seat in range(len(here.players)):
                other = game.scrambled(here, seat, lcg)
                changed += state_bytes(other) != state_bytes(here)
                # The global state holds what is hidden now, though not what will be dealt later.
                told_apart += here.global_state().tobytes() != other.global_state().tobytes()
                assert everything_shown(other, seat) == everything_shown(here, seat)
                if seat == number % len(here.players):
                    check(other)  # it is a game: otherwise this test would show less than it seems to
    assert changed > 1 and (told_apart > 0 or len(here.players) == 1)


@each_setup
def test_the_view_is_that_of_the_game(game, setup):
    for here in game.positions(3, **setup):
        for seat, player in enumerate(here.players):
            view = here.view(seat)
            assert view.observation.tobytes() == here.observation(seat).tobytes()
            assert view.legal_actions() == (here.legal_actions() if here.seat_to_act == seat else [])
            assert view.position() == here.position(player)


@each_game
def test_the_environment_shows_no_more(game):
    for setup in game.setups[-2:]:
        env, lcg = game.env.raw_env(**setup), Lcg(6)
        env.reset(seed=6)
        while not all(env.terminations.values()):
            for seat, agent in enumerate(env.agents if len(env.game.actions) % game.every == 0 else ()):
                twin = env.clone()
                twin._game = game.scrambled(env.game, seat, lcg)
                shown, other = env.observe(agent), twin.observe(agent)
                assert shown["observation"].tobytes() == other["observation"].tobytes()
                assert shown["action_mask"].tobytes() == other["action_mask"].tobytes()
                assert env.position(agent) == twin.position(agent)
                assert env.infos[agent] == {}
                assert env.rewards == env._cumulative_rewards == dict.fromkeys(env.agents, 0)
            env.step(lcg.pick(env.legal_actions()))
