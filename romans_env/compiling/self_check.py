"""Checks whether separate compilation works here; with an untested release of numba, child processes try it once.

Separate compilation uses numba's internals (docs/research/compiling.md lists them), which any release may change; the
process might then crash or hang. The result of the check is cached next to the compiled code, for the versions of
numba, llvmlite and Python and the sources of this folder. A wheel contains it.
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
"""An environment variable: 1 uses separate compilation, 0 uses numba's own cache, ``check`` runs the check."""
TESTED = {("3.11", "0.68.1")}
"""Versions of Python and numba with which all tests have passed, so that the check, which takes 4 s, is skipped."""
SECONDS = 300.0
"""The time limit of a process of the check; on a busy machine it takes a minute."""
COMPILING = Path(__file__).resolve().parent
PYTHON = sysconfig.get_config_var("SOABI") or sys.implementation.cache_tag
KEPT = f"{PYTHON}.checked"
"""The name of the file with the result: empty, or what is wrong."""
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
    """Return whether this process uses separate compilation; print one line if a check fails."""
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
    """Run the check; return what is wrong after printing it, or ''.

    Args:
        runs: the number of runs: two (the second loads the code that the first has cached), or one without a cache.
    """
    with progress.showing(f"trying the compiler with numba {numba.__version__}"):
        wrong = next(filter(None, map(failure_of, range(runs))), "")
    if wrong:
        say(
            f"separate compilation does not work with numba {numba.__version__} ({wrong}): numba's own cache is used, "
            f"and first uses take longer; pip install --upgrade romans-env numba may help"
        )
    return wrong


def failure_of(run: int, program: str = PROGRAM, seconds: float = SECONDS) -> str:
    """Run the check in a process; return what went wrong, in one line, or ''.

    Args:
        run: the number of the run; run 0 may compile, run 1 must load everything from the cache.
        program: the Python code of the process.
        seconds: the time limit.
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
