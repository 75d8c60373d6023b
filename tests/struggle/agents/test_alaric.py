"""The policy of Struggle for Rome that comes with the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import romans_agents
import romans_training
from romans_agents.struggle.trained.alaric import ALARIC_FILE
from romans_env.struggle import StruggleSetup
from romans_training.config import TrainConfig, read_settings
from romans_training.evaluation import evaluate
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


@pytest.mark.parametrize("settings", SETTINGS)
def test_it_plays_every_setup_the_same_again(settings):
    records = []
    for _ in range(2):
        game, agent, rival = new_game(3, **settings), alaric(), romans_agents.make("trader", game="struggle")
        while not game.is_over:
            game.act((agent if game.seat_to_act == 1 else rival).act(game.view(game.seat_to_act)))
        records.append(game.record())
    assert records[0] == records[1]


def test_it_plays_without_torch():
    script = """
import sys
for name in ("torch", "stable_baselines3", "sb3_contrib"):
    sys.modules[name] = None
import romans_agents
from romans_env import struggle_v0
env = struggle_v0.env(max_rounds=4)
env.reset(seed=1)
alaric = romans_agents.make("alaric", game="struggle")
for agent in env.agent_iter():
    _, _, termination, _, _ = env.last()
    env.step(None if termination else alaric.act(env.unwrapped.view(agent)))
print(sorted(env.unwrapped.record()["result"]["points"]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "player_3" in done.stdout


@pytest.mark.parametrize(("opponent", "least"), [("random", 0.9), ("trader", 0.05)])
def test_it_wins_what_the_card_says(opponent, least):
    """20 fixed deals, 80 games: the standard error is below 4 %."""
    rivals = [romans_agents.make(opponent, game="struggle") for _ in range(3)]
    result = evaluate(alaric(), rivals, StruggleSetup(), num_deals=20, seed=77)
    assert result.win_rate.mean > least
