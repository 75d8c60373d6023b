"""The time until uncompiled code is ready: wall-clock and processor seconds of every first use.

    python -m benchmarks.cold_start                               # every first use of every game
    python -m benchmarks.cold_start --game roma --also ../before  # compare with another checkout, in turn
    python -m benchmarks.cold_start --processes 4                 # processes that start together compile once

Each use runs in a process of its own, with an empty folder for compiled code; with --warm it then runs again with the
same folder. The time includes importing the package.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from romans_env.core.games import GameSpec, spec_of

ENVIRONMENTS = {
    "env(): reset and step": """
from {module} import env
env = env()
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
""",
    "gymnasium.make": """
import gymnasium, romans_env
env = gymnasium.make("{id}")
_, info = env.reset(seed=0)
env.step(int(info["action_mask"].argmax()))
""",
    "gymnasium.make_vec": """
import gymnasium, romans_env
envs = gymnasium.make_vec("{id}", num_envs=2)
_, info = envs.reset(seed=0)
envs.step(info["action_mask"].argmax(axis=1))
""",
    "RomansVecEnv (SB3)": """
from romans_env.envs.sb3 import RomansVecEnv
envs = RomansVecEnv(2, game="{name}")
envs.reset()
envs.step(envs.action_masks().argmax(axis=1))
""",
}
COMMANDS = {
    "evaluate": "evaluate {agent} --game {name} --against {others} --deals 20",
    "tournament": "tournament random {agent} --game {name} --deals 2 --jobs 1 --folder {folder}/tournament",
    "play, to the question": "play --game {name} --seed 1",
    "train, to an update": "train --game {name} --folder {folder}/run --steps 256 --num-envs 16 --rollout-length 16 "
    "--minibatch-size 64 --epochs 1 --hidden-layers 16 --evaluate-every 10000 --evaluation-deals 2",
}
CARD, ANSWER = "serve, to the card", "serve, a rival's first answer"
PACE = 0.3
"""Pause between the decisions of agents in seconds, so that the wait for a rival's answer can be observed."""
SECONDS = 900


class Measured(NamedTuple):
    """The time that a start took.

    Attributes:
        wall_seconds: wall-clock time until the last process ended.
        processor_seconds: processor time of all processes together.
    """

    wall_seconds: float
    processor_seconds: float

    def since(self, before: Measured) -> Measured:
        """Return the difference between two readings of `_clocks`."""
        return Measured(self.wall_seconds - before.wall_seconds, self.processor_seconds - before.processor_seconds)


