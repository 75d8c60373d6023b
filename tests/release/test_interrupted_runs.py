"""Runs that are killed or signalled: they end as they should, are whole at every moment, and go on."""

import csv
import json
import signal
import sys

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

from romans_agents import Policy
from romans_training.learn.run_folder import RunFolder
from romans_training.learn.self_play.league import League
from tests.training.processes import interrupted_import, killed_training, romans, signalled_training
from tests.training.tournaments import TOURNAMENT, deals_played, stopped_tournament, stored_chunks, without_times

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="other signals")

SELF_PLAY = """
    --self-play 0.5 --tables 2+0=2,4+0 --snapshot-every 300
    --exploiter-every 900 --exploiter-steps 200 --magnet 0.1
    --num-envs 16 --rollout-length 8 --minibatch-size 64 --epochs 1 --hidden-layers 8 --threads 1
    --evaluate-every 100000 --evaluation-deals 2 --checkpoint-every 100
"""


def test_a_run_of_self_play_that_is_killed_goes_on_and_its_league_is_whole_at_every_moment(tmp_path):
    folder, sizes = RunFolder(tmp_path / "run"), [0]

    def has_grown():
        if folder.league.exists():
            sizes.append(len(League.load(folder.league)))  # raises where it is half-written
            assert sizes[-1] >= sizes[-2]
        return sizes[-1] >= 5

    killed_training(folder.path, has_grown, *SELF_PLAY.split())
    before = League.load(folder.league)
    made = int(folder.load_metrics()[-1]["steps"])
    status, out, err = romans("train", "--folder", folder.path, "--resume", "--steps", made + 300)
    assert status == 0, err
    assert out == f"trained: {folder.policy}\n"
    after = League.load(folder.league)
    kept = [member.agent for member in before.members]
    assert [member.agent for member in after.members][: len(kept) - 2] == kept[:-2]
    with folder.metrics.open(newline="", encoding="utf-8") as file:
        steps = [int(row["steps"]) for row in csv.DictReader(file)]
    assert steps == sorted(set(steps))
    assert steps[-1] >= made + 300
    assert np.isfinite(Policy.load(folder.policy).scale).all()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_a_checkpoint_and_stops(number, tmp_path):
    status, err = signalled_training(number, tmp_path / "run")
    assert status == 130
    assert "continue with: romans train --folder" in err
    assert Policy.load(tmp_path / "run" / "policy.npz").meta["trained_steps"] > 0


@pytest.mark.parametrize("delay", [0.15, 0.3, 0.8, 1.2, 1.8, 2.5])
def test_ctrl_c_while_modules_are_imported_ends_with_130(delay, tmp_path):
    status, err = interrupted_import(delay, tmp_path / "run")
    assert status == 130, err
    assert "Traceback" not in err and "Aborted" not in err


@pytest.mark.parametrize(("number", "ended"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_tournament_that_was_stopped_goes_on(number, ended, tmp_path):
    status, err, _ = stopped_tournament(number, tmp_path)
    assert status == ended
    assert "stopped; the same command continues with the results in" in err
    assert "Traceback" not in err
    status, _, err = romans(*TOURNAMENT, "--deals", 100, "--jobs", 1, "--folder", tmp_path)
    assert status == 0, err
    assert "played before" in err


def test_a_tournament_that_was_killed_goes_on_and_plays_nothing_twice(tmp_path):
    stopped, undisturbed = tmp_path / "stopped", tmp_path / "undisturbed"
    before = stopped_tournament(signal.SIGKILL, stopped)[2]
    deals = len(before) + 500
    arguments = [*TOURNAMENT, "--deals", deals, "--jobs", 2]
    status, _, err = romans(*arguments, "--folder", stopped)
    assert status == 0, err
    assert f"{6 * deals:,} games, {6 * len(before):,} of them played before" in err
    played = deals_played(stored_chunks(stopped))
    assert len(played) == deals
    assert set(played.values()) == {1}
    status, _, err = romans(*arguments[:-1], 1, "--folder", undisturbed)
    assert status == 0, err
    one, other = (json.loads((folder / "tournament.json").read_text()) for folder in (stopped, undisturbed))
    assert without_times(one) == without_times(other)
