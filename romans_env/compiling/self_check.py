"""Whether separate compilation works here: with a release of numba that is not tested, other processes try it once.

Its parts are numba's own (docs/research/compiling.md names them), and a release may move any of them. What then happens
may end a process, or never return. The answer is kept beside the compiled code, for the versions of
numba, llvmlite and Python and the sources of this folder; a wheel brings it along.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import numba

from romans_env.compiling.cache_folder import cache_folder, folder_name
from romans_env.compiling.lock import CompileLock
from romans_env.compiling.progress import progress, say
from romans_env.compiling.shipped_code import SHIPPED

VARIABLE = "ROMANS_ENV_SEPARATE"
"""Environment variable: 1 compiles separately, 0 leaves all to numba's own cache, ``check`` asks for the check."""
TESTED = {("3.11", "0.68.1")}
"""Versions of Python and numba with which all tests have passed: the check, which takes 4 s, is left out."""
SECONDS = 300.0
"""After so long a process of the check hangs: with a busy machine it takes a minute."""
COMPILING = Path(__file__).resolve().parent
PYTHON = sysconfig.get_config_var("SOABI") or sys.implementation.cache_tag
KEPT = f"{PYTHON}.checked"
"""The file with the answer: nothing, or what is wrong."""
PROGRAM = """
import sys
sys.path[:] = filter(None, sys.path)  # nothing of the folder in which a user happens to be
import types
package = sys.modules["romans_env"] = types.ModuleType("romans_env")  # none of it but this folder is imported
package.__path__ = [sys.argv[1]]
from romans_env.compiling import checked
sys.exit(checked.wrong(int(sys.argv[2])))
"""


def works() -> bool:
    """Return whether separate compilation is used in this process; if a check fails, say so in one line."""
    answer = os.environ.get(VARIABLE)
    if answer in ("0", "1"):
        return answer == "1"
    if answer != "check" and (sysconfig.get_python_version(), numba.__version__) in TESTED:
        return True
    if (SHIPPED / folder_name(COMPILING) / KEPT).exists():
        return True
    folder = cache_folder(COMPILING)
    if folder is None:
        return not _checked(1)
    kept = folder / KEPT
    lock = CompileLock(f"{kept}.lock", lambda: progress.showing("waiting for another process that tries the compiler"))
    if not kept.exists():
        lock.acquire()
    try:
        if not kept.exists():
            wrong = _checked(2)
            with contextlib.suppress(OSError):
                unfinished = kept.with_name(f"{kept.name}.{os.getpid()}")
                unfinished.write_text(wrong, encoding="utf-8")
                os.replace(unfinished, kept)
            return not wrong
    finally:
        lock.release()
    return kept.stat().st_size == 0


def _checked(runs: int) -> str:
    """Return what is wrong, after saying it in a line, or ''; the second run loads what the first one kept."""
    with progress.showing(f"trying the compiler with numba {numba.__version__}"):
        wrong = next(filter(None, map(failure_of, range(runs))), "")
    if wrong:
        say(
            f"separate compilation does not work with numba {numba.__version__} ({wrong}): numba's own cache is used, "
            f"and first uses take longer; pip install --upgrade romans-env numba may help"
        )
    return wrong


def failure_of(run: int, program: str = PROGRAM, seconds: float = SECONDS) -> str:
    """Return what went wrong in a process of the check, in one line, or ''.

    Args:
        run: the number of the run; run 0 may compile, run 1 must load.
        program: the Python code that the process runs.
        seconds: how long it may take.
    """
    command = [sys.executable, "-c", program, str(COMPILING.parent), str(run)]
    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "replace"}
    try:
        done = subprocess.run(command, env={**os.environ, VARIABLE: "1"}, timeout=seconds, check=False, **pipes)
    except subprocess.TimeoutExpired:
        return f"it takes more than {seconds:.0f} s"
    except OSError as error:
        return str(error)
    said = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else said[-1] if said else f"it ended with status {done.returncode}"
