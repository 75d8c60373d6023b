"""How fast recorded games become Parquet files, and how much memory that takes.

    romans evaluate greedy --against greedy --table 2+0 --deals 50000 --seed 1 --records games.jsonl
    python -m benchmarks.export_speed games.jsonl

Processes write whole files of 8192 games each, one for each core. With --jobs 1 the time of the processor, which other
programs on the machine hardly change, is printed beside the seconds.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import click

from romans_training.data.parquet import export_decisions


def memory() -> float:
    """The most memory that one process has had, in MB; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    import resource

    used = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return used / 2**20 if sys.platform == "darwin" else used / 2**10


@click.command()
@click.argument("records", type=click.Path(path_type=Path, exists=True))
@click.option("--every", default=10_000, show_default=True, help="Games between two lines.")
@click.option("--jobs", type=click.IntRange(min=1), help="Number of processes.  [default: one for each core]")
def main(records: Path, every: int, jobs: int | None) -> None:
    """Export RECORDS into a folder that is deleted, and print decisions a second."""
    folder = Path(tempfile.mkdtemp())
    jobs = jobs or os.cpu_count() or 1
    start, of_processor = time.perf_counter(), time.process_time()
    next_line, last = every, 0

    def speed(games: int, decisions: int) -> str:
        seconds, busy = time.perf_counter() - start, time.process_time() - of_processor
        in_all = f"{games:,} games, {decisions:,} decisions: {decisions / seconds:,.0f} a second"
        alone = f", {decisions / busy:,.0f} a second of the processor" if jobs == 1 else f" in {jobs} processes"
        return f"{in_all}{alone}, at most {memory():,.0f} MB each"

    def report(games: int, decisions: int) -> None:
        nonlocal next_line, last
        last = games
        if games >= next_line:
            click.echo(speed(games, decisions))
            next_line += every

    try:
        decisions = export_decisions([records], folder, on_progress=report, jobs=jobs)
        click.echo(f"all: {speed(last, decisions)}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
