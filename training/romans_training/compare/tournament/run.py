"""A tournament from start to end: plays and stores missing games, and computes the result."""

from __future__ import annotations

import functools
import os
import re
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from romans_agents.base import Agent, BatchAgent
from romans_agents.specs.registry import named_for_a_time
from romans_agents.warm_up import warm_up
from romans_env.core.files import in_file_names
from romans_env.core.games import rules_of
from romans_env.core.protocol import Rules, Setup
from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.entries import TournamentError, digest_of, entries_of
from romans_training.compare.tournament.line_ups import LineUp, line_ups_of
from romans_training.compare.tournament.match import Chunk, Played, milliseconds_per_move, player_of
from romans_training.compare.tournament.result import TournamentResult, result_of
from romans_training.compare.tournament.store import MatchStore
from romans_training.compare.tournament.workers import played_here, played_in_processes

T = TypeVar("T")
CHUNK_DEALS, CHUNK_PYTHON_DEALS, CHUNK_SEARCH_DEALS = 50, 10, 1
"""Number of deals of a line-up in a chunk: usually, with an agent that plays in Python, and with one that searches.
Chunks begin at multiples of these numbers, whatever the number of jobs."""


class TournamentProgress(NamedTuple):
    """The progress of a tournament.

    Attributes:
        games: the number of games played so far, earlier runs included.
        total: the number of games in the whole tournament.
    """

    games: int
    total: int


def tournament(
    agents: Sequence[Any],
    setup: Setup | Rules | str,
    deals: int = 500,
    folder: str | Path | None = None,
    jobs: int = 1,
    ray: str | None = None,
    **settings: Any,
) -> TournamentResult:
    """Play a tournament, or the part of it that is missing in ``folder``; see `tournament_steps`.

    Args:
        agents: agent specs, or any objects that `romans_agents.agent_of` accepts. With objects, all games are played in
            this process, and the results are not stored.
        setup: the game, as its setup, its rules, or its name.
        deals: number of deals per line-up.
        folder: the folder of the results; None for `default_folder`.
        jobs: as for `tournament_steps`.
        ray: as for `tournament_steps`.
        settings: further settings of `TournamentConfig`.

    Raises:
        TournamentError: like `tournament_steps`; or if objects are combined with ``folder``, ``jobs`` or ``ray``.
    """
    table = rules_of(setup).setup
    if all(isinstance(agent, str | os.PathLike) for agent in agents):
        config = TournamentConfig(tuple(map(os.fspath, agents)), table, deals, **settings)
        return returned(tournament_steps(config, folder or default_folder(table), jobs, ray))
    if folder is not None or jobs != 1 or ray is not None:
        raise TournamentError(
            "agents in memory play in this process only, and their results are not stored: leave out folder, jobs and "
            "ray, or name a file, such as my_bot.py:MyBot"
        )
    with named_for_a_time(agents, table.game) as specs, tempfile.TemporaryDirectory() as place:
        config = TournamentConfig(specs, table, deals, **settings)
        return returned(tournament_steps(config, place))


def returned(steps: Generator[Any, None, T]) -> T:
    """Run a generator to its end and return its return value."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return cast(T, stop.value)


def default_folder(setup: Setup) -> Path:
    """Return the default folder of a setup's results, such as ``runs/tournament-romans-go-home-2+1``."""
    setup_name = re.sub(r"[^\w.+]+", "-", str(setup)).lower()
    # The setup of a game with a single one may have the name of the game.
    return Path("runs", "-".join(dict.fromkeys(("tournament", in_file_names(setup.game), setup_name))))


def tournament_steps(
    config: TournamentConfig, folder: str | Path, jobs: int = 1, ray: str | None = None
) -> Generator[TournamentProgress, None, TournamentResult]:
    """Play the missing games of a tournament, yielding the progress, first before anything is played.

    Results are stored in the folder, and nothing is played twice: neither after a run was killed, nor if more deals are
    requested or other agents join. The same settings give the same results, whatever the number of jobs and
    interruptions. There are two exceptions: agents that play by the clock, and random agents in Python if the number of
    deals was raised from one that is not a multiple of the chunk's size.

    Args:
        config: the settings of the tournament.
        folder: the folder of the results.
        jobs: the number of processes; 1 plays in this one.
        ray: the address of a Ray cluster to play on instead (`ray_cluster.played_on_ray`).

    Raises:
        TournamentError: if the settings cannot be played, an agent cannot be made, the results in the folder belong to
            another tournament, or a worker died.
    """
    line_ups = line_ups_of(entries_of(config.agents), config.setup.num_players, config.line_ups, config.seed)
    done = yield from line_up_steps(config, line_ups, folder, jobs, ray)
    search_deals = min(config.deals, config.search_deals) if done.searches else None
    return result_of(config, search_deals, done.results, done.milliseconds)


class LineUpResults(NamedTuple):
    """The results of some line-ups.

    Attributes:
        results: the results of every line-up.
        milliseconds: measures the mean time of a decision of an agent, given its spec.
        searches: whether an agent searches, so that its line-ups played ``search_deals``.
        digests: `digest_of` every agent, by its spec.
    """

    results: list[tuple[LineUp, Played]]
    milliseconds: Callable[[str], float]
    searches: bool
    digests: dict[str, str]


