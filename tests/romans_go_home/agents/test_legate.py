"""The policy that comes with the package: at every table, and with what is asked of it."""

import hashlib

import numpy as np
import pytest

import romans_agents
from romans_agents.romans_go_home.trained.legate import LEGATE_FILE
from romans_agents.romans_go_home.trained.legate_1 import LEGATE_1_FILE
from romans_env import Game, RomansGoHome, Table
from romans_training.measure.evaluation import evaluate

FIXED = {
    LEGATE_1_FILE: "3a43b71fb87cfbe5215f38b9bcf880d174a166d1856a3151e7d15629b0b5227b",
    LEGATE_FILE: "df4caa53642f41747180cc2724b899a561fcef0d91b77e176bd776fcd188b6ed",
}
"""The SHA-256 of `legate-1` and `legate-2`, which never change."""


@pytest.mark.parametrize("file", FIXED)
def test_policies_with_a_number_stay_what_they_were(file):
    assert hashlib.sha256(file.read_bytes()).hexdigest() == FIXED[file]


def test_legate_2_is_legate():
    assert romans_agents.make("legate-2").name == "legate-2"
    same = [romans_agents.policy_of(spec).pi[0][0] for spec in ("legate", "legate-2")]
    assert np.array_equal(*same)


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (4, 0)])
def test_it_plays_every_table(size):
    players = size[0]
    result = evaluate(
        romans_agents.make("legate"), [romans_agents.make("greedy")] * (players - 1), Table(*size), num_deals=1
    )
    assert result.num_games == players


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
