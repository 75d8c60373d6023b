"""Seeds, deals, observations, agents and records give what they gave in version 0.1."""

import json
from pathlib import Path

import numpy as np
import pytest

from romans_agents import Policy
from romans_env import load_record, replay
from tests.recordings.record import RECORDINGS

FOLDER = Path(__file__).parent
RECORDED = json.loads((FOLDER / "recorded.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", sorted({name.partition(" ")[0] for name in RECORDINGS}))
def test_it_is_as_it_was_recorded(kind):
    names = [name for name in RECORDINGS if name.partition(" ")[0] == kind]
    assert [name for name in names if RECORDINGS[name]() != RECORDED[name]] == []


def test_nothing_that_was_recorded_is_left_out():
    assert set(RECORDED) == set(RECORDINGS)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("record-*.json")), ids=lambda path: path.stem)
def test_a_record_of_then_replays_to_the_same_record(path):
    record = load_record(path)
    assert json.loads(json.dumps(replay(record).record())) == record


def test_a_policy_file_of_then_says_the_same():
    policy = Policy.load(FOLDER / "policy.npz")
    expected = np.load(FOLDER / "policy-outputs.npz")
    np.testing.assert_allclose(policy.logits(expected["observations"]), expected["logits"], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(policy.values(expected["observations"]), expected["values"], rtol=1e-4, atol=1e-4)
