"""Whether the tests notice: one-line changes of the code, each of which some test must fail for (mutation testing).

`mutants.toml` has the changes by area, and the tests that should notice, the most telling first. Run as
``python -m tests.mutants``: a copy of the tree gets one change after the other; the area's own tests are run up to the
first failure, and where they all pass, the tests of every day. The own tests of an area that is `interpreted` run
without compiling, which takes seconds.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from rich.console import Console

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (".", "agents", "training", "serve")
LEFT_OUT = {".git", ".venv", "runs", "dist", ".mypy_cache", ".hypothesis", ".pytest_cache", ".ruff_cache"}
EVERY_DAY = ("tests", "--ignore=tests/release", "--ignore=tests/test_layout.py")
"""Without the test that every change is of the code as it is, which fails for each."""
LONGER, SECONDS_INTERPRETED, SECONDS = 4, 60, 900
"""The limit of a run, as a change can end in an endless loop: LONGER times the seconds without any change, and some
more to compile what depends on the change. Tests that run into it have failed."""


class Mutant(NamedTuple):
    """A change: ``old``, which its file has once, becomes ``new``."""

    area: str
    tests: tuple[str, ...]
    interpreted: bool
    file: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}: {self.old.strip()} -> {self.new.strip()}"


class Result(NamedTuple):
    """Whether a test failed, which one, and after how many seconds."""

    mutant: Mutant
    failed: str
    seconds: float


def mutants() -> list[Mutant]:
    """All changes of `mutants.toml`.

    Raises:
        ValueError: a file does not have the text that is changed, or has it more than once.
    """
    areas = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text(encoding="utf-8"))["areas"]
    found = []
    for area in areas:
        for change in area["mutants"]:
            mutant = Mutant(area["name"], tuple(area["tests"]), area["interpreted"], **change)
            count = (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old)
            if count != 1:
                raise ValueError(f"{mutant.file} has {mutant.old!r} {count} times, not once")
            found.append(mutant)
    return found


def copy_of_tree(tree: Path, copy: Path) -> Path:
    """A copy of the sources with their compiled code."""

    def left_out(folder: str, names: list[str]) -> set[str]:
        return LEFT_OUT.intersection(names) if Path(folder) == tree else set()

    shutil.copytree(tree, copy, ignore=left_out, symlinks=True)
    return copy


def failure_of(tree: Path, tests: tuple[str, ...], interpreted: bool, limit: float | None = None) -> str | None:
    """The first test that fails in a tree, or that the tests take longer than ``limit`` seconds; None if all pass.

    Raises:
        RuntimeError: the tests could not be run.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(tree / package) for package in PACKAGES)}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", *tests]
    # What is imported is kept by the tests of the unchanged tree, and is not compiled for each change again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if limit is not None:
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    if interpreted:
        environment["NUMBA_DISABLE_JIT"] = "1"
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no end within {limit:.0f} s"
    if done.returncode == 0:
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if not lines:
        raise RuntimeError(f"pytest ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return lines[0].split(" - ")[0]


def result_of(mutant: Mutant, tree: Path, seconds: float, every_day: bool) -> Result:
    """Make a change in a tree whose own tests took some seconds, run the tests, and undo it."""
    path, begin = tree / mutant.file, time.monotonic()
    before, times = path.read_bytes(), path.stat()
    path.write_bytes(before.replace(mutant.old.encode(), mutant.new.encode()))
    limit = LONGER * seconds + (SECONDS_INTERPRETED if mutant.interpreted else SECONDS)
    try:
        failed = failure_of(tree, mutant.tests, mutant.interpreted, limit)
        if failed is None and every_day:
            failed = failure_of(tree, EVERY_DAY, interpreted=False, limit=LONGER * SECONDS)
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    return Result(mutant, failed or "", time.monotonic() - begin)


class Trees:
    """Copies of the tree, one for each job."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self._first = copy_of_tree(ROOT, folder / "0")
        self._free: SimpleQueue[Path] = SimpleQueue()
        self._free.put(self._first)
        self._folder, self._jobs = folder, jobs

    def seconds(self, area: Mutant) -> float:
        """How long the tests of an area take without any change.

        Raises:
            ValueError: one of them fails.
        """
        begin = time.monotonic()
        failed = failure_of(self._first, area.tests, area.interpreted)
        if failed is not None:
            raise ValueError(f"without any change, {failed}")
        return time.monotonic() - begin

    def results(self, mutants: list[Mutant], seconds: float, every_day: bool) -> Iterator[Result]:
        """The results of the changes of an area, in their order."""
        for job in range(1, min(self._jobs, len(mutants))):
            if not (self._folder / str(job)).exists():
                self._free.put(copy_of_tree(self._first, self._folder / str(job)))

        def run(mutant: Mutant) -> Result:
            tree = self._free.get()
            try:
                return result_of(mutant, tree, seconds, every_day)
            finally:
                self._free.put(tree)

        with ThreadPoolExecutor(self._jobs) as pool:
            yield from pool.map(run, mutants)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="copies of the tree at once")
    parser.add_argument("--only", default="", help="changes whose area, file or text holds this")
    parser.add_argument(
        "--own-tests", action="store_true", help="run the tests of the area alone, not those of every day"
    )
    options = parser.parse_args()
    chosen = [mutant for mutant in mutants() if options.only in f"{mutant.area}: {mutant}"]
    console, begin = Console(highlight=False, soft_wrap=True), time.monotonic()
    number = survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        trees = Trees(Path(folder), options.jobs)
        for area, group in groupby(chosen, key=lambda mutant: mutant.area):
            changes, begin_of_area = list(group), time.monotonic()
            console.print(area, markup=False)
            try:
                seconds = trees.seconds(changes[0])
            except ValueError as error:
                sys.exit(str(error))
            for result in trees.results(changes, seconds, not options.own_tests):
                number += 1
                survivors += not result.failed
                outcome = f"{number:3}/{len(chosen)} {result.seconds:5.0f} s  {result.failed or 'SURVIVES'}"
                console.print(f"{outcome}\n    {result.mutant}", markup=False)
            took = time.monotonic() - begin_of_area
            console.print(f"    {took:.0f} s, {seconds:.0f} s of them without any change", markup=False)
    console.print(f"{len(chosen)} changes, {survivors} survive, {time.monotonic() - begin:.0f} s", markup=False)
    sys.exit(survivors > 0)


if __name__ == "__main__":
    main()
