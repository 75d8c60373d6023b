"""The script for a GPU, on a processor for a moment: it trains both policies, and measures them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "recipes" / "on_a_gpu.sh"


@pytest.mark.skipif(sys.platform != "linux", reason="timeout is of GNU")
def test_the_script_trains_and_measures(tmp_path):
    env = {**os.environ, "DEVICE": "cpu", "MINUTES": "0.01", "FOLDER": str(tmp_path), "DEALS": "2"}
    env["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), env["PATH"]))
    for words in ("train --num-envs 16 --rollout-length 8 --minibatch-size 64 --threads 1", "evaluate"):
        done = subprocess.run(["bash", SCRIPT, *words.split()], env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert len([*tmp_path.glob("*/checkpoint.zip")]) == 2 and len([*tmp_path.glob("*-against-*.json")]) == 3
