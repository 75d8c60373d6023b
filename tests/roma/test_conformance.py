"""200 recorded games of an independent implementation of the rules, played in lockstep through ``raw_env()``."""

from __future__ import annotations

from typing import Any

import pytest

from romans_env import roma_v0
from tests.roma.recorded_games import PARTS, recorded_games
from tests.tools import check_end


@pytest.mark.parametrize("part", range(PARTS))
def test_recorded_games_are_played_alike(part):
    games = recorded_games(part)
    assert len(games) == 20
    for game in games:
        play_in_lockstep(game)


def play_in_lockstep(game: dict[str, Any]) -> None:
    env = roma_v0.raw_env()
    env.reset(options={"deal": {"outcomes": game["outcomes"]}})
    for step in game["steps"]:
        assert env.agent_selection == step["agent"]
        position = env.position()
        assert position == step["position"]
        assert position["decision"]["kind"] == step["kind"]
        assert sorted(map(env.action_name, env.legal_actions())) == step["legal"]
        for agent, view in step.get("views", {}).items():
            assert env.position(agent) == view
        env.step(env.action_id(step["action"]))
    check_end(env, game["end"], {"outcomes": game["outcomes"]})
