"""Training by two processes over an artificially slow network.

    python -m benchmarks.slow_network                            # as root, on Linux: 1 Gbit/s, 0.5 ms
    python -m benchmarks.slow_network --gigabits 10 --milliseconds 0.1

Each process has a network namespace of its own. This program carries the packets between them, with the delay that the
network would have. It needs only /dev/net/tun, and no kernel modules.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import queue
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import click

from benchmarks.runs import steps_per_second
from romans_training.learn.run_folder import RunFolder

_SET_NAME, _IS_TUN, _HAS_NO_HEADER = 0x400454CA, 0x0001, 0x1000
_PACKET = 65_000
"""Packet size in bytes: with fewer and larger packets this program keeps up with the network."""
_PORT = "29579"


@contextlib.contextmanager
def slow_network(bits: float, delay: float) -> Iterator[list[int]]:
    """Yield the ids of two processes whose namespaces ``nsenter`` can enter: 10.79.0.1 and 10.79.0.2.

    Args:
        bits: bandwidth in bits per second, each way.
        delay: delay of a message in seconds, each way.
    """
    keepers = [subprocess.Popen(["unshare", "-n", "sleep", "infinity"]) for _ in range(2)]
    files = []
    try:
        time.sleep(0.5)  # gives them time to enter their namespaces
        for number, keeper in enumerate(keepers):
            name = f"slow{number}"
            file = os.open("/dev/net/tun", os.O_RDWR)
            fcntl.ioctl(file, _SET_NAME, struct.pack("16sH", name.encode(), _IS_TUN | _HAS_NO_HEADER))
            files.append(file)
            # The file of the interface stays open here when the interface moves to another namespace.
            subprocess.run(["ip", "link", "set", name, "netns", str(keeper.pid)], check=True)
            for command in (
                f"ip address add 10.79.0.{number + 1}/24 dev {name}",
                f"ip link set {name} mtu {_PACKET} up",
                "ip link set lo up",
            ):
                subprocess.run(["nsenter", "-t", str(keeper.pid), "-n", *command.split()], check=True)
        for source, target in (files, files[::-1]):
            threading.Thread(target=_carry, args=(source, target, bits, delay), daemon=True).start()
        yield [keeper.pid for keeper in keepers]
    finally:
        for keeper in keepers:
            keeper.kill()
            keeper.wait()
        for file in files:
            os.close(file)


def _carry(source: int, target: int, bits: float, delay: float) -> None:
    """Carry packets like a line: one after the other, each arriving after the delay."""
    due: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()

    def deliver() -> None:
        while True:
            when, packet = due.get()
            time.sleep(max(0.0, when - time.perf_counter()))
            with contextlib.suppress(OSError):
                os.write(target, packet)

    threading.Thread(target=deliver, daemon=True).start()
    is_free = 0.0
    with contextlib.suppress(OSError):  # closed at the end
        while True:
            packet = os.read(source, 65_536)
            is_free = max(is_free, time.perf_counter()) + 8 * len(packet) / bits
            due.put((is_free + delay, packet))


def speed(namespaces: list[int], options: list[str]) -> float:
    """Return the median of decisions per second over rollouts, of two processes in two namespaces."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        shorter = ["--evaluation-deals", "2", "--no-evaluate-at-start"]
        romans = [sys.executable, "-c", "from romans_training.cli.main import main; main()", "train"]
        together = {"WORLD_SIZE": "2", "MASTER_ADDR": "10.79.0.1", "MASTER_PORT": _PORT, "TORCHELASTIC_RUN_ID": "slow"}
        processes = [
            subprocess.Popen(
                ["nsenter", "-t", str(namespace), "-n", *romans, "--folder", str(run), *shorter, *options],
                env={**os.environ, **together, "RANK": str(rank), "GLOO_SOCKET_IFNAME": f"slow{rank}"},
            )
            for rank, namespace in enumerate(namespaces)
        ]
        ended = [process.wait() for process in processes]
        if any(ended):
            raise click.ClickException("a training process failed; see its output above")
        return steps_per_second(RunFolder(run))


@click.command()
@click.option("--gigabits", type=click.FloatRange(min=0, min_open=True), default=1.0, show_default=True)
@click.option("--milliseconds", type=click.FloatRange(min=0), default=0.5, show_default=True, help="Message delay.")
@click.option("--steps", type=click.IntRange(min=1), default=300_000, show_default=True)
@click.option("--game", default="romans-go-home", show_default=True)
def main(gigabits: float, milliseconds: float, steps: int, game: str) -> None:
    """Print the decisions per second with a fast and with a slow network."""
    options = ["--game", game, "--steps", str(steps)]
    found = []
    for bits, delay in ((1e12, 0.0), (1e9 * gigabits, 1e-3 * milliseconds)):
        with slow_network(bits, delay) as namespaces:
            found.append(speed(namespaces, options))
    click.echo(f"without limits: {found[0]:,.0f} decisions per second")
    click.echo(f"{gigabits:g} Gbit/s, {milliseconds:g} ms: {found[1]:,.0f}, {found[1] / found[0]:.0%}")


if __name__ == "__main__":
    main()
