"""What loops ask of a game's modules ``players`` and ``guide``, as types (docs/adding_a_game.md prints them).

Arrays are as in `romans_env.engine.step_functions`.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from romans_env.engine.random_stream import Streams
from romans_env.engine.step_functions import States, Words


class Players(Protocol):
    """The compiled agents of a game; an agent's code is a number from FIRST_OWN of `romans_agents.loops.codes` on."""

    def play(self, code: int, states: States, i: int, scratch: States, streams: Streams, words: Words) -> None:
        """Play one decision of the game ``states[i]``, with ``streams[i]`` for chance and a scratch record."""


class ScriptedPlayers(Players, Protocol):
    """Compiled agents of a game's own, which Python asks, too."""

    def choose(self, views: States, code: int) -> int:
        """Return the action of the seat that decides in ``views[0]``, a private view that may be used as scratch."""


class Guide(Protocol):
    """What searches take for granted in a game."""

    def priors(
        self, states: States, i: int, actions: npt.NDArray[np.int64], count: int, priors: npt.NDArray[np.float64]
    ) -> None:
        """Write the prior probabilities of the legal actions, ``actions[:count]``."""

    def arrange_hidden(self, states: States, i: int, seat: int, streams: Streams) -> None:
        """Arrange what a determinization for a seat has dealt to the others as they may well have it, or leave it."""

    def evaluate(
        self, states: States, i: int, streams: Streams, words: Words, returns: npt.NDArray[np.float64]
    ) -> None:
        """Play a determinization on, with ``streams[0]``, and write the expected returns of all players, in [-1, 1]."""


class TurnGuide(Guide, Protocol):
    """What control variates (`romans_agents.variates.chance_variates`) ask beside."""

    EFFORT: tuple[int, int, int]
    """Draws and play-outs of a chance event, and turns of a play-out."""

    def turn_of(self, state: Any) -> int:
        """Return a number that identifies the turn: the next turn has another."""

    def write_expected(self, states: States, i: int, returns: npt.NDArray[np.float64]) -> None:
        """Write the expected returns of all players at the start of a turn; of a game that is over, the returns."""
