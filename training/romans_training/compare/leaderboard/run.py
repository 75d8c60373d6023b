"""A benchmark from start to end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from llvmlite.binding import get_host_cpu_name

import romans_env
from romans_training.compare.leaderboard.protocols import BenchmarkProtocol, own_slot
from romans_training.compare.leaderboard.rating import Rating
from romans_training.compare.leaderboard.result import (
    DIED,
    BenchmarkResult,
    Floats,
    deals_of,
    rating_in,
    result_of,
    share_of,
)
from romans_training.compare.tournament.entries import WorkerDiedError, digest_of
from romans_training.compare.tournament.line_ups import LineUp
from romans_training.compare.tournament.match import Chunk, FaultCount, Played, make_agent
from romans_training.compare.tournament.result import faults_by_kind, shares_in_deals
from romans_training.compare.tournament.run import line_up_steps

_PATIENCE = 20
"""Number of faults from which an agent is stopped, if it has lost at least half of its games by faults."""


class BenchmarkProgress(NamedTuple):
    """The progress of a benchmark.

    Attributes:
        games: number of games played so far, earlier runs included.
        total: number of games in all.
        rating: the rating from the games of this run, without variance reduction; None while there are too few games.
    """

    games: int
    total: int
    rating: Rating | None


def benchmark_steps(
    agent: str, protocol: BenchmarkProtocol, folder: str | Path, deals: int, jobs: int = 1, ray: str | None = None
) -> Generator[BenchmarkProgress, None, BenchmarkResult]:
    """Measure an agent, yielding the progress, first before anything is played.

    Results are stored in the folder, and nothing is played twice. The same agent has the same result, whatever the
    number of jobs, unless its choices depend on time.

    Args:
        agent: the agent spec.
        protocol: the protocol.
        folder: the folder of the results.
        deals: the number of deals against every opponent: the first ones of the protocol.
        jobs: the number of processes.
        ray: the address of a Ray cluster to play on instead.

    Raises:
        TournamentError: like `romans_training.compare.tournament.run.tournament_steps`.
    """
    line_ups, seen = protocol.line_ups(agent), _Seen(agent, protocol)
    config = protocol.config(agent, deals)
    is_own_code = bool(digest_of(agent))
    steps = line_up_steps(config, list(line_ups.values()), folder, jobs, ray, seen.add, is_own_code)
    try:
        while True:
            now = next(steps)
            if seen.is_broken():
                return _stopped(agent, protocol, seen.faults, seen.games)
            yield BenchmarkProgress(now.games, now.total, seen.rating())
    except WorkerDiedError as error:
        seen.faults.append(FaultCount(-1, DIED, 1, str(error)))
        return _stopped(agent, protocol, seen.faults, seen.games)
    except StopIteration as stop:
        done = stop.value
    finally:
        steps.close()
    played = dict(done.results)
    of_opponents, faults, seconds, decisions = [], [], 0.0, 0
    for opponent, line_up in line_ups.items():
        of_line_up, slot = played[line_up], own_slot(line_up, agent, opponent)
        of_opponents.append(deals_of(line_up, slot, of_line_up))
        faults += [fault for fault in of_line_up.faults if fault.slot == slot]
        seconds += of_line_up.seconds[slot]
        decisions += of_line_up.decisions[slot]
    # A compiled agent was called from Python in these games, for its probabilities, too; it is timed separately.
    is_clocked = decisions and make_agent(agent, protocol.game).compiled_code is None
    milliseconds = 1000.0 * seconds / decisions if is_clocked else done.milliseconds(agent)
    return result_of(
        protocol,
        agent,
        done.digests[agent],
        romans_env.__version__,
        of_opponents,
        faults_by_kind(faults),
        _machine(round(milliseconds, 4)),
    )


def _stopped(agent: str, protocol: BenchmarkProtocol, faults: list[FaultCount], games: int) -> BenchmarkResult:
    """Return the result of an agent that was stopped because of its faults, which has no rating."""
    of_kinds, version = faults_by_kind(faults), romans_env.__version__
    return BenchmarkResult(
        protocol.name, agent, digest_of(agent), version, 0, None, None, (), of_kinds, games, _machine(None)
    )


def _machine(milliseconds: float | None) -> dict[str, Any]:
    return {"processor": get_host_cpu_name(), "milliseconds": milliseconds}


class _Seen:
    """The results of this run's chunks so far."""

    def __init__(self, agent: str, protocol: BenchmarkProtocol):
        self._protocol = protocol
        self._slots = {
            line_up: own_slot(line_up, agent, opponent) for opponent, line_up in protocol.line_ups(agent).items()
        }
        self._shares: dict[LineUp, list[Floats]] = defaultdict(list)
        self.faults: list[FaultCount] = []
        self.games = 0

    def add(self, chunk: Chunk, played: Played) -> None:
        slot = self._slots[chunk.line_up]
        self._shares[chunk.line_up].append(shares_in_deals([slot], chunk.line_up, played))
        self.faults += [fault for fault in played.faults if fault.slot == slot]
        self.games += chunk.num_games

    def is_broken(self) -> bool:
        lost = sum(fault.games for fault in self.faults)
        return lost >= _PATIENCE and 2 * lost >= self.games

    def rating(self) -> Rating | None:
        values = [np.concatenate(parts) for parts in self._shares.values()]
        if len(values) < len(self._slots) or min(map(len, values)) < 2:
            return None
        return rating_in(self._protocol, share_of(values, self._protocol))
