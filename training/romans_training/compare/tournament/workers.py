"""Where chunks are played: in this process, or in others. The results are the same."""

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
    """Play chunks in ``jobs`` processes on this machine, and give each result as soon as it is there.

    Raises:
        WorkerDiedError: a process died.
    """
    playing: Playing = {}
    with worker_pool(jobs) as pool:
        try:
            yield from as_completed(chunks, 2 * jobs, lambda chunk: pool.submit(_play_in_worker, chunk), playing)
        except BrokenProcessPool:
            line_ups = "; ".join(sorted({str(chunk.line_up) for chunk in playing.values()}))
            raise WorkerDiedError(
                f"a worker process died, killed or out of memory, while these were playing: {line_ups}. What was "
                "played before is kept; the same command goes on, with --jobs 1 for one at a time"
            ) from None


def as_completed(
    chunks: Sequence[Chunk], at_once: int, submit: Callable[[Chunk], Future[Played]], playing: Playing
) -> Results:
    """Yield the results of chunks in the order in which they end.

    Args:
        chunks: the chunks to play.
        at_once: how many are submitted ahead: enough that no worker waits, and few enough to stop soon.
        submit: a function that starts a chunk.
        playing: empty; holds the chunks that have been started and not ended.
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
        raise TournamentError(f"{error} (in a worker process; --jobs 1 plays in the first one)") from None
