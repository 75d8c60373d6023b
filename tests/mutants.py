"""Whether the tests notice: one-line changes of the code, each of which some test must fail for (mutation testing).

`mutants.toml` has the changes by area, and the tests that should notice. Run as ``python -m tests.mutants``: a copy of
the tree gets one change after the other; the area's own tests are run up to the first failure, and where they all pass,
the tests of every day. The own tests of an area that is `interpreted` run without compiling, which takes seconds.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from rich.console import Console

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = (".git", ".venv", "runs", "dist", "_build", ".mypy_cache", ".hypothesis", ".pytest_cache", ".ruff_cache")
EVERY_DAY = ("tests", "--ignore=tests/release")
SECONDS_INTERPRETED, SECONDS = 240, 2400
"""How long the tests may take: longer ones are run compiled, or count as failed, as a change can end in a loop."""


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


def copy_of_tree(folder: Path) -> Path:
    """A copy of the sources with their compiled code."""
    copy = folder / "tree"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    return copy


def failure_of(tree: Path, tests: tuple[str, ...], interpreted: bool) -> str | None:
    """The first test that fails in a tree; None where none does, or where interpreted tests take too long.

    Raises:
        RuntimeError: the tests could not be run.
    """
    parts = os.pathsep.join(str(tree / part) for part in (".", "agents", "training"))
    environment = {**os.environ, "PYTHONPATH": parts, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", *tests]
    if interpreted:
        environment["NUMBA_DISABLE_JIT"] = "1"
    limit = SECONDS_INTERPRETED if interpreted else SECONDS
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return None if interpreted else f"no end within {limit} s"
    if done.returncode == 0:
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if not lines:
        raise RuntimeError(f"pytest ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return lines[0].split(" - ")[0]


def result_of(mutant: Mutant, tree: Path, every_day: bool) -> Result:
    """Make a change in a tree, run the tests, and undo it."""
    path, begin = tree / mutant.file, time.monotonic()
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        failed = failure_of(tree, mutant.tests, mutant.interpreted)
        if failed is None and every_day:
            failed = failure_of(tree, EVERY_DAY, interpreted=False)
    finally:
        path.write_text(before, encoding="utf-8")
    return Result(mutant, failed or "", time.monotonic() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="copies of the tree at once")
    parser.add_argument("--only", default="", help="changes whose file or text holds this")
    parser.add_argument(
        "--own-tests", action="store_true", help="run the tests of the area alone, not those of every day"
    )
    options = parser.parse_args()
    chosen = [mutant for mutant in mutants() if options.only in str(mutant)]
    console, begin = Console(highlight=False, soft_wrap=True), time.monotonic()
    trees: SimpleQueue[Path] = SimpleQueue()
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        for job in range(options.jobs):
            trees.put(copy_of_tree(Path(folder) / str(job)))
        unchanged = trees.get()
        for area in {(mutant.tests, mutant.interpreted): mutant for mutant in chosen}.values():
            failed = failure_of(unchanged, area.tests, area.interpreted)
            if failed is not None:
                sys.exit(f"without any change, {failed}")
        trees.put(unchanged)

        def run(mutant: Mutant) -> Result:
            tree = trees.get()
            try:
                return result_of(mutant, tree, not options.own_tests)
            finally:
                trees.put(tree)

        with ThreadPoolExecutor(options.jobs) as pool:
            for number, result in enumerate(pool.map(run, chosen), 1):
                survivors += not result.failed
                outcome = result.failed or "SURVIVES"
                console.print(
                    f"{number:3}/{len(chosen)} {result.seconds:5.0f} s  {outcome}\n    {result.mutant}", markup=False
                )
    console.print(f"{len(chosen)} changes, {survivors} survive, {time.monotonic() - begin:.0f} s", markup=False)
    sys.exit(survivors > 0)


if __name__ == "__main__":
    main()
