"""A chunk of a tournament: some deals of one line-up, each with every seating. This is what worker processes run."""

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
from romans_agents.arena import Arena
from romans_agents.errors import error_line_with_place
from romans_agents.referee import FAULTS, Referee
from romans_agents.time_limit import DecisionTimeout, run_with_timeout
from romans_env import Game
from romans_env.games import rules_of
from romans_env.protocol import Rules, Setup
from romans_training.deals import deal_games
from romans_training.tournament.entries import TournamentError, digest_of
from romans_training.tournament.line_ups import LineUp

_DEALS, _AGENTS, _GAMES = range(3)
"""What a seed is for; deals are those of `romans_training.deals`."""
_WARM_UP_SECONDS = 120.0


@dataclass(frozen=True)
class Chunk:
    """Deals of a line-up that are played together.

    Attributes:
        setup: the game.
        line_up: who plays.
        digests: `digest_of` the text of every slot.
        first: number of the first deal.
        count: how many deals.
        seed: of the tournament.
        move_time: seconds that a decision may take; None for no limit.
    """

    setup: Setup
    line_up: LineUp
    digests: tuple[str, ...]
    first: int
    count: int
    seed: int
    move_time: float | None = None

    @property
    def num_games(self) -> int:
        """Games of the chunk."""
        return self.count * len(self.line_up.seatings)


class FaultCount(NamedTuple):
    """Games that a slot lost by a kind of fault.

    Attributes:
        slot: of the line-up.
        kind: one of `romans_agents.referee.FAULTS`.
        games: how many.
        message: what was wrong in the first one.
    """

    slot: int
    kind: str
    games: int
    message: str


@dataclass(frozen=True)
class Played:
    """What came of a chunk.

    Attributes:
        winners: clans that won each game, bit k for the clan of seat k: uint8, shape (deals, seatings).
        points: of each player's seat at the end: int16, shape (deals, seatings, players).
        seconds: that each slot thought, as far as it plays in Python.
        decisions: it took in them.
        faults: games lost by faults.
    """

    winners: npt.NDArray[np.uint8]
    points: npt.NDArray[np.int16]
    seconds: tuple[float, ...]
    decisions: tuple[int, ...]
    faults: tuple[FaultCount, ...]


Made = dict[tuple[str, str, int], Agent]
"""Agents that were made, by text, digest and number among those of the same text in a line-up."""


def play_chunk(chunk: Chunk, made_before: Made) -> Played:
    """Play a chunk.

    Agents are seeded anew for every chunk, so that what comes of it does not depend on what was played before, or
    where. One that is at fault loses the game (see `romans_agents.referee`).

    Args:
        chunk: what to play.
        made_before: agents to use again; those that are made are added.

    Raises:
        TournamentError: an agent that cannot be made here, or whose file is another one.
    """
    rules, line_up = rules_of(chunk.setup), chunk.line_up
    players = _players(chunk, rules, made_before)
    words = line_up.seed_words
    for slot, player in enumerate(players):
        sequence = np.random.SeedSequence([chunk.seed, _AGENTS, *words, chunk.first, slot])
        player.seed(int(sequence.generate_state(1)[0]))
    deals = range(chunk.first, chunk.first + chunk.count)
    num_seatings = len(line_up.seatings)
    states, words_of_games = deal_games(rules, deals, chunk.seed).repeated(num_seatings)
    seated = [[players[slot] for slot in seating] for seating in line_up.seatings] * chunk.count
    chance = [
        np.random.SeedSequence([chunk.seed, _GAMES, *words, deal, seating])
        for deal in deals
        for seating in range(num_seatings)
    ]
    referee = Referee(chunk.move_time)
    for _ in Arena(rules, states, seated, chance, referee, words_of_games).play():
        pass
    shape = (chunk.count, num_seatings)
    clocks = [referee.clock_of(player) for player in players]
    return Played(
        winners=_winners(rules, states, referee).reshape(shape),
        points=rules.points_of(states).astype(np.int16).reshape(*shape, rules.num_players),
        seconds=tuple(clock.seconds for clock in clocks),
        decisions=tuple(clock.decisions for clock in clocks),
        faults=_fault_counts(players, referee),
    )


