"""A benchmark from Python: `romans_training.benchmark`."""

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
    """Say how good an agent is: one number, on the scale of fixed opponents; see ``romans benchmark``.

    The result shows itself in a notebook, as a table and a picture; it has ``rating``, ``frame`` and ``as_json()``.

    Args:
        agent: an agent spec, or whatever else decides (`romans_agents.agent_of`): objects play in this process, and
            their results are not kept.
        track: ``tiny``, ``duel``, ``table``, ``roma``, ``struggle``, or the name of a protocol; None: the first of the
            game.
        game: its name; None: that of the track, or Romans Go Home!. A game without a protocol has a scale of its own,
            of opponents that play each other first.
        quick: play some minutes only: a wider interval.
        deals: against each opponent, as many as the protocol has at most; None: all of them.
        jobs: number of processes.
        folder: of the results, which are not played again; None: `default_folder`.

    Raises:
        BenchmarkError: no such track, too many deals, or objects with ``jobs`` or ``folder``.
        TournamentError: an agent that cannot be made, or workers that died.
    """
    protocol = followed(protocol_steps(game, track, jobs), "opponents", lambda now: "opponents")
    deals = num_deals(protocol, quick, deals)
    if isinstance(agent, str | os.PathLike):
        spec, place = os.fspath(agent), Path(folder or default_folder(os.fspath(agent), protocol))
        return followed(benchmark_steps(spec, protocol, place, deals, jobs), spec, lambda now: spec)
    if folder is not None or jobs != 1:
        raise BenchmarkError(
            "an agent in memory plays in this process, and its results are not kept: leave out folder and jobs, or "
            "name a file, my_bot.py:MyBot"
        )
    with named_for_a_time([agent], protocol.game) as (spec,), tempfile.TemporaryDirectory() as kept:
        return followed(benchmark_steps(spec, protocol, kept, deals), spec, lambda now: spec)


def protocol_steps(
    game: str | None, track: str | None = None, jobs: int = 1
) -> Generator[TournamentProgress, None, BenchmarkProtocol]:
    """Return a protocol, by its track or its game; one of a game without protocols is measured, with its progress.

    Raises:
        BenchmarkError: there is no such protocol, and the errors of `panel_steps`.
    """
    if track is not None or game is None or game in {one.game for one in protocols().values()}:
        return protocol_of(game or (None if track else DEFAULT_GAME), track)
    file = file_of(game)
    content = "" if file is None else f"-{digest_of(file)[:8]}"
    return (yield from panel_steps(game, FOLDER / f"{in_file_names(game)}-opponents{content}", jobs))


def num_deals(protocol: BenchmarkProtocol, quick: bool, deals: int | None) -> int:
    """Return how many deals are played against each opponent; BenchmarkError for too many, and for both."""
    if deals is not None and quick:
        raise BenchmarkError("deals and quick both say how much is played: leave out one of them")
    if deals is not None and deals > protocol.deals:
        raise BenchmarkError(f"deals are at most {protocol.deals} on {protocol.name}, not {deals}")
    return deals or (protocol.quick_deals if quick else protocol.deals)


def default_folder(agent: str, protocol: BenchmarkProtocol) -> Path:
    """Return a folder of its own for each agent, and for each content of the files of the agent and the game."""
    held_out = " held out" if protocol.is_held_out else ""
    file = file_of(protocol.game)
    of_game = "" if file is None else f" {digest_of(file)}"
    content = hashlib.sha256(f"{agent} {digest_of(agent)}{held_out}{of_game}".encode()).hexdigest()[:8]
    words = re.sub(r"[^\w.+-]+", "-", f"{Path(agent).name[:40]}-{protocol.name}")
    return FOLDER / f"{words}-{content}"
