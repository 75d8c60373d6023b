"""Processes of a run, each in a thread of its own, and what a command's processes are."""

import contextlib
import subprocess
from concurrent.futures import ThreadPoolExecutor

import torch.distributed as dist

from romans_training.learn.processes import Processes


def beside_each_other(count, work, about=None):
    """Call ``work`` with each of so many `Processes` that are together; gives the results in their order."""
    store = dist.HashStore()

    def one(rank):
        processes = Processes(rank, count, store=store)
        with processes.together({} if about is None else about(rank), lambda *_: None):
            return work(processes)

    with ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(one, rank) for rank in range(count)]]


def children_of(pid):
    """The processes that a process has started, as numbers; not the one that looks after shared memory."""
    found = subprocess.run(["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(line.split()[0]) for line in found.splitlines() if "spawn_main" in line]


def is_alive(pid):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"
    return False
