"""A chunk of a tournament: some deals of one line-up, each with every seating. Worker processes run this module."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import romans_agents
from romans_agents import Agent
from romans_agents.batches.adjudicator import FAULTS, Adjudicator
from romans_agents.batches.arena import Arena
from romans_agents.batches.time_limit import DecisionTimeout, run_with_timeout
from romans_agents.external.hosted_agent import HostedAgent
from romans_env import Game
from romans_env.core.games import rules_of
from romans_env.core.protocol import Rules
from romans_env.core.python_files import parts_of
from romans_env.errors import error_line_with_place
from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.entries import TournamentError, digest_of
from romans_training.compare.tournament.line_ups import LineUp
from romans_training.measure.deals import deal_games
from romans_training.measure.variance_reduction import variates_of

_DEALS, _AGENTS, _GAMES, _DRAWS = range(4)
"""Purposes of random numbers, as a word of derived seeds; common deals come from `romans_training.measure.deals`."""
_WARM_UP_SECONDS = 120.0


@dataclass(frozen=True)
class Chunk:
    """Deals of a line-up that are played together.

    Attributes:
        config: the settings of the tournament.
        line_up: the line-up.
        digests: `digest_of` the spec of each slot.
        first: the index of the first deal.
        count: the number of deals.
    """

    config: TournamentConfig
    line_up: LineUp
    digests: tuple[str, ...]
    first: int
    count: int

    @property
    def num_games(self) -> int:
        """The number of games in the chunk."""
        return self.count * len(self.line_up.seatings)


class FaultCount(NamedTuple):
    """Games that a slot lost by one kind of fault.

    Attributes:
        slot: the slot of the line-up.
        kind: one of `romans_agents.batches.adjudicator.FAULTS`.
        games: the number of games.
        message: the error message of the first one.
    """

    slot: int
    kind: str
    games: int
    message: str


@dataclass(frozen=True)
class Played:
    """The result of a chunk.

    Attributes:
        winners: the winning seats of each game; bit k stands for seat k: uint8, shape ``(deals, seatings)``.
        points: final points of each player's seat: int16, shape ``(deals, seatings, players)``.
        seconds: thinking time of each slot, for agents that play in Python.
        decisions: the number of decisions of each slot in that time.
        faults: games lost by faults.
        variates: control variates of each player's seat: float32, shape ``(deals, seatings, players, variates)``; None
            without variance reduction.
    """

    winners: npt.NDArray[np.uint8]
    points: npt.NDArray[np.int16]
    seconds: tuple[float, ...]
    decisions: tuple[int, ...]
    faults: tuple[FaultCount, ...]
    variates: npt.NDArray[np.float32] | None = None


AgentCache = dict[tuple[str, str, int], Agent]
"""Agents by spec, digest and the ordinal among equal specs in a line-up."""


def play_chunk(chunk: Chunk, agents: AgentCache) -> Played:
    """Play a chunk.

    Agents are reseeded for every chunk, so results do not depend on what was played before, or where. An agent that
    commits a fault loses the game (see `romans_agents.batches.adjudicator`).

    Args:
        chunk: the chunk to play.
        agents: a cache of agents; new ones are added.

    Raises:
        TournamentError: if an agent cannot be made here, or its file has changed.
    """
    config, line_up = chunk.config, chunk.line_up
    rules = rules_of(config.setup)
    players = _players(chunk, rules, agents)
    words = line_up.seed_words
    for slot, player in enumerate(players):
        sequence = np.random.SeedSequence([config.seed, _AGENTS, *words, chunk.first, slot])
        player.seed(int(sequence.generate_state(1)[0]))
    deals = range(chunk.first, chunk.first + chunk.count)
    num_seatings = len(line_up.seatings)
    seed_of_deals = config.seed
    if config.own_deals:
        # As many random words as the seed has: a secret seed must not become easier to guess from published games.
        num_words = max(1, -(-config.seed.bit_length() // 32))
        deal_words = np.random.SeedSequence([config.seed, _DEALS, *words]).generate_state(num_words)
        seed_of_deals = sum(int(word) << 32 * k for k, word in enumerate(deal_words))
    states, words_of_games = deal_games(rules, deals, seed_of_deals).repeated(num_seatings)
    seated = [[players[slot] for slot in seating] for seating in line_up.seatings] * chunk.count
    chance = [
        np.random.SeedSequence([config.seed, _GAMES, *words, deal, seating])
        for deal in deals
        for seating in range(num_seatings)
    ]
    adjudicator = Adjudicator(config.move_time)
    draws = np.random.SeedSequence([config.seed, _DRAWS, *words, chunk.first])
    variates = variates_of(config.variance_reduction, rules, seated, draws, words_of_games)
    for _ in Arena(rules, states, seated, chance, adjudicator, words_of_games, callback=variates).play():
        pass
    shape = (chunk.count, num_seatings)
    clocks = [adjudicator.clock_of(player) for player in players]
    return Played(
        winners=_winners(rules, states, adjudicator).reshape(shape),
        points=rules.points_of(states).astype(np.int16).reshape(*shape, rules.num_players),
        seconds=tuple(clock.seconds for clock in clocks),
        decisions=tuple(clock.decisions for clock in clocks),
        faults=_fault_counts(players, adjudicator),
        variates=None
        if variates is None
        else variates.values().astype(np.float32).reshape(*shape, rules.num_players, -1),
    )


def milliseconds_per_move(agent: Agent, rules: Rules) -> float:
    """Measure the mean time of ``act`` in milliseconds, over 200 decisions in random games or one second of decisions.

    This is for compiled agents, which are not timed in tournament games. It counts the thread's CPU time: decisions are
    so short that other load on the machine would dominate them.

    Args:
        agent: the agent.
        rules: the rules of the game with its setup.
    """
    rng = np.random.default_rng(0)
    taken: list[float] = []
    game = Game(rules, seed=0)
    while (seat := game.seat_to_act) is not None:  # one whole game first, so that compilation is not timed
        agent.act(game.view(seat))
        game.act(int(rng.choice(game.legal_actions())))
    while len(taken) < 200 and sum(taken) < 1.0:
        game = Game(rules, seed=int(rng.integers(2**32)))
        while (seat := game.seat_to_act) is not None and len(taken) < 200:
            view = game.view(seat)
            started = time.thread_time()
            agent.act(view)
            taken.append(time.thread_time() - started)
            game.act(int(rng.choice(game.legal_actions())))
    return 1000.0 * sum(taken) / len(taken)


def _players(chunk: Chunk, rules: Rules, agents: AgentCache) -> list[Agent]:
    """Return an agent for each slot."""
    config, players = chunk.config, list[Agent]()
    same: Counter[str] = Counter()
    for entry, digest in zip(chunk.line_up.slots, chunk.digests, strict=True):
        same[entry.spec] += 1
        key = (entry.spec, digest, same[entry.spec])
        if key not in agents:
            if digest_of(entry.spec) != digest:
                raise TournamentError(
                    f"the file of {entry.spec} changed during the tournament, or differs on the machine that plays"
                )
            agents[key] = player_of(entry.spec, config)
            _try_out(agents[key], rules)
        players.append(agents[key])
    return players


def player_of(spec: str, config: TournamentConfig) -> Agent:
    """Make an agent of a tournament, like `make_agent`; if it is hosted, its file is not loaded in this process."""
    if config.hosted and (parts_of(spec) or spec.endswith(".zip")):
        return HostedAgent(spec, rules_of(config.setup), config.move_time)
    return make_agent(spec, config.setup.game)


def make_agent(spec: str, game: str) -> Agent:
    """Make an agent like `romans_agents.make`; every failure becomes a TournamentError that names the agent."""
    try:
        agent = romans_agents.make(spec, game=game)
        agent.seed(0)
    except (romans_agents.UnknownAgentError, romans_agents.PolicyFileError) as error:
        raise TournamentError(str(error)) from None
    except Exception as error:
        raise TournamentError(f"cannot make the agent {spec}: {error_line_with_place(error)}") from None
    return agent


def _try_out(agent: Agent, rules: Rules) -> None:
    """Let the agent decide once, so that compiling and loading do not count as its thinking time."""
    game = Game(rules, seed=0)
    assert game.seat_to_act is not None
    view = game.view(game.seat_to_act)
    # An agent that fails here will fail in its games, where it counts as a fault.
    with contextlib.suppress(Exception, SystemExit, DecisionTimeout):
        run_with_timeout(_WARM_UP_SECONDS, lambda: agent.act(view))


def _winners(rules: Rules, states: npt.NDArray[Any], adjudicator: Adjudicator) -> npt.NDArray[np.uint8]:
    """Return the winning seats as bits.

    After a fault all other players share the win; in a solo game the neutral seats do.
    """
    at_fault = {fault.game: fault.seat for fault in adjudicator.faults}
    bits = np.zeros(len(states), dtype=np.uint8)
    contenders = range(len(rules.seats) if rules.num_players == 1 else rules.num_players)
    for i in range(len(states)):
        if i in at_fault:
            bits[i] = sum(1 << seat for seat in contenders if seat != at_fault[i])
        else:
            bits[i] = sum(1 << rules.seats.index(clan) for clan in rules.winners(states, i))
    return bits


def _fault_counts(players: list[Agent], adjudicator: Adjudicator) -> tuple[FaultCount, ...]:
    counts = []
    for slot, player in enumerate(players):
        for kind in FAULTS:
            messages = [fault.message for fault in adjudicator.faults if fault.agent is player and fault.kind == kind]
            if messages:
                counts.append(FaultCount(slot, kind, len(messages), messages[0]))
    return tuple(counts)
