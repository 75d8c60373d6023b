"""The decisions of recorded games as arrays: observations, actions and returns."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env import Game, View
from romans_env.core.protocol import Rules
from romans_env.core.record_playback import check_end
from romans_env.core.records import RecordError, checked_agents, checked_spec
from romans_env.errors import in_one_line
from romans_training.data.record_files import SourcedRecord


class PlayedGame(NamedTuple):
    """The n decisions of one game.

    Attributes:
        rules: the rules of the game with its setup.
        agents: the agent spec of every seat; None if the record names none.
        seats: the seat that decided: int8, shape ``(n,)``.
        observations: int8 or int16 as the game has them, shape ``(n, observation_size)``.
        masks: action masks: int8, shape ``(n, num_actions)``.
        actions: int16, shape ``(n,)``.
        returns: of every seat at the end: float32, shape ``(seats,)``; None if the record stops before the end.
        end: the game at the end of the record.
        notes: the results of the reader's ``note`` for the n decisions; empty without it.
    """

    rules: Rules
    agents: tuple[str | None, ...]
    seats: npt.NDArray[np.int8]
    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int16]
    returns: npt.NDArray[np.float32] | None
    end: Game
    notes: Sequence[Any] = ()


class RecordReader:
    """Replays and checks records of one game.

    Args:
        name: the name of the game; None for the first record's game.
        note: called with the seat's view and the action at every decision; the results become `PlayedGame.notes`.
    """

    def __init__(self, name: str | None = None, note: Callable[[View, int], Any] | None = None):
        self.name, self._note = name, note
        self._rules: dict[str, tuple[Rules, dict[str, int]]] = {}

    def play(self, sourced: SourcedRecord) -> PlayedGame:
        """Replay a record and return its decisions.

        Raises:
            RecordError: if the record violates the rules or is of another game; says where.
        """
        try:
            return self._play(sourced.record)
        except RecordError as error:
            raise RecordError(f"{sourced.place}: {error}") from None

    def _play(self, record: dict[str, Any]) -> PlayedGame:
        rules, ids = self._rules_of(record)
        try:
            game = Game.of_deal(rules, record["deal"])
        except (ValueError, TypeError) as error:
            raise RecordError(f"the record's deal does not fit: {in_one_line(error)}") from None
        game.agents = checked_agents(record["agents"], game.players)
        entries = record["actions"]
        if not isinstance(entries, list):
            raise RecordError("the record's actions are not a list")
        count = len(entries)
        observations = np.empty((count, rules.observation_size), dtype=rules.observation_low.dtype)
        masks = np.empty((count, rules.num_actions), dtype=np.int8)
        seats, actions, notes = [], [], []
        players, observe, seat = game.players, rules.observe, game.seat_to_act
        for k, entry in enumerate(entries):
            player, _, name = entry.partition(" ") if isinstance(entry, str) else ("", "", "")
            action = ids.get(name)
            if action is None or seat is None or seat < 0 or player != players[seat]:
                raise RecordError(f"action {k + 1} of {count}, {in_one_line(entry, 100)}, cannot be played here")
            observe(game.states, 0, seat, observations[k], masks[k])
            seats.append(seat)
            actions.append(action)
            if self._note is not None and action in game.legal_actions():
                notes.append(self._note(game.view(seat), action))
            try:
                seat = game.act(action)
            except ValueError as error:
                raise RecordError(f"action {k + 1} of {count}: {in_one_line(error)}") from None
        check_end(game, record)
        agents = tuple((game.agents or {}).get(player) for player in game.players)
        returns = None
        if game.is_over:
            returns = np.array([game.returns()[player] for player in game.players], dtype=np.float32)
        as_seats, as_actions = np.array(seats, dtype=np.int8), np.array(actions, dtype=np.int16)
        return PlayedGame(rules, agents, as_seats, observations, masks, as_actions, returns, game, notes)

    def _rules_of(self, record: dict[str, Any]) -> tuple[Rules, dict[str, int]]:
        spec = checked_spec(record)
        if self.name not in (None, spec.name):
            raise RecordError(f"it is of {spec.name}, earlier records of {self.name}: export each game separately")
        self.name = spec.name
        key = json.dumps(record["table"])
        if key not in self._rules:
            try:
                rules: Rules = spec.part("rules").from_json(record["table"])
            except (ValueError, TypeError) as error:
                raise RecordError(f"the record's table does not fit: {in_one_line(error)}") from None
            self._rules[key] = rules, {name: k for k, name in enumerate(rules.action_names)}
        return self._rules[key]


@dataclass(frozen=True)
class DecisionTable:
    """The n decisions of some games, in the order of the games and of play.

    Attributes:
        game: the index of the game among the records: int64, shape ``(n,)``.
        step: the index of the decision in its game: int32, shape ``(n,)``.
        setups: the names of the setups, such as ``2+0``.
        setup: the index of the setup in ``setups``: int32, shape ``(n,)``.
        seat: the seat that decided: int8, shape ``(n,)``.
        agents: the agent specs.
        agent: the index in ``agents`` of the seat's agent, -1 if the record names none: int32, shape ``(n,)``.
        observation: int8 or int16 as the game has them, shape ``(n, observation_size)``.
        action_mask: int8, shape ``(n, num_actions)``.
        action: int16, shape ``(n,)``.
        is_last: whether it is the last decision of its seat in the game: bool, shape ``(n,)``.
        reward: the seat's reward between this decision and its next one, or the end: float32, shape ``(n,)``; NaN in a
            game that was not played to its end.
        returns: the seat's return at the end of the game, in [-1, 1]: float32, shape ``(n,)``; NaN likewise.
    """

    game: npt.NDArray[np.int64]
    step: npt.NDArray[np.int32]
    setups: tuple[str, ...]
    setup: npt.NDArray[np.int32]
    seat: npt.NDArray[np.int8]
    agents: tuple[str, ...]
    agent: npt.NDArray[np.int32]
    observation: npt.NDArray[Any]
    action_mask: npt.NDArray[np.int8]
    action: npt.NDArray[np.int16]
    is_last: npt.NDArray[np.bool_]
    reward: npt.NDArray[np.float32]
    returns: npt.NDArray[np.float32]


def decisions_of(games: Sequence[PlayedGame], first: int) -> DecisionTable:
    """Return the decisions of some games as one table.

    Args:
        games: the games, at least one.
        first: the index of the first one.
    """
    counts = [one.actions.size for one in games]
    setups = tuple(dict.fromkeys(str(one.rules.setup) for one in games))
    agents = tuple(dict.fromkeys(spec for one in games for spec in one.agents if spec is not None))
    numbers: dict[str | None, int] = {None: -1, **{spec: k for k, spec in enumerate(agents)}}
    seated = [np.array([numbers[spec] for spec in one.agents], dtype=np.int32) for one in games]
    rewards, returns, lasts = zip(*(_rewards_of(one) for one in games), strict=True)
    return DecisionTable(
        game=np.repeat(np.arange(first, first + len(games)), counts),
        step=np.concatenate([np.arange(count, dtype=np.int32) for count in counts]),
        setups=setups,
        setup=np.repeat(np.array([setups.index(str(one.rules.setup)) for one in games], dtype=np.int32), counts),
        seat=np.concatenate([one.seats for one in games]),
        agents=agents,
        agent=np.concatenate([who[one.seats] for who, one in zip(seated, games, strict=True)]),
        observation=np.concatenate([one.observations for one in games]),
        action_mask=np.concatenate([one.masks for one in games]),
        action=np.concatenate([one.actions for one in games]),
        is_last=np.concatenate(lasts),
        reward=np.concatenate(rewards),
        returns=np.concatenate(returns),
    )


def _rewards_of(one: PlayedGame) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Return rewards, returns, and which decisions are the last of their seat."""
    is_last = np.zeros(one.actions.size, dtype=np.bool_)
    if one.returns is None:
        unknown = np.full(one.actions.size, np.nan, dtype=np.float32)
        return unknown, unknown, is_last
    seats, latest = np.unique(one.seats[::-1], return_index=True)
    is_last[one.seats.size - 1 - latest] = seats.size > 0
    returns = one.returns[one.seats]
    return np.where(is_last, returns, np.float32(0.0)), returns, is_last
