"""A benchmark from start to end."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import defaultdict
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from llvmlite.binding import get_host_cpu_name

import romans_env
from romans_training.benchmark.protocols import Protocol, own_slot
from romans_training.benchmark.rating import Rating
from romans_training.benchmark.result import (
    BLOCK,
    DIED,
    MOST_FAULTS,
    BenchmarkResult,
    Floats,
    OpponentResult,
    packed,
    rating_in,
    share_of,
    unpacked,
)
from romans_training.tournament.entries import WorkerDiedError, digest_of
from romans_training.tournament.line_ups import LineUp
from romans_training.tournament.match import Chunk, FaultCount, Played, make_agent
from romans_training.tournament.result import faults_by_kind, shares_in_deals, variates_in_deals
from romans_training.tournament.run import line_up_steps
from romans_training.variance_reduction import reduced

_PATIENCE = 20
"""Faults after which an agent that has lost half of its games by them is stopped."""


class BenchmarkProgress(NamedTuple):
    """How far a benchmark has come.

    Attributes:
        games: played so far, in earlier runs included.
        total: games in all.
        rating: from the games of this run, without reduced variance; None while there are too few.
    """

    games: int
    total: int
    rating: Rating | None


def benchmark_steps(
    agent: str, protocol: Protocol, folder: str | Path, deals: int, jobs: int = 1, ray: str | None = None
) -> Generator[BenchmarkProgress, None, BenchmarkResult]:
    """Measure an agent; gives the progress, at first before anything is played.

    Results are kept in the folder, and nothing is played twice. The same agent has the same result, whatever the number
    of jobs, if its choices do not depend on time.

    Args:
        agent: its spec.
        protocol: how it is measured.
        folder: of the results.
        deals: that are played against every opponent, the first ones of the protocol.
        jobs: number of processes.
        ray: address of a Ray cluster to play on instead.

    Raises:
        TournamentError: as for `romans_training.tournament.run.tournament_steps`.
    """
    line_ups, seen = protocol.line_ups(agent), _Seen(agent, protocol)
    config = protocol.config(agent, deals)
    is_own_code = bool(digest_of(agent))
    steps = line_up_steps(config, list(line_ups.values()), folder, jobs, ray, seen.add, is_own_code)
    try:
        while True:
            now = next(steps)
            if seen.is_broken():
                return _result(agent, protocol, digest_of(agent), seen.faults, seen.games)
            yield BenchmarkProgress(now.games, now.total, seen.rating())
    except WorkerDiedError as error:
        seen.faults.append(FaultCount(-1, DIED, 1, str(error)))
        return _result(agent, protocol, digest_of(agent), seen.faults, seen.games)
    except StopIteration as stop:
        done = stop.value
    finally:
        steps.close()
    played = dict(done.results)
    slots = {opponent: own_slot(line_up, agent, opponent) for opponent, line_up in line_ups.items()}
    faults, seconds, decisions = [], 0.0, 0
    for opponent, line_up in line_ups.items():
        of_line_up, slot = played[line_up], slots[opponent]
        faults += [fault for fault in of_line_up.faults if fault.slot == slot]
        seconds += of_line_up.seconds[slot]
        decisions += of_line_up.decisions[slot]
    values = _values_of_deals([(slots[opponent], line_up, played[line_up]) for opponent, line_up in line_ups.items()])
    opponents = [
        _against(opponent, of_deals, played[line_up], protocol)
        for (opponent, line_up), of_deals in zip(line_ups.items(), values, strict=True)
    ]
    share = share_of([unpacked(one.values) for one in opponents], protocol)
    games = sum(one.games for one in opponents)
    is_rated = sum(fault.games for fault in faults) <= MOST_FAULTS * games
    # What plays compiled is asked in Python here, and for probabilities, too: it is measured afterwards.
    is_clocked = decisions and make_agent(agent, protocol.game).compiled_code is None
    milliseconds = 1000.0 * seconds / decisions if is_clocked else done.milliseconds(agent)
    rating = rating_in(protocol, share) if is_rated else None
    return dataclasses.replace(
        _result(agent, protocol, done.digests[agent], faults, games, round(milliseconds, 4)),
        deals=config.deals,
        rating=rating,
        share=share,
        opponents=tuple(opponents),
    )


def _values_of_deals(games: Sequence[tuple[int, LineUp, Played]]) -> list[Floats]:
    """The agent's share of wins in every deal against each opponent, with reduced variance where there are variates.

    The weights are the same against all opponents: those of a slow agent have too few deals for weights of their own.
    """
    values = [shares_in_deals([slot], line_up, played) for slot, line_up, played in games]
    found = [variates_in_deals([slot], line_up, played) for slot, line_up, played in games]
    variates = [of_deals for of_deals in found if of_deals is not None]
    if not variates:
        return values
    groups = np.repeat(np.arange(len(values)), [len(of_deals) for of_deals in values])
    together = reduced(np.concatenate(values), np.concatenate(variates), groups)
    return [together[groups == k] for k in range(len(values))]


def _against(opponent: str, values: Floats, played: Played, protocol: Protocol) -> OpponentResult:
    text = packed(values)
    digests = []
    for first in range(0, len(values), BLOCK):
        block = slice(first, first + BLOCK)
        data = played.winners[block].tobytes() + played.points[block].astype("<i2").tobytes()
        digests.append(hashlib.sha256(data).hexdigest()[:16])
    return OpponentResult(opponent, played.winners.size, share_of([unpacked(text)], protocol), text, tuple(digests))


def _result(
    agent: str, protocol: Protocol, files: str, faults: list[FaultCount], games: int, milliseconds: float | None = None
) -> BenchmarkResult:
    """The result of an agent that is stopped because of its faults: there is no rating."""
    machine, version = {"processor": get_host_cpu_name(), "milliseconds": milliseconds}, romans_env.__version__
    return BenchmarkResult(
        protocol.name, agent, files, version, 0, None, None, (), faults_by_kind(faults), games, machine
    )


class _Seen:
    """What the chunks of this run show while it goes on."""

    def __init__(self, agent: str, protocol: Protocol):
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
