"""Step functions for games whose rules are not compiled, so that the loops over many games can play them."""

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
    """Return the game's module of step functions, or a `PythonStep` if it has none."""
    return spec_of(rules.name).part("step") or PythonStep(rules)


class PythonStep:
    """The `StepFunctions` that loops over many games call, implemented with the rules.

    ``states`` are records, shape ``(n,)``; random streams and chance words are int64, shape ``(rows, 4)``.

    Args:
        rules: the game with its setup.
    """

    def __init__(self, rules: Rules):
        self.rules = rules

    def num_players(self, states: States) -> int:
        """Return the number of players, the same in all games of ``states``, shape ``(n,)``."""
        return self.rules.num_players

    def start(self, states: States, i: int, deal_streams: Streams, words: ChanceWords) -> None:
        """Begin game i, and play to the first decision.

        Chance comes from ``deal_streams[i]``, which advances; the chance words of the game are written into
        ``words[i]``: both int64, shape ``(n, 4)``.
        """
        self.rules.start(states, i, deal_streams, words)

    def act(self, states: States, i: int, action: int, words: ChanceWords) -> None:
        """Play a legal action and the chance events after it, drawn with ``words[i]``, int64, shape ``(n, 4)``."""
        resolve_chance(self.rules, states, i, self.rules.act(states, i, int(action)), words, i)

    def is_over(self, states: States, i: int) -> bool:
        """Return whether game i of ``states``, shape ``(n,)``, has ended."""
        return self.rules.seat_to_act(states, i) == GAME_OVER

    def seat_to_act(self, states: States, i: int) -> int:
        """Return the seat to act in game i of ``states``, shape ``(n,)``; GAME_OVER once it is over."""
        return self.rules.seat_to_act(states, i)

    def is_legal(self, states: States, i: int, action: int) -> bool:
        """Return whether any integer is a legal action in game i of ``states``, shape ``(n,)``."""
        return self.rules.is_legal(states, i, int(action))

    def random_action(self, states: States, i: int, streams: Streams, row: int) -> int:
        """Draw a legal action uniformly with ``streams[row]``, int64, shape ``(rows, 4)``, which advances."""
        legal = self.rules.legal_actions(states, i)
        return legal[below(streams, row, len(legal))]

    def legal_actions(self, states: States, i: int, out: npt.NDArray[np.int64]) -> int:
        """Write the legal actions, ascending, into ``out``, int64, shape ``(num_actions,)``; return their number."""
        legal = self.rules.legal_actions(states, i)
        out[: len(legal)] = legal
        return len(legal)

    def redact(self, states: States, i: int, seat: int) -> None:
        """Replace game i of ``states``, shape ``(n,)``, by the private view of a seat."""
        states[i] = self.rules.redacted_for(states, i, int(seat))[0]

    def determinize(self, states: States, view: int, target: int, viewer: int, streams: Streams, row: int) -> None:
        """Sample a determinization of ``states[view]``, the private view of ``viewer``, into ``states[target]``.

        It is drawn with ``streams[row]``, int64, shape ``(rows, 4)``, which advances.
        """
        rng = np.random.default_rng([int(next_word(streams, row)) for _ in range(2)])
        states[target] = self.rules.determinize(states[view : view + 1], int(viewer), rng)[0]

    def observe(self, states: States, i: int, seat: int, observations: npt.NDArray[Any], row: int) -> None:
        """Write the observation of a seat into ``observations[row]``.

        ``observations`` has shape ``(rows, observation_size)`` and the game's dtype, such as float32.
        """
        self.rules.observe(states, i, int(seat), observations[row], _NO_MASK)

    def write_mask(self, states: States, i: int, masks: npt.NDArray[np.int8], row: int) -> None:
        """Write the action mask of the seat to act into ``masks[row]``: int8, shape ``(rows, num_actions)``."""
        masks[row] = 0
        masks[row, self.rules.legal_actions(states, i)] = 1

    def points(self, states: States, i: int, seat: int) -> int:
        """Return the current points of a player in game i of ``states``, shape ``(n,)``."""
        return self.rules.points(states, i, int(seat))

    def game_return(self, states: States, i: int, seat: int) -> float:
        """Return the return of a player, in [-1, 1], in game i of ``states``, shape ``(n,)``, which is over."""
        return self.rules.game_return(states, i, int(seat))

    def is_winner(self, states: States, i: int, seat: int) -> bool:
        """Return whether a player has won game i of ``states``, shape ``(n,)``, which is over."""
        return self.rules.players[seat] in self.rules.winners(states, i)
