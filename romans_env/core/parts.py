"""What layers above supply and environments and loops use, as types.

Classes of those layers have these members; environments and loops know no more of them. A game or a view is `Any` here,
as `romans_env.core.game` imports the registry of games. A part that only layers above use has its type there, such as
`romans_env.render.renderer.Renderer`.
"""

# pyright: reportReturnType=false
# The methods of a protocol are their docstrings.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import Rules, States
from romans_env.engine.random_stream import Streams
from romans_env.engine.step_functions import ChanceWords, Integer

Integers = npt.NDArray[np.int64]


class Players(Protocol):
    """The compiled agents of a game; an agent's code is a number from FIRST_OWN of `romans_agents.loops.codes` on."""

    def play(self, code: int, states: States, i: int, scratch: States, streams: Streams, words: ChanceWords) -> None:
        """Play one decision of the game ``states[i]``, with ``streams[i]`` for chance and a scratch record."""

    def choose(self, views: States, code: int) -> Integer:
        """Return the action of the seat that decides in ``views[0]``, a private view that may be used as scratch."""


class Evaluator(Protocol):
    """What searches and control variates take for granted in a game.

    An evaluator may import any of it but `evaluate` and `write_expected`, which need a game, from
    `romans_agents.loops.uniform_evaluator`, which knows nothing of the game.
    """

    EFFORT: tuple[int, int, int]
    """Draws and play-outs of a chance event, and turns of a play-out, for control variates."""

    def priors(self, states: States, i: int, actions: Integers, count: int, priors: npt.NDArray[np.float64]) -> None:
        """Write the prior probabilities of the legal actions, ``actions[:count]``."""

    def arrange_hidden(self, states: States, i: int, seat: int, streams: Streams) -> None:
        """Arrange what a determinization for a seat has dealt to the others as they may well have it, or leave it."""

    def evaluate(
        self, states: States, i: int, streams: Streams, words: ChanceWords, returns: npt.NDArray[np.float64]
    ) -> None:
        """Play a determinization on, with ``streams[0]``, and write the expected returns of all players, in [-1, 1]."""

    def turn_of(self, state: Any) -> Integer:
        """Return a number that identifies the turn: the next turn has another."""

    def write_expected(self, states: States, i: int, returns: npt.NDArray[np.float64]) -> None:
        """Write the expected returns of all players at the start of a turn; of a game that is over, the returns."""


class AgentLike(Protocol):
    """A `romans_agents.Agent`, as far as environments ask it."""

    name: str

    def seed(self, seed: int) -> None:
        """Start the agent's own chance anew."""

    def act(self, view: Any) -> int:
        """Return the id of a legal action for the seat of a view."""

    def action_probabilities(self, view: Any) -> npt.NDArray[np.float64]:
        """Return how likely it is to choose each action: float64, shape (number of actions,)."""


class LearnerSeatsLike(Protocol):
    """The learner's seat in every game, as `romans_agents.batches.game_arrays.LearnerSeats` describes it."""

    @property
    def won(self) -> npt.NDArray[np.int8]:
        """1 where the learner was among the winners of the game that ended last: int8, shape (n,)."""

    @property
    def points(self) -> Integers:
        """The learner's points at the end of that game: int64, shape (n,)."""

    @property
    def needs_reset(self) -> npt.NDArray[np.int8]:
        """1 where the game has ended and was not started again: int8, shape (n,)."""

    @property
    def replaced(self) -> npt.NDArray[np.int8]:
        """1 where the last action was replaced: int8, shape (n,)."""


class LearnerStepLike(Protocol):
    """What a step gives in every game, as `romans_agents.batches.game_arrays.LearnerStep` describes it."""

    @property
    def observations(self) -> npt.NDArray[Any]:
        """The learner's observation at its next decision: shape (n, observation size)."""

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """Its action mask: int8, shape (n, number of actions)."""

    @property
    def rewards(self) -> npt.NDArray[np.float64]:
        """Its reward up to then, or up to the end of the game: float64, shape (n,)."""

    @property
    def ends(self) -> npt.NDArray[np.int8]:
        """GOES_ON, ENDED or ENDED_ILLEGAL of `romans_env.engine.ends`: int8, shape (n,)."""

    @property
    def final(self) -> npt.NDArray[Any]:
        """Where the game ended, the observation at its end; as ``observations``."""


class LearnerBatch(Protocol):
    """Many games with a learner's seat each: a `romans_agents.batches.single_agent_batch.SingleAgentBatch`."""

    rules: Rules
    states: States
    agents: list[Any]
    masks: npt.NDArray[np.int8]
    observations: npt.NDArray[Any] | None
    restarted: npt.NDArray[np.bool_]
    is_started: bool

    learner: Any
    """The `LearnerSeatsLike`, with the learner's results in the games that ended last."""

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Decide all chance of the games to come."""

    def seed_games(self, indices: Integers, seeds: Sequence[int | None]) -> list[np.random.SeedSequence]:
        """Decide the chance of some games to come, without that of the opponents that play in Python."""

    def start(self, games: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[Any]:
        """Start games, all where none are named; return the learner's observations."""

    def step(self, actions: npt.NDArray[Any]) -> LearnerStepLike:
        """Play the learner's action in every game and run on to its next decision."""

    def seats(self) -> npt.NDArray[np.int8]:
        """Return the learner's seat in every game: int8, shape (n,)."""

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Return what `restore` goes on from."""

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from what `saved` returned."""

    def begin_at_positions(self, share: float, seed: int) -> None:
        """Start a share of the games at positions of earlier ones."""


class ControlVariates(Protocol):
    """Sees games while they are played, and computes their control variates.

    A control variate is a number that is known of a played game and has the expectation zero: for an event whose
    probabilities are known, the expected value over what might have happened less the value of what did. The expected
    value may be estimated from draws that are independent of what happened.
    """

    @property
    def names(self) -> Sequence[str]:
        """The names of the variates."""

    def see(self, states: States, indices: Integers, actions: Integers) -> None:
        """Take note of the actions that are about to be played in some games."""

    def values(self) -> npt.NDArray[np.float64]:
        """Return the variates of the games, once they have been played: float64, shape (games, players, variates)."""
