"""66 recorded games of an independent implementation of the rules, played in lockstep through ``raw_env()``."""

from __future__ import annotations

from typing import Any

import pytest

from romans_env import struggle_v0
from romans_env.struggle import load_board
from tests.struggle.recorded_games import PARTS, digest_of, recorded_games
from tests.tools import check_end

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("part", range(PARTS))
def test_recorded_games_are_played_alike(part):
    games = recorded_games(part)
    assert len(games) == 6
    for game in games:
        play_in_lockstep(game)


def play_in_lockstep(game: dict[str, Any]) -> None:
    assert game["board"] == digest_of(load_board().as_json())
    env = struggle_v0.raw_env(**game["table"])
    env.reset(options={"deal": game["deal"]})
    for number, step in enumerate(game["steps"]):
        where = f"decision {number}"
        assert env.agent_selection == step["agent"], where
        position = env.position()
        assert position["decision"]["kind"] == step["kind"], where
        if "position" in step:
            assert position == step["position"], where
        else:
            assert digest_of(position) == step["digest"], where
        assert sorted(map(env.action_name, env.legal_actions())) == step["legal"], where
        for agent, view in step.get("views", {}).items():
            assert env.position(agent) == view, where
        env.step(env.action_id(step["action"]))
    check_end(env, game["end"], game["deal"])
