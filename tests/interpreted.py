"""Python without compiling, to compare with what is compiled."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def printed_interpreted(*arguments: str, overflows_in: str | None = None) -> str:
    """What Python prints with these arguments, such as ``-m tests.digest``, where nothing is compiled.

    An overflow is silent in compiled code and a RuntimeWarning in numpy's scalars: here it is an error.

    Args:
        arguments: of Python.
        overflows_in: a module whose overflows are meant, as those of a hash are.
    """
    warnings = ["-W", "error::RuntimeWarning"]
    if overflows_in is not None:
        warnings += ["-W", f"ignore::RuntimeWarning:{overflows_in}"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, *warnings, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
