"""The recorded games of Roma and Struggle for Rome that the tests of every day leave out."""

import pytest

from romans_env import roma_v0, struggle_v0
from romans_env.struggle import load_board
from tests.tools import digest_of, play_in_lockstep, recorded_games


@pytest.mark.parametrize("part", range(1, 10, 2))
def test_recorded_games_of_roma_are_played_alike(part):
    games = recorded_games("roma", part, 10)
    assert len(games) == 20 and all("position" in step for game in games for step in game["steps"])
    for game in games:
        play_in_lockstep(roma_v0.raw_env(), game, {"outcomes": game["outcomes"]})


@pytest.mark.parametrize("part", range(1, 11, 2))
def test_recorded_games_of_struggle_are_played_alike(part):
    games = recorded_games("struggle", part, 11)
    assert len(games) == 6
    for game in games:
        assert game["board"] == digest_of(load_board().as_json())
        play_in_lockstep(struggle_v0.raw_env(**game["table"]), game, game["deal"])
