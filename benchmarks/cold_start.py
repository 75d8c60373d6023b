"""Processor time of several processes that start at once without compiled code, against that of one.

    python -m benchmarks.cold_start --processes 4

Each process makes the environments, single and vector, and plays a few steps. Compiled code is kept in an empty folder,
of its own for each measurement. Processes that compile the same would take as many times the processor time of one.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

import click

PROGRAM = """
import gymnasium
import romans_env

env = gymnasium.make("{id}")
_, info = env.reset(seed=0)
env.step(int(info["action_mask"].argmax()))
envs = gymnasium.make_vec("{id}", num_envs=2)
_, info = envs.reset(seed=0)
envs.step(info["action_mask"].argmax(axis=1))
"""


class Measured(NamedTuple):
    """What a start took.

    Attributes:
        wall_seconds: until the last process ended.
        processor_seconds: of all processes together.
    """

    wall_seconds: float
    processor_seconds: float


def measure(program: str, processes: int, folder: str) -> Measured:
    """Run a program in several processes at once; compiled code is kept in the folder.

    Raises:
        RuntimeError: a process that failed, with what it printed.
    """
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    running = [
        subprocess.Popen([sys.executable, "-c", program], env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    errors = [process.communicate()[1] for process in running]
    for process, error in zip(running, errors, strict=True):
        if process.returncode:
            raise RuntimeError(error)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(time.perf_counter() - started, seconds)


@click.command()
@click.option("--processes", default=4, show_default=True, help="Number of processes that start at once.")
@click.option("--env-id", default="RomansGoHome-v0", show_default=True, help="Gymnasium's id of the environment.")
def main(processes: int, env_id: str) -> None:
    """Measure a cold start of one process, of several at once, and of one afterwards."""
    program = PROGRAM.format(id=env_id)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as many:
        rows = [("1, cold", measure(program, 1, one)), ("1, warm", measure(program, 1, one))]
        rows.insert(1, (f"{processes}, cold", measure(program, processes, many)))
    click.echo("| processes | wall s | processor s | times one cold |\n|---|---:|---:|---:|")
    for name, measured in rows:
        share = measured.processor_seconds / rows[0][1].processor_seconds
        click.echo(f"| {name} | {measured.wall_seconds:.1f} | {measured.processor_seconds:.1f} | {share:.2f} |")


if __name__ == "__main__":
    main()
