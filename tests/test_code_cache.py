"""Compiled code on disk: what is damaged is compiled anew, and what others could have put there is not run."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numba
import pytest

from romans_env.engine import compiled
from romans_env.engine.cache_folder import cache_folder

# A function of its own compiles in a moment, where the rules would take a minute. What LLVM makes of damaged code can
# end the process, so it is called in another one, which answers each line by one: how many signatures were read from
# disk, and how many compiled.
PROGRAM = """
import sys
import numpy as np
from romans_env.engine import compiled

def doubled(number):
    return 2 * number

print("ready", flush=True)
for _ in sys.stdin:
    function = compiled.cached_jit(doubled)
    assert function(21) == 42 and function(1.5) == 3.0 and function(np.arange(3))[2] == 4
    print(sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values()), flush=True)
"""

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the rules are interpreted")


class Program:
    """A running program with a compiled function, and where its code is kept."""

    def __init__(self, folder: Path):
        self.kept = folder / "kept"
        script = folder / "program.py"
        script.write_text(PROGRAM)
        root = str(Path(compiled.__file__).parents[2])
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(self.kept), "PYTHONPATH": root}
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
        return self.process.stdout.readline().strip() or self.said()

    def said(self) -> str:
        """What it has said on standard error, but for what a slow machine says while it compiles."""
        lines = self._errors.read_text().splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith(("romans_env: compiling", "romans_env: waiting")))

    def end(self) -> None:
        self.process.communicate(timeout=60)

    def files(self, ending: str) -> list[Path]:
        return sorted(self.kept.rglob(f"*{ending}"))


@pytest.fixture
def program(tmp_path):
    program = Program(tmp_path)
    yield program
    program.end()


@pytest.fixture(scope="module")
def running_program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("program"))
    yield program
    program.end()


def emptied(path):
    path.write_bytes(b"")


def cut_at(share):
    def cut(path):
        data = path.read_bytes()
        path.write_bytes(data[: int(share * len(data))])

    return cut


def flipped_at(share):
    def flip(path):
        data = bytearray(path.read_bytes())
        data[int(share * (len(data) - 1))] ^= 0x10
        path.write_bytes(bytes(data))

    return flip


def garbage(path):
    path.write_bytes(bytes(range(256)) * 8)


def zeros(path):
    path.write_bytes(bytes(path.stat().st_size))


def lengthened(path):
    path.write_bytes(path.read_bytes() + b"\0")


def removed(path):
    path.unlink()


DAMAGES = {
    "empty": [emptied],
    "cut": [cut_at(share) for share in (0.01, 0.5, 0.99)],
    "flipped": [flipped_at(share) for share in (0, 0.2, 0.4, 0.6, 0.8, 1)],
    "garbage": [garbage],
    "zeros": [zeros],
    "longer": [lengthened],
    "removed": [removed],
}


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("kind", DAMAGES)
def test_what_is_damaged_is_compiled_anew(running_program, kind, ending):
    program = running_program
    program.call()
    assert program.call() == "3 0"
    for damage in DAMAGES[kind]:
        for path in program.files(ending):
            damage(path)
        assert [program.call(), program.call()] == ["0 3", "3 0"]
    assert program.said() == ""


def test_what_is_whole_is_kept(program):
    program.call()
    garbage(program.files(".nbc")[1])
    assert [program.call(), program.call()] == ["2 1", "3 0"]
    assert program.said() == ""


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_a_folder_in_the_place_of_a_file_is_named(program, ending):
    program.call()
    for path in program.files(ending):
        path.unlink()
        path.mkdir()
    assert program.call() == "0 3"
    lines = program.said().splitlines()
    assert len(lines) == 3
    for line in lines:
        assert line.startswith("romans_env: the compiled code is not kept (")
        assert line.endswith(f"if this goes on, delete {program.files(ending)[0].parent}")


def test_a_file_in_the_place_of_the_folder_is_done_without(program, tmp_path):
    program.call()
    folder = program.files(".nbi")[0].parent
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("in the way")
    assert program.call() == "0 3"
    # There numba would not notice a change in the rules.
    assert not list(tmp_path.glob("__pycache__/*.nb*"))
    assert program.said() == ""


def test_processes_that_compile_at_once(program, tmp_path):
    program.call()
    for path in program.files(".nbi") + program.files(".nbc"):
        garbage(path)
    programs = [program, *(Program(tmp_path) for _ in range(2))]
    for one in programs:
        print(file=one.process.stdin, flush=True)
    answers = [one.process.stdout.readline() for one in programs]
    assert all(re.fullmatch(r"\d \d\n", answer) for answer in answers)
    assert sum(int(answer.split()[1]) for answer in answers) == 3  # each signature is compiled once
    assert [one.said() for one in programs] == ["", "", ""]
    for one in programs[1:]:
        one.end()
    program.call()
    assert program.call() == "3 0"


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
    paths = program.files(".nbi")
    command = [sys.executable, "-c", HOLDER, f"{paths[0]}.lock"]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "locked\n"
        garbage(paths[0])
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


def test_a_release_of_numba_with_other_files_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiled, "check_files_of", lambda dispatcher, folder, lock_for: False)
    cache_folder.cache_clear()
    try:
        with pytest.warns(RuntimeWarning, match="with an error of pickle or LLVM, delete") as warned:
            compiled.cached_jit(garbage)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled.cached_jit(zeros)  # once is enough
    finally:
        cache_folder.cache_clear()
    assert str(tmp_path) in str(warned[0].message)


# -- who may write there


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")
def test_the_folder_is_the_users_own(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    cache_folder.cache_clear()
    try:
        folder = cache_folder(tmp_path)
        assert folder.parent == tmp_path / "numba/romans_env"
        assert folder.stat().st_mode & 0o777 == 0o700
        somebody_else = os.geteuid() + 1
        monkeypatch.setattr(os, "geteuid", lambda: somebody_else)
        cache_folder.cache_clear()
        assert cache_folder(tmp_path).parent == tmp_path / "__pycache__"
    finally:
        cache_folder.cache_clear()
