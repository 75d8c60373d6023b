"""Measurements on a machine with a GPU: the figures of docs/research/on_a_gpu.md, in eight minutes.

    python -m benchmarks.on_a_gpu --json on_a_gpu.json
    python -m benchmarks.on_a_gpu --device cpu --minutes 1
    python -m benchmarks.on_a_gpu --part tensors --part probe --probe ../probe

Every part runs in a process of its own. If it fails, lacks a package or exceeds its time, the other parts still run,
and the JSON has the reason. The JSON is rewritten after every part, so that a run that is killed keeps its results so
far.

The benchmark is for Linux, and needs no network. A machine without one needs: this checkout with compiled code (from
`romans warm-up` or the wheel), torch for CUDA, and, for the part `pgx`, the wheels of jax, jax-cuda12-plugin and pgx.
``--probe`` names a folder with ``device_probe.py`` and, for each game, NAME.ptx and NAME.npz.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import Any, NamedTuple

import click

from benchmarks.speed.baselines import pgx_chunk
from benchmarks.speed.report import as_json
from benchmarks.speed.timing import rate
from romans_env.core.files import write_text
from romans_env.core.games import DEFAULT_GAME, names, spec_of

ROOT = Path(__file__).resolve().parents[1]
CORES = len(os.sched_getaffinity(0))
THREADS = max(1, CORES - 2)
"""Number of threads for the games; one core each is left for the device's driver and for Python."""


class Job(NamedTuple):
    """The parameters of a part: the device (small sizes on a CPU), its time in seconds, and the folder of the probe."""

    device: str
    seconds: float
    probe: str | None


def machine(job: Job) -> Iterator[dict[str, Any]]:
    """Yield a description of the machine and of the installed packages."""
    import torch

    about = as_json(spec_of(DEFAULT_GAME), [], 0, 0)
    yield {**about["machine"], "cores": CORES, **about["versions"], "cuda": torch.version.cuda}
    if torch.cuda.is_available():
        query = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total,power.limit", "--format=csv"]
        yield {"card": torch.cuda.get_device_name(), "nvidia-smi": _output(query, job.seconds)}


