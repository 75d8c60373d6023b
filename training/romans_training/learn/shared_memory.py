"""Sums over the processes of one machine, through memory that they share.

Gloo takes more than a millisecond for a thousand numbers on one machine, which is a tenth of a minibatch.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable

import torch


class SharedSums:
    """Sums of one array of each process.

    The process that makes this passes it to those that it starts, as an argument of theirs. The memory has two halves,
    which are used in turn: when all have written to one half, nobody reads the other any more, so that a sum takes one
    wait.

    Args:
        count: the number of processes.
        size: the largest number of elements of an array.
    """

    def __init__(self, count: int, size: int):
        context = multiprocessing.get_context("spawn")
        self._shape = (2, count, size)
        self._memory = context.RawArray("f", 2 * count * size)
        self._arrivals = [[context.Semaphore(0) for _ in range(count)] for _ in range(2)]
        """For each half and process: the others' arrays that are written and not yet waited for."""
        self._turn = 0

    @property
    def size(self) -> int:
        """How many numbers an array has at most."""
        return self._shape[2]

    def sum(self, rank: int, parts: list[torch.Tensor], watch: Callable[[Callable[[], bool]], None]) -> torch.Tensor:
        """Return the sum over the processes of their arrays, the same to the bit in all of them.

        Args:
            rank: the number of this process.
            parts: its array, in pieces of one dimension, float32.
            watch: calls what it is given until that returns true: whether others have arrived, after a second at most.
        """
        count = self._shape[1]
        half = self._turn % 2
        self._turn += 1
        # A view each time: an array of torch over this memory cannot be sent to a process that starts.
        arrays = torch.frombuffer(self._memory, dtype=torch.float32).view(self._shape)[half]
        length = sum(len(part) for part in parts)
        torch.cat(parts, out=arrays[rank, :length])
        for other, arrival in enumerate(self._arrivals[half]):
            if other != rank:
                arrival.release()
        own = self._arrivals[half][rank]
        for _ in range(count - 1):
            watch(lambda: own.acquire(timeout=1))
        return arrays[:, :length].sum(dim=0)
