"""The part of a game for `romans_env.envs.open_spiel_game`, and its defaults."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, cast
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt

from romans_env.core.games import spec_of
from romans_env.core.protocol import CHANCE, Rules, Setup, States

Memory = Any
"""What the seats remember of a game since its start; an immutable value."""
Tensors = Mapping[str, npt.NDArray[np.float32]]


class Recall(Protocol):
    """Information states with perfect recall; ``states`` are records, shape ``(1,)``."""

    shapes: Mapping[str, tuple[int, ...]]
    """The shapes of the tensor's parts, by name, which follow the observation."""

    def begin(self, states: States) -> Memory:
        """Return what the seats remember at the start of a game, a record of shape ``(1,)``."""

    def after(self, memory: Memory, before: States, action: int | None, states: States) -> Memory:
        """Return what the seats remember after an action or a chance event.

        Args:
            memory: what they remembered before.
            before: the record before it, shape ``(1,)``.
            action: the action; None for a chance event.
            states: the record after it, shape ``(1,)``.
        """

    def write(self, memory: Memory, states: States, player: int, tensors: Tensors) -> None:
        """Write the information state of a player into the parts of the tensor.

        Args:
            memory: what the seats remember.
            states: the player's private view, shape ``(1,)``.
            player: the player's seat.
            tensors: the parts by name, float32, with the shapes of `shapes`; all zeros before.
        """

    def string(self, memory: Memory, states: States, player: int) -> str:
        """Return the information state of a player as text: the same for two states if it cannot tell them apart.

        Other states have other texts.

        Args:
            memory: what the seats remember.
            states: the player's private view, shape ``(1,)``.
            player: the player's seat.
        """
        ...


class _Seen(NamedTuple):
    """An observation of a seat as bytes, and the action that it took then; None if it did not act."""

    observation: bytes
    action: int | None


class _ObservationSequence:
    """The default information state: the sequence of a seat's observations and own actions since the start.

    An observation is made at each decision of any seat, and at the end. One that equals the previous one is left out,
    because a seat does not know how many decisions without a visible effect others made.

    In the tensor each row is an observation followed by the action one-hot. In the string an observation is written as
    the entries that have changed since the previous one, ``entry=value``.

    Args:
        rules: the game with its setup.
    """

    def __init__(self, rules: Rules):
        self._rules = rules
        width = rules.observation_size + rules.num_actions
        self.shapes: Mapping[str, tuple[int, ...]] = {"sequence": (rules.max_decisions + 1, width)}

    def begin(self, states: States) -> Memory:
        """Return the memory at the start of a game, a record of shape ``(1,)``."""
        return self._with_observations(((),) * self._rules.num_players, states)

    def after(self, memory: Memory, before: States, action: int | None, states: States) -> Memory:
        """Return the memory after an action, or after a chance event if ``action`` is None.

        ``before`` and ``states`` are the records before and after it, shape ``(1,)``.
        """
        if action is not None:
            seat = self._rules.seat_to_act(before, 0)
            acted = (*memory[seat][:-1], memory[seat][-1]._replace(action=action))
            memory = (*memory[:seat], acted, *memory[seat + 1 :])
        return self._with_observations(memory, states)

    def _with_observations(self, memory: Memory, states: States) -> Memory:
        if self._rules.seat_to_act(states, 0) == CHANCE:
            return memory
        found = []
        for seat, seen in enumerate(memory):
            latest = _Seen(observation_of(self._rules, states, seat).tobytes(), None)
            found.append(seen if seen and seen[-1] == latest else (*seen, latest))
        return tuple(found)

    def write(self, memory: Memory, states: States, player: int, tensors: Tensors) -> None:
        """Write the sequence of a player into ``tensors["sequence"]``, float32, with the shape in `shapes`."""
        size = self._rules.observation_size
        for row, seen in zip(tensors["sequence"], memory[player], strict=False):
            row[:size] = self._as_array(seen)
            if seen.action is not None:
                row[size + seen.action] = 1

    def string(self, memory: Memory, states: States, player: int) -> str:
        """Return the sequence of a player, whose view ``states`` is, shape ``(1,)``, as one line."""
        parts, last = [self._rules.players[player]], np.zeros_like(self._rules.observation_low)
        for seen in memory[player]:
            observation = self._as_array(seen)
            parts.append(" ".join(f"{entry}={observation[entry]}" for entry in (observation != last).nonzero()[0]))
            if seen.action is not None:
                parts.append(self._rules.action_name(seen.action))
            last = observation
        return " | ".join(parts)

    def _as_array(self, seen: _Seen) -> npt.NDArray[Any]:
        return np.frombuffer(seen.observation, dtype=self._rules.observation_low.dtype)


def observation_of(rules: Rules, states: States, seat: int) -> npt.NDArray[Any]:
    """Return the observation of a seat, computed from its private view.

    Args:
        rules: the game with its setup.
        states: the game's record, shape ``(1,)``.
        seat: the seat.

    Returns:
        The observation: int8, int16 or float32, as the game has it, shape ``(observation_size,)``.
    """
    observation = np.empty(rules.observation_size, dtype=rules.observation_low.dtype)
    rules.observe(rules.redacted_for(states, 0, seat), 0, seat, observation, np.empty(0, dtype=np.int8))
    return observation


def _quoted(setup: Setup) -> dict[str, Any]:
    """Return a setup as OpenSpiel parameters: one parameter, URL-quoted JSON."""
    # Quoted, because commas and brackets separate parameters in OpenSpiel's text of a game.
    return {"setup": quote(json.dumps(setup.as_json()))}


def _unquoted(game: str, parameters: dict[str, Any]) -> Setup:
    """Return the setup that `_quoted` has written; the default setup if the parameter is empty."""
    spec = spec_of(game)
    if not parameters.get("setup"):
        return spec.make_setup()
    return cast(Setup, spec.part("rules").from_json(json.loads(unquote(parameters["setup"]))).setup)


def _itself(rules: Rules) -> Rules:
    """Return the rules, whose chance events list their outcomes."""
    return rules


@dataclass(frozen=True)
class OpenSpielPart:
    """How a game becomes an OpenSpiel game; the defaults suit every game whose chance events list their outcomes.

    Attributes:
        parameters: the game's parameters in OpenSpiel with their defaults, which are integers, floats, booleans or
            strings.
        parameters_of: a function that converts a setup to parameters.
        setup_of: a function that converts the name of the game and parameters to a setup; it raises ValueError for
            invalid parameters.
        chance: a function that takes the rules and returns rules that play the chance events; it splits events with too
            many outcomes into several events whose outcomes are listed. Its result may have the attribute
            ``most_outcomes``, the largest number of outcomes of an event. By default the rules themselves.
        recall: a function that takes the rules and returns their `Recall`.
    """

    parameters: Mapping[str, Any] = field(default_factory=lambda: {"setup": ""})
    parameters_of: Callable[[Any], dict[str, Any]] = _quoted
    setup_of: Callable[[str, dict[str, Any]], Setup] = _unquoted
    chance: Callable[[Any], Rules] = _itself
    recall: Callable[[Any], Recall] = _ObservationSequence


PART = OpenSpielPart()
