"""Python in processes of their own, which keep compiled code in a folder."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from romans_env.compiling import decorators
from romans_env.compiling.self_check import VARIABLE

compiles = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the rules are interpreted")
CHECKED = {VARIABLE: "1"}
"""Environment variables of a process that need not try the compiler."""

# A function that calls a unit; `more` makes other sources of it.
UNITS = """
from romans_env.compiling.decorators import cached_jit, inlined, jitted

@jitted
def squared(number):
    return number * number

@inlined
def squared_and_more(number):
    return squared(number) + {more}

@cached_jit
def total(number):
    return squared_and_more(number) + squared(2 * number)
"""
CALLS = """
import units
print(units.total(3), [sum(one.stats.cache_misses.values()) for one in (units.squared, units.total)])
"""


def variables(folder: Path, kept: Path) -> dict[str, str]:
    """The environment of a process with sources of its own in a folder."""
    root = Path(decorators.__file__).parents[2]
    return {**os.environ, "NUMBA_CACHE_DIR": str(kept), "PYTHONPATH": f"{root}{os.pathsep}{folder}"}


def run(program: str, folder: Path, kept: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a program of Python to its end, which has to be a good one."""
    command = [sys.executable, "-c", program, *arguments]
    environment = {**variables(folder, kept), **more}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done


def said(text: str) -> list[str]:
    """Lines of standard error, but for what a slow machine says while it compiles."""
    # The line after the first one names the folder.
    expected = ("romans_env: compiling", "romans_env: waiting", "romans_env: trying", "  ")
    return [line for line in text.splitlines() if not line.startswith(expected)]