def line_up_steps(
    config: TournamentConfig,
    line_ups: Sequence[LineUp],
    folder: str | Path,
    jobs: int = 1,
    ray: str | None = None,
    on_played: Callable[[Chunk, Played], object] | None = None,
    plays_apart: bool = False,
) -> Generator[TournamentProgress, None, LineUpResults]:
    """Play the missing games of some line-ups, yielding the progress like `tournament_steps`.

    Args:
        config: the settings of the tournament.
        line_ups: the line-ups to play.
        folder: the folder of the results.
        jobs: the number of processes.
        ray: the address of a Ray cluster.
        on_played: called with every chunk that is played now, after it was stored.
        plays_apart: whether even a single job is a process of its own, so that a crash caused by an agent is noticed.

    Raises:
        TournamentError: like `tournament_steps`.
    """
    players = {spec: player_of(spec, config) for spec in dict.fromkeys(config.agents)}
    digests = {spec: digest_of(spec) for spec in players}
    deals, sizes = {}, {}
    for line_up in line_ups:
        deals[line_up], sizes[line_up] = deals_and_size(config, [players[entry.spec] for entry in line_up.slots])
    with closing(MatchStore(Path(folder), config)) as store:
        store.keep_to_agents(digests)
        missing = _missing_blocks if config.own_deals else _missing
        chunks = [
            chunk_of(config, line_up, digests, deals_of_chunk)
            for line_up, count in deals.items()
            for deals_of_chunk in missing(store.deals_of(line_up), count, sizes[line_up])
        ]
        # All line-ups progress together, so that the pace so far predicts the rest.
        chunks.sort(key=lambda chunk: chunk.first / deals[chunk.line_up])
        total = sum(count * len(line_up.seatings) for line_up, count in deals.items())
        games = total - sum(chunk.num_games for chunk in chunks)
        yield TournamentProgress(games, total)
        for chunk, played in played_chunks(chunks, jobs, ray, plays_apart):
            store.add(chunk, played)
            games += chunk.num_games
            if on_played is not None:
                on_played(chunk, played)
            yield TournamentProgress(games, total)
        rules = rules_of(config.setup)
        return LineUpResults(
            [(line_up, store.results_of(line_up, count)) for line_up, count in deals.items()],
            functools.cache(lambda spec: milliseconds_per_move(players[spec], rules)),
            any(player.searches for player in players.values()),
            digests,
        )


def deals_and_size(config: TournamentConfig, players: Sequence[Agent]) -> tuple[int, int]:
    """Return the number of deals of a line-up of these agents, and the number of deals in a chunk.

    If line-ups have deals of their own, agents that play in Python have chunks of one deal, too: more deals can then be
    added without replaying any, and a verifier can replay any deal on its own.
    """
    searches = any(player.searches for player in players)
    is_asked = any(not (player.compiled_code or isinstance(player, BatchAgent)) for player in players)
    if searches or (is_asked and config.own_deals):
        size = CHUNK_SEARCH_DEALS
    else:
        size = CHUNK_PYTHON_DEALS if is_asked else CHUNK_DEALS
    return min(config.deals, config.search_deals) if searches else config.deals, size


def chunk_of(config: TournamentConfig, line_up: LineUp, digests: Mapping[str, str], deals: range) -> Chunk:
    """Return a chunk of the given deals; ``digests`` are the digests of the agents' files, by spec."""
    return Chunk(config, line_up, tuple(digests[entry.spec] for entry in line_up.slots), deals.start, len(deals))


def blocks_of(num_deals: int, size: int) -> list[range]:
    """Return the deals in blocks, cut at multiples of ``size``."""
    return [range(first, min(first + size, num_deals)) for first in range(0, num_deals, size)]


def played_chunks(
    chunks: Sequence[Chunk], jobs: int = 1, ray: str | None = None, plays_apart: bool = False
) -> Generator[tuple[Chunk, Played], None, None]:
    """Play chunks of one tournament, and yield each result as soon as it is available.

    Arguments as for `line_up_steps`.
    """
    if not chunks:
        return
    if ray is not None:
        from romans_training.compare.tournament.ray_cluster import played_on_ray

        yield from played_on_ray(chunks, ray)
        return
    config = chunks[0].config
    # Compiled here, before the first game and with a message to the user; worker processes load the cached code.
    warm_up(config.setup, list(dict.fromkeys(config.agents)), ["game", "matches"])
    if jobs == 1 and not plays_apart:
        yield from played_here(chunks)
    else:
        yield from played_in_processes(chunks, min(jobs, len(chunks)))


def _missing_blocks(played: list[tuple[int, int]], num_deals: int, size: int) -> list[range]:
    """Return the blocks that have not been played whole, so that results depend on the number of deals only."""
    return [block for block in blocks_of(num_deals, size) if (block.start, len(block)) not in played]


def _missing(played: list[tuple[int, int]], num_deals: int, size: int) -> list[range]:
    """Return the deals that have not been played, cut at multiples of ``size`` and at deals that have been played."""
    has_been = {deal for first, count in played for deal in range(first, min(first + count, num_deals))}
    missing: list[range] = []
    for deal in range(num_deals):
        if deal in has_been:
            continue
        if missing and missing[-1].stop == deal and deal % size:
            missing[-1] = range(missing[-1].start, deal + 1)
        else:
            missing.append(range(deal, deal + 1))
    return missing