def tensors(job: Job) -> Iterator[dict[str, Any]]:
    """Yield decisions per second of two half-sized `TensorVectorEnv`, with random legal actions drawn on the device."""
    import torch

    from romans_training import TensorVectorEnv

    torch.set_num_threads(1)
    cases = [*product(names(), (64,) if job.device == "cpu" else (4_096, 16_384, 65_536), sorted({1, THREADS}))]
    for game, number, threads in cases:
        others = ["random"] * (spec_of(game).make_rules().num_players - 1)
        halves = [TensorVectorEnv(number // 2, others, job.device, threads=threads, game=game) for _ in range(2)]

        def send(half: TensorVectorEnv, masks: torch.Tensor) -> None:
            half.send((torch.rand(masks.shape, device=half.device) * masks).argmax(dim=1))

        def chunk(halves: list[TensorVectorEnv] = halves, number: int = number) -> int:
            for half in halves:
                send(half, half.recv()[-1]["action_mask"])
            return number

        for half in halves:
            send(half, half.reset(seed=1)[1]["action_mask"])
        chunk()
        speed = rate(chunk, job.seconds / len(cases) / 2)
        yield {"game": game, "games": number, "threads": threads, "decisions_per_second": speed}


def training(job: Job, **settings: Any) -> Iterator[dict[str, Any]]:
    """Yield learned decisions per second of ``romans train``, until its time is up, over at least two rollouts."""
    end, asked = time.monotonic() + job.seconds, count()
    from benchmarks.runs import trained
    from romans_training.learn.config import TrainConfig

    large = {"num_envs": 65_536, "rollout_length": 64, "minibatch_size": 65_536, "hidden_layers": (512, 512)}
    settings |= {"device": job.device} | ({"num_envs": 64, "minibatch_size": 256} if job.device == "cpu" else large)
    rest = {"evaluate_every": 10**12, "evaluate_at_start": False, "evaluation_deals": 1, "checkpoint_every": 10**12}
    threads = max(1, THREADS // settings.get("processes", 1))
    config = TrainConfig(epochs=1, threads=threads, steps=10**12, **rest, **settings)
    made = [(0, 0.0), *trained(config, should_stop=lambda: next(asked) > 2 and time.monotonic() > end)[1].items()]
    # The first rollout compiles and fills caches, so it is left out unless it is the only one.
    (first, begun), (steps, seconds) = made[len(made) > 2], made[-1]
    yield {**settings, "decisions": steps, "decisions_per_second": (steps - first) / (seconds - begun)}


def processes(job: Job) -> Iterator[dict[str, Any]]:
    """Yield the same for self-play with one process per GPU, and with two processes if there is at most one GPU."""
    import torch

    yield from training(job, self_play=1.0, processes=max(2, torch.cuda.device_count()))


def example(job: Job) -> Iterator[dict[str, Any]]:
    """Yield learned decisions per second of examples/ppo_tensors.py, until its time is up."""
    sizes = "--num-envs 64 --minibatch 256" if job.device == "cpu" else "--num-envs 16384 --minibatch 65536"
    options = f"--device {job.device} {sizes} --threads {THREADS} --steps {10**12} --folder {tempfile.gettempdir()}"
    printed = _output([sys.executable, str(ROOT / "examples" / "ppo_tensors.py"), *options.split()], job.seconds)
    lines = re.findall(r"^([\d,]+) decisions, (\d+) s: wins (\S+)", printed, re.MULTILINE)
    if not lines:
        raise RuntimeError(f"it learned nothing: {printed[-300:]}")
    decisions, seconds, wins = lines[-1]
    speed = int(decisions.replace(",", "")) / max(1, int(seconds))
    yield {"options": options, "wins": wins, "decisions_per_second": speed}


def pgx(job: Job) -> Iterator[dict[str, Any]]:
    """Yield steps per second of games of Pgx, on JAX's default device."""
    games = ("leduc_holdem", "connect_four", "backgammon", "sparrow_mahjong")
    for game, number in product(games, (64,) if job.device == "cpu" else (4_096, 65_536)):
        chunk = pgx_chunk(game, number)
        chunk()
        yield {"game": game, "games": number, "steps_per_second": rate(chunk, job.seconds / len(games) / 6)}


def probe(job: Job) -> Iterator[dict[str, Any]]:
    """Yield the output of the probe, which runs the rules as a kernel, for each game that was compiled for it."""
    kernels = sorted(Path(job.probe).glob("*.ptx")) if job.probe else []
    if not kernels:
        raise RuntimeError("--probe must name a folder with device_probe.py, NAME.ptx and NAME.npz")
    for one in kernels:
        command = [sys.executable, "device_probe.py", one.name, one.with_suffix(".npz").name]
        yield {"kernel": one.stem, "printed": _output(command, job.seconds / len(kernels), one.parent).splitlines()}


PARTS: dict[str, tuple[Callable[[Job], Iterator[dict[str, Any]]], float]] = {
    "machine": (machine, 1),
    "probe": (probe, 2),
    "self-play": (partial(training, self_play=1.0), 2),
    "processes": (processes, 2),
    "tensors": (tensors, 3),
    "scripted": (partial(training, opponents=("greedy", "random")), 2),
    "example": (example, 2),
    "pgx": (pgx, 2),
}
"""The parts, and their shares of the time; time that a part leaves is shared among the following ones."""


def _output(command: list[str], seconds: float, folder: Path = ROOT, is_part: bool = False) -> str:
    """Return the output of a command with its errors; at its time limit it is killed, a part with all its processes."""
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=folder,
        start_new_session=is_part,
    ) as process:
        try:
            return process.communicate(timeout=seconds)[0]
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL) if is_part else process.kill()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            return f"{process.communicate()[0]}\n(ended after {seconds:.0f} s)\n"


def measured(name: str, job: Job) -> dict[str, Any]:
    """Run a part in a process of its own; return its rows, and its last output if it did not finish."""
    # The remaining time is for imports and compiling.
    options = ["--run", name, "--device", job.device, "--seconds", str(0.6 * job.seconds)]
    options += ["--probe", str(Path(job.probe).resolve())] if job.probe else []
    lines = _output([sys.executable, "-m", "benchmarks.on_a_gpu", *options], job.seconds, is_part=True).splitlines()
    rows = [json.loads(line.removeprefix("row ")) for line in lines if line.startswith("row ") and line.endswith("}")]
    rest = [line for line in lines if not line.startswith("row ")]
    return {"rows": rows, "error": None if "whole" in rest else "\n".join(rest[-2:]).strip()}


@click.command()
@click.option("--device", default="cuda", show_default=True, help="Device of the networks; cpu for a trial.")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=8.0, show_default=True)
@click.option("--part", "parts", type=click.Choice([*PARTS]), multiple=True, help="A part to run.  [default: all]")
@click.option("--probe", type=click.Path(exists=True, file_okay=False), help="Folder of the probe of the rules.")
@click.option("--json", "path", type=click.Path(path_type=Path), default=Path("on_a_gpu.json"), show_default=True)
@click.option("--run", type=click.Choice([*PARTS]), hidden=True)
@click.option("--seconds", type=float, default=60.0, hidden=True)
def main(
    device: str, minutes: float, parts: tuple[str, ...], probe: str | None, path: Path, run: str | None, seconds: float
) -> None:
    """Run the measurements, and write them to one JSON file."""
    if run is not None:
        for row in PARTS[run][0](Job(device, seconds, probe)):
            print("row", json.dumps(row), flush=True)
        print("whole", flush=True)
        return
    end, found = time.monotonic() + 60 * minutes, {}
    chosen = [name for name in PARTS if not parts or name in parts]
    for k, name in enumerate(chosen):
        share = PARTS[name][1] / sum(PARTS[one][1] for one in chosen[k:])
        found[name] = measured(name, Job(device, max(1.0, share * (end - time.monotonic())), probe))
        write_text(path, json.dumps({"device": device, "minutes": minutes, "parts": found}, indent=2) + "\n")
        print(f"{name}: {json.dumps(found[name], indent=2)}", flush=True)


if __name__ == "__main__":
    main()