def _clocks() -> Measured:
    """Return the current time, and the processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Measured(time.perf_counter(), used.ru_utime + used.ru_stime)


def measure(program: str | Sequence[str], processes: int, folder: str, checkout: Path | None = None) -> Measured:
    """Run a program in several processes at once.

    Args:
        program: a Python program, or the arguments of ``romans``.
        processes: the number of processes.
        folder: the folder for compiled code.
        checkout: the checkout whose packages are imported; None for this interpreter's packages.

    Raises:
        RuntimeError: if a process failed, with its output.
    """
    start = [program] if isinstance(program, str) else ["from romans_training.cli.main import start; start()", *program]
    before = _clocks()
    running = [
        subprocess.Popen(
            [sys.executable, "-c", *start],
            env=_variables(folder, checkout),
            cwd=checkout,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(processes)
    ]
    texts = [process.communicate(timeout=SECONDS)[0] for process in running]
    for process, text in zip(running, texts, strict=True):
        if process.returncode:
            raise RuntimeError(text)
    return _clocks().since(before)


def _variables(folder: str, checkout: Path | None) -> dict[str, str]:
    variables = {**os.environ, "NUMBA_CACHE_DIR": folder}
    if checkout is not None:
        variables["PYTHONPATH"] = os.pathsep.join(str(checkout / part) for part in ("", "agents", "training", "serve"))
    return variables


def _served(folder: str, checkout: Path | None, spec: GameSpec, use: str) -> Measured:
    """Measure the start of ``romans serve`` up to the first view of a game, or the wait for an agent's first answer."""
    import httpx2

    before = asked = _clocks()
    command = ["serve", "--port", "0", "--game", spec.name, "--database", str(Path(folder) / "games.sqlite")]
    start = [sys.executable, "-c", "from romans_training.cli.main import start; start()", *command]
    variables = _variables(folder, checkout)
    process = subprocess.Popen(
        start, env=variables, cwd=checkout, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    found = re.search(r"http://\S+?:\d+", process.stdout.readline())
    if found is None:
        raise RuntimeError("romans serve printed no address")
    with httpx2.Client(base_url=found[0], timeout=SECONDS) as client:
        setup = client.get("/api/offers").json()[0]["setups"][0]
        seats = [{"name": "Ann"}] + [{"agent": spec.default_opponent}] * (spec.make_setup().num_players - 1)
        body = {"game": spec.name, "setup": setup["name"], "seats": seats, "pace": PACE}
        made = client.post("/api/games", json=body).json()
        view = client.get(f"/api/games/{made['id']}/view", params={"seat": 0}).raise_for_status().json()
        while use == ANSWER and view["choices"]:
            body = {"seat": 0, "move": view["move"], "plan": view["choices"][0]["action"]}
            client.post(f"/api/games/{made['id']}/act", json=body).raise_for_status()
            asked = _clocks()
            view = client.get(f"/api/games/{made['id']}/view", params={"seat": 0}).json()
        while (
            use == ANSWER
            and view["serial"] == client.get(f"/api/games/{made['id']}/view", params={"seat": 0}).json()["serial"]
        ):
            time.sleep(0.05)
    wall_seconds = _clocks().since(asked if use == ANSWER else before).wall_seconds
    process.send_signal(signal.SIGINT)
    process.wait(SECONDS)
    return _clocks().since(before)._replace(wall_seconds=wall_seconds)


def _measured(use: str, spec: GameSpec, folder: str, checkout: Path | None) -> Measured:
    """Measure a use, with compiled code stored in a folder."""
    with tempfile.TemporaryDirectory() as written:
        others = "+".join(["random"] * (spec.make_setup().num_players - 1))
        names = {"name": spec.name, "module": spec.env_module, "id": spec.env_id}
        if use in (CARD, ANSWER):
            return _served(folder, checkout, spec, use)
        if use in COMMANDS:
            command = COMMANDS[use].format(**names, folder=written, agent=spec.default_opponent, others=others)
            return measure(command.split(), 1, folder, checkout)
        return measure(ENVIRONMENTS[use].format(**names), 1, folder, checkout)


def _rows(spec: GameSpec, checkout: Path | None, only: str, again: bool) -> Iterator[tuple[str, list[Measured]]]:
    """Yield every first use of a game with its times, cold and, with ``again``, warm; at the end all uses in turn."""
    uses = [use for use in (*ENVIRONMENTS, *COMMANDS, CARD, ANSWER) if only in use]
    for use in uses:
        with tempfile.TemporaryDirectory() as folder:
            yield use, [_measured(use, spec, folder, checkout) for _ in range(1 + again)]
    if len(uses) > 1:
        with tempfile.TemporaryDirectory() as folder:
            turns = [[_measured(use, spec, folder, checkout) for use in uses] for _ in range(1 + again)]
            yield "all, one after the other", [Measured(*map(sum, zip(*turn, strict=True))) for turn in turns]


@click.command()
@click.option("--game", "games", multiple=True, help="Name of a game; may be repeated.  [default: all three]")
@click.option("--only", default="", metavar="TEXT", help="Measure only the uses with this text in their name.")
@click.option("--also", type=click.Path(exists=True, path_type=Path), help="Another checkout to compare with.")
@click.option("--warm", is_flag=True, help="Run each use again, with its code compiled.")
@click.option("--processes", type=int, help="Measure a single use, in this number of processes started together.")
def main(games: tuple[str, ...], only: str, also: Path | None, warm: bool, processes: int | None) -> None:
    """Measure the first uses of the package without compiled code."""
    games = games or ("romans-go-home", "roma", "struggle")
    if processes is not None:
        _at_once(spec_of(games[0]), processes)
        return
    checkouts = {"here": None} | ({also.name: also.resolve()} if also else {})
    titles = [
        f"{name}{turn}: {what} s"
        for name in checkouts
        for turn in ("", ", warm")[: 1 + warm]
        for what in ("wall", "CPU")
    ]
    for game in games:
        click.echo(f"\n{spec_of(game).title}\n\n| first use | {' | '.join(titles)} |\n|---|{'---:|' * len(titles)}")
        runs = [_rows(spec_of(game), checkout, only, warm) for checkout in checkouts.values()]
        for row in zip(*runs, strict=True):
            cells = [f"{seconds:.1f}" for _, found in row for one in found for seconds in one]
            click.echo(f"| {row[0][0]} | {' | '.join(cells)} |")


def _at_once(spec: GameSpec, processes: int) -> None:
    program = ENVIRONMENTS["gymnasium.make_vec"].format(id=spec.env_id)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as many:
        rows = [("1, cold", measure(program, 1, one)), ("1, warm", measure(program, 1, one))]
        rows.insert(1, (f"{processes}, cold", measure(program, processes, many)))
    click.echo("| processes | wall s | processor s | times one cold |\n|---|---:|---:|---:|")
    for name, measured in rows:
        share = measured.processor_seconds / rows[0][1].processor_seconds
        click.echo(f"| {name} | {measured.wall_seconds:.1f} | {measured.processor_seconds:.1f} | {share:.2f} |")


if __name__ == "__main__":
    main()
