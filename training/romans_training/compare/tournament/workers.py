"""Plays chunks in this process or in worker processes, with the same results."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool

from romans_training.compare.tournament.entries import TournamentError, WorkerDiedError
from romans_training.compare.tournament.match import AgentCache, Chunk, Played, play_chunk
from romans_training.worker_processes import worker_pool

Results = Iterator[tuple[Chunk, Played]]
Playing = dict["Future[Played]", Chunk]


def played_here(chunks: Sequence[Chunk]) -> Results:
    """Play chunks in this process, one after the other."""
    agents: AgentCache = {}
    for chunk in chunks:
        yield chunk, play_chunk(chunk, agents)


def played_in_processes(chunks: Sequence[Chunk], jobs: int) -> Results:
    """Play chunks in ``jobs`` processes on this machine, and yield each result as soon as it is available.

    Raises:
        WorkerDiedError: if a process died.
    """
    playing: Playing = {}
    with worker_pool(jobs) as pool:
        try:
            yield from as_completed(chunks, 2 * jobs, lambda chunk: pool.submit(_play_in_worker, chunk), playing)
        except BrokenProcessPool:
            line_ups = "; ".join(sorted({str(chunk.line_up) for chunk in playing.values()}))
            raise WorkerDiedError(
                f"a worker process died, killed or out of memory, while these were playing: {line_ups}. Earlier "
                "results are kept; repeat the command to continue, with --jobs 1 to play one at a time"
            ) from None


def as_completed(
    chunks: Sequence[Chunk], at_once: int, submit: Callable[[Chunk], Future[Played]], playing: Playing
) -> Results:
    """Yield the results of chunks in the order in which they finish.

    Args:
        chunks: the chunks to play.
        at_once: the number of chunks submitted ahead: enough to keep all workers busy, few enough to stop soon.
        submit: starts a chunk.
        playing: an empty dictionary, which will hold the chunks in progress.
    """
    left = iter(chunks)
    while True:
        for chunk in itertools.islice(left, at_once - len(playing)):
            playing[submit(chunk)] = chunk
        if not playing:
            return
        for future in wait(playing, return_when=FIRST_COMPLETED).done:
            played = future.result()
            yield playing.pop(future), played


_agents: AgentCache = {}
"""The agents of this worker process."""


def _play_in_worker(chunk: Chunk) -> Played:
    try:
        return play_chunk(chunk, _agents)
    except TournamentError as error:
        raise TournamentError(f"{error} (in a worker process; --jobs 1 plays in the main process)") from None
