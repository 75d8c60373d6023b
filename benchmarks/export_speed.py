"""How fast recorded games become Parquet files, and how much memory that takes.

    romans evaluate greedy --against greedy --table 2+0 --deals 50000 --seed 1 --records games.jsonl
    python -m benchmarks.export_speed games.jsonl

One thread replays the games, another writes: on two idle cores an export takes as long as the busier one. The time of
each thread's processor, which other programs on the machine hardly change, is printed beside the seconds.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

import click

from romans_training.data.parquet import export_decisions


def memory() -> float:
    """The most memory that this process has had, in MB; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / 2**20 if sys.platform == "darwin" else used / 2**10


@click.command()
@click.argument("records", type=click.Path(path_type=Path, exists=True))
@click.option("--every", default=10_000, show_default=True, help="Games between two lines.")
def main(records: Path, every: int) -> None:
    """Export RECORDS into a folder that is deleted, and print decisions a second."""
    folder = Path(tempfile.mkdtemp())
    start, replaying, both = time.perf_counter(), time.thread_time(), time.process_time()
    next_line, last = every, 0

    def speed(games: int, decisions: int) -> str:
        seconds, in_thread = time.perf_counter() - start, time.thread_time() - replaying
        busier = max(in_thread, time.process_time() - both - in_thread)
        return (
            f"{games:,} games, {decisions:,} decisions: {decisions / seconds:,.0f} a second, "
            f"{decisions / busier:,.0f} a second of the busier thread's processor, at most {memory():,.0f} MB"
        )

    def report(games: int, decisions: int) -> None:
        nonlocal next_line, last
        last = games
        if games >= next_line:
            click.echo(speed(games, decisions))
            next_line += every

    try:
        decisions = export_decisions([records], folder, on_progress=report)
        click.echo(f"all: {speed(last, decisions)}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
