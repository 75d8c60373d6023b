"""256 recorded games of an independent implementation of the rules, played in lockstep through ``raw_env()``."""

from typing import Any

import pytest

from romans_env import romans_go_home_v0
from tests.tools import recorded_games


@pytest.mark.parametrize("part", range(16))
def test_recorded_games_are_played_alike(part):
    games = recorded_games("romans_go_home", part, 16)
    assert len(games) == 16 == len({str(game["table"]) for game in games})
    for game in games:
        play_in_lockstep(game)


def play_in_lockstep(game: dict[str, Any]) -> None:
    env = romans_go_home_v0.raw_env(**game["table"])
    env.reset(options={"deal": game["deal"]})
    assert env.deal() == game["deal"]
    for step in game["steps"]:
        assert env.agent_selection == step["agent"]
        assert sorted(map(env.action_name, env.legal_actions())) == step["legal"]
        assert restricted(env.position(), step["position"]) == step["position"]
        env.step(env.action_id(step["action"]))
    end = game["end"]
    position = env.position()
    assert position["decision"] is None and all(env.terminations.values())
    assert {clan: sorted(cards["forts"]) for clan, cards in position["clans"].items()} == end["forts"]
    assert env.winners() == end["winners"]
    assert env.returns() == pytest.approx(end["returns"])


def restricted(value: Any, pattern: Any) -> Any:
    """The value without the keys that the recording does not have."""
    if isinstance(pattern, dict) and isinstance(value, dict):
        return {key: restricted(value[key], pattern[key]) for key in pattern if key in value}
    return value
