"""The policy that comes with the package: small, at home without torch, and as strong as its card says."""

import dataclasses
import hashlib
from pathlib import Path

import numpy as np
import pytest

import recipes
import romans_agents
from romans_agents.romans_go_home.trained.legate import LEGATE_FILE
from romans_agents.romans_go_home.trained.legate_1 import LEGATE_1_FILE
from romans_env import Game, RomansGoHome, Table
from romans_training.config import TrainConfig, read_settings
from romans_training.evaluation import evaluate
from tests.policies import fingerprint, players_of_a_game_without_torch

SETTINGS = Path(recipes.__file__).parent / "legate"
FIXED = {
    LEGATE_1_FILE: "3a43b71fb87cfbe5215f38b9bcf880d174a166d1856a3151e7d15629b0b5227b",
    LEGATE_FILE: "df4caa53642f41747180cc2724b899a561fcef0d91b77e176bd776fcd188b6ed",
}
"""The SHA-256 of `legate-1` and `legate-2`, which never change."""
POLICIES = {"legate": LEGATE_FILE, "legate-1": LEGATE_1_FILE}


@pytest.mark.parametrize("name", POLICIES)
def test_the_file_is_small_and_has_a_card_that_says_how_it_was_made(name):
    file = POLICIES[name]
    assert file.stat().st_size < 3_000_000
    card = file.with_suffix(".md").read_text(encoding="utf-8")
    meta = romans_agents.make(name).policy.meta
    assert f"{meta['trained_steps']:,} decisions" in card
    assert f"seed {meta['config']['seed']}" in card
    assert "romans train --config" in card
    for agent in ("random", "greedy", "schemer", "mixer", "hoarder", "legionary", "skirmisher"):
        assert f"| {agent} " in card


@pytest.mark.parametrize("name", POLICIES)
def test_the_settings_in_the_repository_are_those_it_was_trained_with(name):
    stem = POLICIES[name].stem
    files = (f"{stem}_first.toml", f"{stem}_second.toml", f"{stem}.toml")
    first, second, last = (TrainConfig.from_json(read_settings(SETTINGS / file)) for file in files)
    trained_with = TrainConfig.from_json(romans_agents.make(name).policy.meta["config"])
    # The folder of the run before was called otherwise when `legate-1` was made.
    # Whom a run is measured against changes nothing of what it learns.
    same = {"start_from": last.start_from, "evaluate_against": last.evaluate_against}
    assert dataclasses.replace(trained_with, **same) == last
    starts = (None, f"runs/{name}-first/policy.npz", f"runs/{name}-second/policy.npz")
    assert (first.start_from, second.start_from, last.start_from) == starts
    assert first.hidden_layers == second.hidden_layers == last.hidden_layers


@pytest.mark.parametrize("file", FIXED)
def test_policies_with_a_number_stay_what_they_were(file):
    assert hashlib.sha256(file.read_bytes()).hexdigest() == FIXED[file]


def test_legate_2_is_legate():
    assert romans_agents.make("legate-2").name == "legate-2"
    same = [romans_agents.policy_of(spec).pi[0][0] for spec in ("legate", "legate-2")]
    assert np.array_equal(*same)


def test_it_plays_at_once_without_torch():
    found = players_of_a_game_without_torch(
        "romans_go_home_v0", "legate", "romans-go-home", num_players=3, num_neutrals=1
    )
    assert {f"player_{seat}" for seat in range(3)} <= set(found)


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (4, 0)])
def test_it_plays_every_table(size):
    players = size[0]
    result = evaluate(
        romans_agents.make("legate"), [romans_agents.make("greedy")] * (players - 1), Table(*size), num_deals=1
    )
    assert result.num_games == players


def test_it_is_the_policy_of_the_card():
    """The card says how strong it is; here it is known by what it thinks, and beats `greedy` (84 % there)."""
    expected = [-0.013, 0.08, 1.5, -0.014, 0.525, 0.568, 2.19, 0.327, -0.5, -0.273, 1.983, -1.042]
    assert fingerprint(romans_agents.policy_of("legate")) == pytest.approx(expected, abs=0.01)
    result = evaluate(romans_agents.make("legate"), [romans_agents.make("greedy")], Table(2, 0), num_deals=60, seed=77)
    assert result.win_rate.mean > 0.6


def test_what_is_asked_of_it_is_heeded():
    assert romans_agents.make("legate").sample
    assert not romans_agents.make("legate:sample=false").sample
    assert romans_agents.make("legate:cut=0.5").cut == 0.5


@pytest.mark.parametrize(("num_players", "cut"), [(1, 0.0), (2, 0.0), (3, 0.3), (4, 0.3)])
def test_it_leaves_out_what_is_unlikely_with_two_rivals_or_more(num_players, cut):
    game = Game(RomansGoHome(Table(num_players, 1 if num_players == 1 else 0)), seed=4)
    legate = romans_agents.make("legate")
    view = game.view(game.seat_to_act)
    everything = legate.policy.probabilities(view.observation[None], view.action_mask[None])[0]
    expected = np.where(everything < cut * everything.max(), 0.0, everything)
    found = legate.action_probabilities(view)
    np.testing.assert_allclose(found, expected / expected.sum(), atol=1e-6)
    rows = np.repeat(view.observation[None], 500, axis=0), np.repeat(view.action_mask[None], 500, axis=0)
    assert set(legate.act_batch(*rows).tolist()) <= set(np.flatnonzero(found).tolist())
    asked = romans_agents.make("legate:cut=1").action_probabilities(view)
    assert asked.max() == 1.0
