"""Seats of a game at the terminal, new or continued from its record."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

import romans_agents
from romans_agents import PolicyFileError, UnknownAgentError
from romans_agents.permission import FileNotAllowedError
from romans_env import Game, RecordError, load_record, replay
from romans_env.core.games import rules_of
from romans_env.core.protocol import Setup
from romans_env.core.registration import file_of, option_of
from romans_env.errors import in_one_line
from romans_training.cli.options import one_for_each

PERSON = "human"
"""The name of a person in a record."""


class Seating(NamedTuple):
    """A game and its players.

    Attributes:
        game: the current game, with the ``agents`` that its record is to name.
        seat: the person's seat.
        opponents: the agents by seat, starting on the person's left.
    """

    game: Game
    seat: int
    opponents: Mapping[int, romans_agents.Agent]

    def playing(self) -> dict[str, str]:
        """Return the agent spec of each player from here on, or `PERSON`, as a record names them."""
        players = self.game.players
        return {player: self.opponents[k].name if k in self.opponents else PERSON for k, player in enumerate(players)}

    def command(self, file: Path) -> str:
        """Return the command line that continues the game from its record in a file."""
        name, agents = self.game.rules.name, self.game.agents or {}
        words = ["romans", "play", *(option_of(name) if file_of(name) else ()), "--from", str(file)]
        if _people(self.game) != [self.seat]:
            words += ["--seat", str(self.seat)]
        specs = {seat: agent.name for seat, agent in self.opponents.items()}
        if any(agents.get(self.game.players[k]) != spec or _is_of_a_file(spec, name) for k, spec in specs.items()):
            words += ["--against", ",".join(specs.values())]
        return shlex.join(words)


def new_game(table: Setup, seat: int, against: Sequence[str], seed: int) -> Seating:
    """Return a new game with its players.

    Args:
        table: setup of the game.
        seat: the person's seat.
        against: agent specs of the opponents, starting on the person's left; a single one stands for all.
        seed: seed of the deal and of all other randomness.

    Raises:
        click.BadParameter: if there is no such seat, or the number of opponents is wrong.
    """
    game = Game(rules_of(table), seed=seed)
    _check_seat(game, seat)
    seating = Seating(game, seat, _named(game, seat, against))
    game.agents = seating.playing()
    return seating


def game_of_record(file: Path, seat: int | None, against: Sequence[str], seed: int) -> Seating:
    """Return an unfinished game from its record, with fresh chance from there on.

    The record may come from a stranger, so only registered agents are taken from it; agents from files must be named
    in ``against``.

    Args:
        file: path of the record.
        seat: the person's seat; None for the seat of the only person in the record.
        against: agent specs as in `new_game`; if empty, the agents that the record names.
        seed: seed of the chance to come.

    Raises:
        RecordError: if the file is not a record that can be replayed.
        click.UsageError: if the game is over, or the record does not say who plays.
    """
    record = load_record(file)
    try:
        game = replay(record)
    except RecordError as error:
        raise RecordError(f"{in_one_line(file)}: {error}") from None
    if game.is_over:
        raise click.UsageError(f"the game in {in_one_line(file)} is over: show it with romans replay")
    game.play_on(seed)
    if seat is None:
        people = _people(game)
        if len(people) != 1:
            raise click.UsageError(f"{in_one_line(file)} does not say which seat is yours: name it with --seat")
        (seat,) = people
    _check_seat(game, seat)
    opponents = _named(game, seat, against) if against else _recorded(game, seat, in_one_line(file))
    seating = Seating(game, seat, opponents)
    # If two players have decided for one seat, the record names neither.
    recorded, has_acted = game.agents or {}, {player for player, _ in game.actions}
    game.agents = {
        player: agent if player not in has_acted or recorded.get(player) == agent else None
        for player, agent in seating.playing().items()
    }
    return seating


def _check_seat(game: Game, seat: int) -> None:
    if seat >= len(game.players):
        raise click.BadParameter(f"the seats are numbered 0 to {len(game.players) - 1}", param_hint="--seat")


def _people(game: Game) -> list[int]:
    """Return the seats of people: those without an agent in the game's record."""
    agents = game.agents or {}
    return [seat for seat, player in enumerate(game.players) if agents.get(player) in (None, PERSON)]


def _others(game: Game, seat: int) -> list[int]:
    """Return the other seats, starting on the left of ``seat``."""
    count = len(game.players)
    return [(seat + k) % count for k in range(1, count)]


def _named(game: Game, seat: int, against: Sequence[str]) -> dict[int, romans_agents.Agent]:
    others = _others(game, seat)
    specs = one_for_each(tuple(against), len(others), "--against")
    return {other: romans_agents.make(spec, game=game.rules.name) for other, spec in zip(others, specs, strict=True)}


def _recorded(game: Game, seat: int, file: str) -> dict[int, romans_agents.Agent]:
    found, agents = {}, game.agents or {}
    for other in _others(game, seat):
        player = game.players[other]
        spec = agents.get(player)
        if spec in (None, PERSON):
            raise click.UsageError(f"{file} names no agent for {player}: name your opponents with --against")
        try:
            found[other] = romans_agents.make(spec, files="none", game=game.rules.name)
        except FileNotAllowedError:
            why = f"{file} may come from a stranger, and would load {player} from a file: {in_one_line(spec)}"
            raise click.UsageError(f"{why}. Name your opponents with --against if you trust it") from None
        except (UnknownAgentError, PolicyFileError) as error:
            raise click.UsageError(f"{file}: {player}: {error}. Name your opponents with --against") from None
    return found


def _is_of_a_file(spec: str, game: str) -> bool:
    try:
        romans_agents.make(spec, files="none", game=game)
    except FileNotAllowedError:
        return True
    except (UnknownAgentError, PolicyFileError):
        return False
    return False
