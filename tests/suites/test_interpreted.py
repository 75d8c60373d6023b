"""The rules of every game run interpreted as they run compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.digest import digests
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("game", [ROMANS_GO_HOME, ROMA, STRUGGLE], ids=lambda game: game.name)
def test_compiled_and_interpreted_runs_agree(game):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    # An overflow is silent in compiled code and a RuntimeWarning in numpy's scalars: here it is an error.
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.digest", game.name]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == digests(game)
