"""The policy of Struggle for Rome that comes with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

import romans_agents
import romans_training
from romans_agents.struggle.trained.alaric import ALARIC_FILE
from romans_env.struggle import StruggleSetup
from romans_training.config import TrainConfig, read_settings
from romans_training.evaluation import evaluate
from tests.policies import fingerprint, players_of_a_game_without_torch
from tests.struggle.stages import SETTINGS, new_game

RUNS = Path(romans_training.__file__).parent / "struggle" / "alaric_runs"


def alaric():
    return romans_agents.make("alaric", game="struggle")


def test_the_file_is_small_and_has_a_card_that_says_how_it_was_made():
    assert ALARIC_FILE.stat().st_size < 2_000_000
    card = ALARIC_FILE.with_suffix(".md").read_text(encoding="utf-8")
    policy = alaric().policy
    assert policy.game == "struggle"
    assert f"{policy.meta['trained_steps']:,} decisions" in card and "romans train --game struggle --config" in card
    for agent in ("random", "kingdom-builder", "plunderer", "chieftain", "trader"):
        assert f"| {agent} " in card


def test_the_settings_in_the_repository_are_those_it_was_trained_with():
    runs = [TrainConfig.from_json(read_settings(RUNS / f"{number}.toml")) for number in (1, 2)]
    assert TrainConfig.from_json(alaric().policy.meta["config"]) == runs[-1]
    assert [run.reward for run in runs] == ["points", "win"]
    assert {run.hidden_layers for run in runs} == {(192, 192)}


@pytest.mark.parametrize("settings", SETTINGS[::3])
def test_it_plays_every_setup_the_same_again(settings):
    records = []
    for _ in range(2):
        game, agent, rival = new_game(3, **settings), alaric(), romans_agents.make("trader", game="struggle")
        while not game.is_over:
            game.act((agent if game.seat_to_act == 1 else rival).act(game.view(game.seat_to_act)))
        records.append(game.record())
    assert records[0] == records[1]


def test_it_plays_without_torch():
    found = players_of_a_game_without_torch("struggle_v0", "alaric", "struggle", max_rounds=4)
    assert {f"player_{seat}" for seat in range(4)} <= set(found)


def test_it_is_the_policy_of_the_card():
    """The card says how strong it is; here it is known by what it thinks, and beats `random` (even is 25 %)."""
    expected = [0.5, 0.096, -0.5, 0.003, 0.5, 0.163, -0.5, 0.345, -8.257, 0.125, -215.74, 0.004]
    assert fingerprint(alaric().policy) == pytest.approx(expected, rel=0.01, abs=0.01)
    rivals = [romans_agents.make("random", game="struggle") for _ in range(3)]
    assert evaluate(alaric(), rivals, StruggleSetup(), num_deals=10, seed=77).win_rate.mean > 0.7