def milliseconds_per_move(agent: Agent, rules: Rules, num_decisions: int = 200, seconds: float = 1.0) -> float:
    """Mean time of ``act`` over decisions of random games: for agents that play compiled, where it cannot be measured.

    It is the thread's own time: decisions are so short that whatever else the machine does would swamp them.

    Args:
        agent: the agent.
        rules: the game and its table.
        num_decisions: how many at most.
        seconds: no further decision after this time.
    """
    rng = np.random.default_rng(0)
    taken: list[float] = []
    game = Game(rules, seed=0)
    while (seat := game.seat_to_act) is not None:  # compiling, of whatever kind of decision, is not its time
        agent.act(game.view(seat))
        game.act(int(rng.choice(game.legal_actions())))
    while len(taken) < num_decisions and sum(taken) < seconds:
        game = Game(rules, seed=int(rng.integers(2**32)))
        while (seat := game.seat_to_act) is not None and len(taken) < num_decisions:
            view = game.view(seat)
            started = time.thread_time()
            agent.act(view)
            taken.append(time.thread_time() - started)
            game.act(int(rng.choice(game.legal_actions())))
    return 1000.0 * sum(taken) / len(taken)


def _players(chunk: Chunk, rules: Rules, made_before: Made) -> list[Agent]:
    """An agent for each slot."""
    players: list[Agent] = []
    same: Counter[str] = Counter()
    for entry, digest in zip(chunk.line_up.slots, chunk.digests, strict=True):
        same[entry.text] += 1
        key = (entry.text, digest, same[entry.text])
        if key not in made_before:
            if digest_of(entry.text) != digest:
                raise TournamentError(
                    f"the file of {entry.text} changed during the tournament, or is another one where it is played"
                )
            made_before[key] = made(entry.text, rules.name)
            _try_out(made_before[key], rules)
        players.append(made_before[key])
    return players


def made(text: str, game: str) -> Agent:
    """`romans_agents.make`, with every failure as a TournamentError that names the agent."""
    try:
        agent = romans_agents.make(text, game=game)
        agent.seed(0)
    except (romans_agents.UnknownAgentError, romans_agents.PolicyFileError) as error:
        raise TournamentError(str(error)) from None
    except Exception as error:
        raise TournamentError(f"the agent {text} cannot be made: {error_line_with_place(error)}") from None
    return agent


def _try_out(agent: Agent, rules: Rules) -> None:
    """Let the agent decide once, unpunished: compiling and loading shall not count as its time."""
    game = Game(rules, seed=0)
    assert game.seat_to_act is not None
    view = game.view(game.seat_to_act)
    # Whoever fails here will be at fault in its games.
    with contextlib.suppress(Exception, SystemExit, DecisionTimeout):
        run_with_timeout(_WARM_UP_SECONDS, lambda: agent.act(view))


def _winners(rules: Rules, states: npt.NDArray[Any], referee: Referee) -> npt.NDArray[np.uint8]:
    """Winning clans as bits; where one was at fault, all others share the win (alone: the seats that play by rule)."""
    at_fault = {fault.game: fault.seat for fault in referee.faults}
    bits = np.zeros(len(states), dtype=np.uint8)
    contenders = range(len(rules.seats) if rules.num_players == 1 else rules.num_players)
    for i in range(len(states)):
        if i in at_fault:
            bits[i] = sum(1 << seat for seat in contenders if seat != at_fault[i])
        else:
            bits[i] = sum(1 << rules.seats.index(clan) for clan in rules.winners(states, i))
    return bits


def _fault_counts(players: list[Agent], referee: Referee) -> tuple[FaultCount, ...]:
    counts = []
    for slot, player in enumerate(players):
        for kind in FAULTS:
            messages = [fault.message for fault in referee.faults if fault.agent is player and fault.kind == kind]
            if messages:
                counts.append(FaultCount(slot, kind, len(messages), messages[0]))
    return tuple(counts)
