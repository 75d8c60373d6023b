"""The PettingZoo API: what PettingZoo's own tests ask, and what the contract of the project adds.

PettingZoo's ``max_cycles_test`` does not apply: the game ends by itself after 18 turns, so there is no ``max_cycles``,
and players act one after the other, so there is no ``parallel_env``.
"""

import copy
import pickle
import re

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import render_test

from romans_env import romans_go_home_v0

MAKERS = [romans_go_home_v0.env, romans_go_home_v0.raw_env]


@pytest.mark.usefixtures("no_screen")
@pytest.mark.parametrize("make", MAKERS)
def test_pettingzoo_render(make, capsys):
    render_test(
        lambda render_mode: make(2, 1, render_mode=render_mode),
        custom_tests={"ansi": lambda text: isinstance(text, str), "human": lambda result: result is None},
    )


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


def test_a_clone_has_generators_of_its_own():
    env = romans_go_home_v0.raw_env()
    env.reset(seed=1)
    env.action_space("player_0").seed(5)
    expected = [env.clone().action_space("player_0").sample() for _ in range(3)]
    assert len(set(expected)) == 1
    assert env.action_space("player_0").sample() == expected[0]
    assert romans_go_home_v0.env().clone().possible_agents == ["player_0", "player_1"]
