"""The step functions of a game whose rules are not compiled, for loop templates (`romans_env.compiling`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.chance import ChanceWords, resolve_chance
from romans_env.core.games import spec_of
from romans_env.core.protocol import GAME_OVER, Rules, States
from romans_env.engine.random_stream import Streams, below, next_word
from romans_env.engine.step_functions import StepFunctions

_NO_MASK = np.empty(0, dtype=np.int8)


def step_of(rules: Rules) -> StepFunctions | PythonStep:
    """Return the game's module of step functions; without one, a `PythonStep`."""
    return spec_of(rules.name).part("step") or PythonStep(rules)


class PythonStep:
    """Those `StepFunctions` that loops over many games call, made of the rules, one game at a time."""

    def __init__(self, rules: Rules):
        self.rules = rules

    def num_players(self, states: States) -> int:
        """See `StepFunctions.num_players`."""
        return self.rules.num_players

    def start(self, states: States, i: int, deal_streams: Streams, words: ChanceWords) -> None:
        """See `StepFunctions.start`."""
        self.rules.start(states, i, deal_streams, words)

    def act(self, states: States, i: int, action: int, words: ChanceWords) -> None:
        """See `StepFunctions.act`."""
        resolve_chance(self.rules, states, i, self.rules.act(states, i, int(action)), words, i)

    def is_over(self, states: States, i: int) -> bool:
        """See `StepFunctions.is_over`."""
        return self.rules.seat_to_act(states, i) == GAME_OVER

    def seat_to_act(self, states: States, i: int) -> int:
        """See `StepFunctions.seat_to_act`."""
        return self.rules.seat_to_act(states, i)

    def is_legal(self, states: States, i: int, action: int) -> bool:
        """See `StepFunctions.is_legal`."""
        return self.rules.is_legal(states, i, int(action))

    def random_action(self, states: States, i: int, streams: Streams, row: int) -> int:
        """See `StepFunctions.random_action`."""
        legal = self.rules.legal_actions(states, i)
        return legal[below(streams, row, len(legal))]

    def legal_actions(self, states: States, i: int, out: npt.NDArray[np.int64]) -> int:
        """See `StepFunctions.legal_actions`."""
        legal = self.rules.legal_actions(states, i)
        out[: len(legal)] = legal
        return len(legal)

    def redact(self, states: States, i: int, seat: int) -> None:
        """See `StepFunctions.redact`."""
        states[i] = self.rules.redacted_for(states, i, int(seat))[0]

    def determinize(self, states: States, view: int, target: int, viewer: int, streams: Streams, row: int) -> None:
        """See `StepFunctions.determinize`."""
        rng = np.random.default_rng([int(next_word(streams, row)) for _ in range(2)])
        states[target] = self.rules.determinize(states[view : view + 1], int(viewer), rng)[0]

    def observe(self, states: States, i: int, seat: int, observations: npt.NDArray[Any], row: int) -> None:
        """See `StepFunctions.observe`."""
        self.rules.observe(states, i, int(seat), observations[row], _NO_MASK)

    def write_mask(self, states: States, i: int, masks: npt.NDArray[np.int8], row: int) -> None:
        """See `StepFunctions.write_mask`."""
        masks[row] = 0
        masks[row, self.rules.legal_actions(states, i)] = 1

    def points(self, states: States, i: int, seat: int) -> int:
        """See `StepFunctions.points`."""
        return self.rules.points(states, i, int(seat))

    def game_return(self, states: States, i: int, seat: int) -> float:
        """See `StepFunctions.game_return`."""
        return self.rules.game_return(states, i, int(seat))

    def is_winner(self, states: States, i: int, seat: int) -> bool:
        """See `StepFunctions.is_winner`."""
        return self.rules.players[seat] in self.rules.winners(states, i)
