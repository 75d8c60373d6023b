"""What a game offers to `romans_env.envs.open_spiel_game`, and the defaults for a game that offers nothing."""

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
"""What the seats remember from the start of a game on; it never changes."""
Tensors = Mapping[str, npt.NDArray[np.float32]]


class Recall(Protocol):
    """Information states with perfect recall."""

    shapes: Mapping[str, tuple[int, ...]]
    """The parts of the tensor behind the observation."""

    def begin(self, states: States) -> Memory:
        """Return what the seats remember at the start."""

    def after(self, memory: Memory, before: States, action: int | None, states: States) -> Memory:
        """Return what the seats remember after an action, or after a chance event (``action`` is None)."""

    def write(self, memory: Memory, states: States, player: int, tensors: Tensors) -> None:
        """Fill the parts of the tensor, which are zeros."""

    def string(self, memory: Memory, states: States, player: int) -> str:
        """Return the information state as text; two texts differ exactly where the seat can tell the states apart."""
        ...


class _Seen(NamedTuple):
    """An observation of a seat as bytes, and the action that it took then; None where it did not act."""

    observation: bytes
    action: int | None


class _ObservationSequence:
    """What a seat has observed from the start on: its observations and its own actions, in order.

    An observation is taken at each decision, whoever decides, and at the end. One that says the same as the one before
    is left out: how often others were asked without a visible effect is not known to the seat.

    In the tensor a row is an observation, and then the action one-hot. In the string an observation is the entries that
    are not as in the one before, ``entry=value``.

    Args:
        rules: the game with its setup.
    """

    def __init__(self, rules: Rules):
        self._rules = rules
        width = rules.observation_size + rules.num_actions
        self.shapes: Mapping[str, tuple[int, ...]] = {"sequence": (rules.max_decisions + 1, width)}

    def begin(self, states: States) -> Memory:
        """Return the memory of a game that begins."""
        return self._with_observations(((),) * self._rules.num_players, states)

    def after(self, memory: Memory, before: States, action: int | None, states: States) -> Memory:
        """Return the memory after an action, or after chance, where ``action`` is None."""
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
        """Write the tensors of what a player knows."""
        size = self._rules.observation_size
        for row, seen in zip(tensors["sequence"], memory[player], strict=False):
            row[:size] = self._as_array(seen)
            if seen.action is not None:
                row[size + seen.action] = 1

    def string(self, memory: Memory, states: States, player: int) -> str:
        """Return what a player knows, as a line."""
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
    """Return the observation of a seat, made from its private view alone."""
    observation = np.empty(rules.observation_size, dtype=rules.observation_low.dtype)
    rules.observe(rules.redacted_for(states, 0, seat), 0, seat, observation, np.empty(0, dtype=np.int8))
    return observation


def _quoted(setup: Setup) -> dict[str, Any]:
    # OpenSpiel writes a game as text, in which commas and brackets have a meaning of their own.
    return {"setup": quote(json.dumps(setup.as_json()))}


def _unquoted(game: str, parameters: dict[str, Any]) -> Setup:
    spec = spec_of(game)
    if not parameters.get("setup"):
        return spec.make_setup()
    return cast(Setup, spec.part("rules").from_json(json.loads(unquote(parameters["setup"]))).setup)


@dataclass(frozen=True)
class OpenSpielPart:
    """What a game may offer; the defaults do for every game whose chance events are listed.

    Attributes:
        parameters: the parameters that OpenSpiel knows, with their defaults: integers, floats, booleans and strings.
        parameters_of: of a setup.
        setup_of: ``setup_of(game, parameters)``: the setup; ``game`` is the game's name. ValueError for parameters
            that make none.
        chance: of the rules: what plays their chance events as `Rules` do, in parts that are listed where the events
            are too many; its ``most_outcomes`` is how many outcomes a part has at most. By default the rules do.
        recall: of the rules: its information states.
    """

    parameters: Mapping[str, Any] = field(default_factory=lambda: {"setup": ""})
    parameters_of: Callable[[Any], dict[str, Any]] = _quoted
    setup_of: Callable[[str, dict[str, Any]], Setup] = _unquoted
    chance: Callable[[Any], Rules] = lambda rules: rules
    recall: Callable[[Any], Recall] = _ObservationSequence


PART = OpenSpielPart()
