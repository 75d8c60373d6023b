"""Compiled code on disk: what is damaged is compiled anew, and a process waits for one that compiles."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.release.compiling.damages import DAMAGES, damage
from tests.release.compiling.processes import CHECKED, compiles, said, variables

# A function of its own compiles in a moment, where the rules would take a minute. What LLVM makes of damaged code can
# end the process, so it is called in another one, which answers each line by one: how many signatures were read from
# disk, and how many decorators.
PROGRAM = """
import sys
import numpy as np
from romans_env.compiling import decorators

def doubled(number):
    return 2 * number

print("ready", flush=True)
for _ in sys.stdin:
    function = decorators.cached_jit(doubled)
    assert function(21) == 42 and function(1.5) == 3.0 and function(np.arange(3))[2] == 4
    print(sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values()), flush=True)
"""

pytestmark = compiles
needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")


class Program:
    """A running program with a compiled function, and where its code is kept."""

    def __init__(self, folder: Path):
        self.kept = folder / "kept"
        script = folder / "program.py"
        script.write_text(PROGRAM)
        environment = {**variables(folder, self.kept), **CHECKED}
        handle, name = tempfile.mkstemp(dir=folder)
        self._errors = Path(name)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": handle}
        self.process = subprocess.Popen([sys.executable, str(script)], env=environment, text=True, **pipes)
        os.close(handle)
        assert self.process.stdout.readline() == "ready\n"

    def call(self) -> str:
        """Call the function as a program that has just started does; how many signatures were read, how many compiled.

        Where the program has ended, what it said on standard error.
        """
        with contextlib.suppress(BrokenPipeError):
            print(file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip() or str(self.said())

    def said(self) -> list[str]:
        """What it has said on standard error."""
        return said(self._errors.read_text())

    def end(self) -> None:
        self.process.communicate(timeout=60)

    def files(self) -> list[Path]:
        return sorted(self.kept.rglob("*.code"))


@pytest.fixture
def program(tmp_path):
    program = Program(tmp_path)
    yield program
    program.end()


def test_what_is_damaged_is_compiled_anew(program):
    program.call()
    assert program.call() == "3 0"
    for name in DAMAGES:
        for path in program.files():
            damage(path, name)
        assert (name, program.call(), program.call()) == (name, "0 3", "3 0")
    assert program.said() == []


def test_what_is_in_the_place_of_a_file_or_of_the_folder_is_named(program):
    program.call()
    files, folder = program.files(), program.files()[0].parent
    for path in files:
        path.unlink()
        path.mkdir()
    assert program.call() == "0 3"
    shutil.rmtree(folder)
    folder.write_text("in the way")
    assert program.call() == "0 3"
    assert folder.read_text() == "in the way"
    lines = program.said()
    assert len(lines) == 6
    assert all(line.startswith("romans_env: the compiled code could not be saved (") for line in lines)
    assert all(line.endswith(f"if this happens again, delete {folder}") for line in lines)


HOLDER = """
import sys, time
from filelock import FileLock
lock = FileLock(sys.argv[1])
lock.acquire()
print("locked", flush=True)
time.sleep(600)
"""


def test_a_process_waits_for_one_that_compiles_and_not_for_one_that_died(program):
    program.call()
    (lock,) = program.kept.rglob("*.lock")
    command = [sys.executable, "-c", HOLDER, str(lock)]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "locked\n"
        for path in program.files():
            damage(path, "garbage")
        print(file=program.process.stdin, flush=True)
        waiting = "romans_env: waiting for another process that compiles __main__.doubled ("
        end = time.monotonic() + 60
        while waiting not in program._errors.read_text():
            assert time.monotonic() < end
            time.sleep(0.1)
    finally:
        holder.kill()
        holder.communicate()
    assert program.process.stdout.readline() == "0 3\n"


def open_files(program):
    for path in program.files():
        path.chmod(0o666)


def open_folders(program):
    for path in program.files():
        path.parent.chmod(0o777)


def files_of_another_user(program):
    for path in program.files():
        os.chown(path, os.geteuid() + 1, -1)


@needs_owners
@pytest.mark.parametrize("share", [open_files, open_folders, files_of_another_user])
def test_code_that_others_can_change_is_compiled_anew(program, share):
    before = os.umask(0)
    try:
        program.call()
        assert program.call() == "3 0"
        for path in program.files():
            assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        try:
            share(program)
        except PermissionError:
            pytest.skip("this user cannot give files away")
        # A folder is closed again by what is compiled first.
        assert [program.call(), program.call()] == ["2 1" if share is open_folders else "0 3", "3 0"]
    finally:
        os.umask(before)
