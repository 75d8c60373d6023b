"""A tournament from start to end: what is missing is played, kept, and summed up."""

from __future__ import annotations

import functools
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, cast

from romans_env.games import rules_of
from romans_env.protocol import Setup
from romans_training.tournament.entries import TournamentError, digest_of, entries_of
from romans_training.tournament.line_ups import LineUp, line_ups_of
from romans_training.tournament.match import Chunk, made, milliseconds_per_move
from romans_training.tournament.result import TournamentResult, result_of
from romans_training.tournament.store import Store
from romans_training.tournament.workers import Results, played_here, played_in_processes, played_on_ray

CHUNK_DEALS, CHUNK_SEARCH_DEALS = 50, 1
"""Deals of a line-up that are played together, without and with a searching agent. Chunks begin at multiples of these,
whatever the number of jobs."""


@dataclass(frozen=True)
class TournamentConfig:
    """What is played.

    Attributes:
        agents: texts of two agents or more; for a mirror match name one twice.
        setup: the game.
        deals: that every line-up plays, each with every distinct seating; 2 at least.
        search_deals: deals of line-ups with an agent that searches, if that is fewer.
        seed: decides the deals and the chance of all agents.
        line_ups: play a balanced sample of so many line-ups; None for all.
        move_time: seconds that a decision may take; None for no limit. Agents that play compiled are not timed.
    """

    agents: tuple[str, ...]
    setup: Setup
    deals: int = 500
    search_deals: int = 50
    seed: int = 0
    line_ups: int | None = None
    move_time: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", tuple(self.agents))
        if min(self.deals, self.search_deals) < 2:
            raise TournamentError("the number of deals is at least 2, or there is no interval")
        if self.move_time is not None and self.move_time <= 0:
            raise TournamentError(f"a decision may take more than 0 seconds, not {self.move_time}")


class Progress(NamedTuple):
    """How far a tournament has come.

    Attributes:
        games: played so far, in earlier runs included.
        total: games of the whole tournament.
    """

    games: int
    total: int


def tournament(
    agents: Sequence[str],
    setup: Setup,
    deals: int = 500,
    folder: str | Path = "runs/tournament",
    jobs: int = 1,
    ray: str | None = None,
    search_deals: int = 50,
    seed: int = 0,
    line_ups: int | None = None,
    move_time: float | None = None,
) -> TournamentResult:
    """Play a tournament, or what is missing of it in ``folder``; see `TournamentConfig` and `tournament_steps`."""
    config = TournamentConfig(tuple(agents), setup, deals, search_deals, seed, line_ups, move_time)
    steps = tournament_steps(config, folder, jobs, ray)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return cast(TournamentResult, stop.value)


def tournament_steps(
    config: TournamentConfig, folder: str | Path, jobs: int = 1, ray: str | None = None
) -> Generator[Progress, None, TournamentResult]:
    """Play what is missing of a tournament; gives the progress, at first before anything is played.

    What was played lies in the folder, and nothing is played twice: not after a run that was killed, not when more
    deals are asked for or other agents join. The same settings give the same results, whatever the number of jobs and
    however often it was stopped. Only agents that play by the clock may differ; and, where the number of deals was
    raised from one that is no multiple of `CHUNK_DEALS`, agents in Python with chance of their own.

    Args:
        config: what is played.
        folder: where the results lie.
        jobs: processes; 1 plays in this one.
        ray: address of a Ray cluster to play on instead (`workers.played_on_ray`).

    Raises:
        TournamentError: settings that cannot be played, an agent that cannot be made, results in the folder that do not
            belong to this tournament, or workers that died.
    """
    entries = entries_of(config.agents)
    chosen = line_ups_of(entries, config.setup.num_players, config.line_ups, config.seed)
    players = {text: made(text, config.setup.game) for text in dict.fromkeys(config.agents)}
    digests = {text: digest_of(text) for text in players}
    searching = {text for text, player in players.items() if player.searches}
    deals = {
        line_up: min(config.deals, config.search_deals) if _has(line_up, searching) else config.deals
        for line_up in chosen
    }
    store = Store(Path(folder), config.setup, config.seed, config.move_time)
    try:
        store.keep_to_agents(digests)
        total = sum(count * len(line_up.seatings) for line_up, count in deals.items())
        chunks = []
        for line_up in chosen:
            size = CHUNK_SEARCH_DEALS if _has(line_up, searching) else CHUNK_DEALS
            digests_of_slots = tuple(digests[entry.text] for entry in line_up.slots)
            for missing in _missing(store.deals_of(line_up), deals[line_up], size):
                chunks.append(
                    Chunk(
                        config.setup,
                        line_up,
                        digests_of_slots,
                        missing.start,
                        len(missing),
                        config.seed,
                        config.move_time,
                    )
                )
        games = total - sum(chunk.num_games for chunk in chunks)
        yield Progress(games, total)
        for chunk, played in _played(chunks, jobs, ray):
            store.add(chunk, played)
            games += chunk.num_games
            yield Progress(games, total)
        rules = rules_of(config.setup)
        milliseconds = functools.cache(lambda text: milliseconds_per_move(players[text], rules))
        return result_of(
            config.setup,
            config.seed,
            (config.deals, min(config.deals, config.search_deals) if searching else None),
            entries,
            [(line_up, store.results_of(line_up, count)) for line_up, count in deals.items()],
            lambda entry: milliseconds(entry.text),
        )
    finally:
        store.close()


def _played(chunks: list[Chunk], jobs: int, ray: str | None) -> Results:
    if not chunks:
        return iter(())
    if ray is not None:
        return played_on_ray(chunks, ray)
    return played_here(chunks) if jobs == 1 else played_in_processes(chunks, min(jobs, len(chunks)))


def _has(line_up: LineUp, texts: set[str]) -> bool:
    return any(entry.text in texts for entry in line_up.slots)


def _missing(played: list[tuple[int, int]], num_deals: int, size: int) -> list[range]:
    """The deals that are yet to be played, cut at multiples of ``size`` and at what has been played."""
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
