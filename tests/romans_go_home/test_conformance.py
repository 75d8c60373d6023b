"""256 recorded games of an independent implementation of the rules, played in lockstep through ``raw_env()``."""

import functools
import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from romans_env import romans_go_home_v0
from tests.romans_go_home.stages import TABLES, table_id

GAMES = Path(__file__).parent / "conformance" / "games.jsonl.xz"


@functools.cache
def recorded_games() -> list[dict[str, Any]]:
    with lzma.open(GAMES, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def games_of(table: tuple[int, int, str]) -> list[dict[str, Any]]:
    settings = dict(zip(("num_players", "num_neutrals", "variant"), table, strict=True))
    return [game for game in recorded_games() if settings.items() <= game["table"].items()]


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_recorded_games_are_played_alike(table):
    for game in games_of(table):
        play_in_lockstep(game)


def test_every_recorded_game_belongs_to_a_table():
    assert sum(len(games_of(table)) for table in TABLES) == len(recorded_games()) >= 256


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
