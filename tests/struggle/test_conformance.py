"""66 recorded games of an independent implementation of the rules, played in lockstep through ``raw_env()``."""

from __future__ import annotations

import pytest

from romans_env import struggle_v0
from romans_env.struggle import load_board
from tests.struggle.recorded_games import PARTS, recorded_games
from tests.tools import digest_of, play_in_lockstep

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("part", range(PARTS))
def test_recorded_games_are_played_alike(part):
    games = recorded_games(part)
    assert len(games) == 6
    for game in games:
        assert game["board"] == digest_of(load_board().as_json())
        play_in_lockstep(struggle_v0.raw_env(**game["table"]), game, game["deal"])
