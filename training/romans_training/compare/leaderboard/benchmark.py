"""The benchmark as a function: `romans_training.benchmark`."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

from romans_agents.specs.registry import named_for_a_time
from romans_env.core.files import in_file_names
from romans_env.core.games import DEFAULT_GAME
from romans_env.core.registration import file_of
from romans_training.compare.leaderboard.panel import panel_steps
from romans_training.compare.leaderboard.protocols import BenchmarkError, BenchmarkProtocol, protocol_of, protocols
from romans_training.compare.leaderboard.result import BenchmarkResult
from romans_training.compare.leaderboard.run import benchmark_steps
from romans_training.compare.tournament.entries import digest_of
from romans_training.compare.tournament.run import TournamentProgress
from romans_training.progress_bars import followed

FOLDER = Path("runs", "benchmark")


def benchmark(
    agent: Any,
    track: str | None = None,
    game: str | None = None,
    quick: bool = False,
    deals: int | None = None,
    jobs: int = 1,
    folder: str | Path | None = None,
) -> BenchmarkResult:
    """Measure the strength of an agent as one rating, on the scale of reference opponents, like ``romans benchmark``.

    The result displays as a table and a figure in a notebook, and has ``rating``, ``frame`` and ``as_json()``.

    Args:
        agent: an agent spec, or any object that `romans_agents.agent_of` accepts. Objects play in this process, and
            their results are not stored.
        track: ``tiny``, ``duel``, ``table``, ``roma``, ``struggle``, or the name of a protocol; None: the game's first
            one.
        game: the name of the game; None: the track's game, or Romans Go Home!. A game without a protocol has a scale of
            its own: its opponents first play each other.
        quick: play for a few minutes only, which gives a wider interval.
        deals: number of deals against each opponent, at most the protocol's; None: all of them.
        jobs: number of processes.
        folder: the folder of the results, which are not played again; None for `default_folder`.

    Raises:
        BenchmarkError: if there is no such track, there are too many deals, or an object is combined with ``jobs`` or
            ``folder``.
        TournamentError: if an agent cannot be made, or a worker died.
    """
    protocol = followed(protocol_steps(game, track, jobs), "opponents", lambda now: "opponents")
    deals = num_deals(protocol, quick, deals)
    if isinstance(agent, str | os.PathLike):
        spec, place = os.fspath(agent), Path(folder or default_folder(os.fspath(agent), protocol))
        return followed(benchmark_steps(spec, protocol, place, deals, jobs), spec, lambda now: spec)
    if folder is not None or jobs != 1:
        raise BenchmarkError(
            "an agent in memory plays in this process only, and its results are not stored: leave out folder and "
            "jobs, or name a file, such as my_bot.py:MyBot"
        )
    with named_for_a_time([agent], protocol.game) as (spec,), tempfile.TemporaryDirectory() as kept:
        return followed(benchmark_steps(spec, protocol, kept, deals), spec, lambda now: spec)


def protocol_steps(
    game: str | None, track: str | None = None, jobs: int = 1
) -> Generator[TournamentProgress, None, BenchmarkProtocol]:
    """Return a protocol by its track or game, yielding the progress.

    For a game without protocols, reference opponents are measured first.

    Raises:
        BenchmarkError: if there is no such protocol, or like `panel_steps`.
    """
    if track is not None or game is None or game in {one.game for one in protocols().values()}:
        return protocol_of(game or (None if track else DEFAULT_GAME), track)
    file = file_of(game)
    content = "" if file is None else f"-{digest_of(file)[:8]}"
    return (yield from panel_steps(game, FOLDER / f"{in_file_names(game)}-opponents{content}", jobs))


def num_deals(protocol: BenchmarkProtocol, quick: bool, deals: int | None) -> int:
    """Return the number of deals against each opponent; raise BenchmarkError for too many, or for both arguments."""
    if deals is not None and quick:
        raise BenchmarkError("deals and quick both say how much is played: leave out one of them")
    if deals is not None and deals > protocol.deals:
        raise BenchmarkError(f"deals must be at most {protocol.deals} on {protocol.name}, not {deals}")
    return deals or (protocol.quick_deals if quick else protocol.deals)


def default_folder(agent: str, protocol: BenchmarkProtocol) -> Path:
    """Return the default folder: one per agent, protocol, and content of the files of agent and game."""
    held_out = " held out" if protocol.is_held_out else ""
    file = file_of(protocol.game)
    of_game = "" if file is None else f" {digest_of(file)}"
    content = hashlib.sha256(f"{agent} {digest_of(agent)}{held_out}{of_game}".encode()).hexdigest()[:8]
    words = re.sub(r"[^\w.+-]+", "-", f"{Path(agent).name[:40]}-{protocol.name}")
    return FOLDER / f"{words}-{content}"
