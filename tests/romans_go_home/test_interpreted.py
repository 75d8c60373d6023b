"""The rules run interpreted as they run compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.romans_go_home.digest import digests

ROOT = Path(__file__).resolve().parents[2]


def test_compiled_and_interpreted_runs_agree():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    # An overflow is silent in compiled code and a RuntimeWarning in numpy's scalars: here it is an error.
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.romans_go_home.digest"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == digests()
