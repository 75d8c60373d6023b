"""The PettingZoo API: what PettingZoo's own tests ask, and what the contract of the project adds.

PettingZoo's ``max_cycles_test`` does not apply: the game ends by itself after 18 turns, so there is no ``max_cycles``,
and players act one after the other, so there is no ``parallel_env``.
"""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import render_test

from romans_env import romans_go_home_v0
from tests.romans_go_home.stages import Stage

MAKERS = [romans_go_home_v0.env, romans_go_home_v0.raw_env]


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


def test_a_clone_has_generators_of_its_own():
    env = romans_go_home_v0.raw_env()
    env.reset(seed=1)
    env.action_space("player_0").seed(5)
    expected = [env.clone().action_space("player_0").sample() for _ in range(3)]
    assert len(set(expected)) == 1
    assert env.action_space("player_0").sample() == expected[0]
    assert romans_go_home_v0.env().clone().possible_agents == ["player_0", "player_1"]
