"""Types of the parts that higher layers supply to environments and loops: agents, evaluators, batches.

The classes of those layers implement these protocols, and environments and loops use nothing else of them. A game or a
view is `Any` here, because `romans_env.core.game` imports the registry of games. A part that only higher layers use has
its type there, such as `romans_env.render.renderer.Renderer`.
"""

# pyright: reportReturnType=false
# The methods of a protocol have docstrings for bodies.

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
    """The compiled agents of a game, by policy id: numbers from FIRST_OWN of `romans_agents.loops.codes` on."""

    def play(self, code: int, states: States, i: int, scratch: States, streams: Streams, words: ChanceWords) -> None:
        """Play one decision of the agent ``code`` in game i of ``states``, shape ``(n,)``.

        ``scratch`` is a record of its own, shape ``(1,)``; random numbers come from ``streams[i]`` and chance events
        from ``words[i]``, both int64, shape ``(n, 4)``.
        """

    def choose(self, views: States, code: int) -> Integer:
        """Return the action of the agent ``code`` for ``views[0]``, a private view, shape ``(1,)``; it may change."""


class Evaluator(Protocol):
    """The knowledge of a game that searches and control variates use: priors, likely hidden cards, values.

    An evaluator may import the default of any function except `evaluate` and `write_expected`, which need a game, from
    `romans_agents.loops.uniform_evaluator`.
    """

    EFFORT: tuple[int, int, int]
    """For control variates: outcomes sampled and rollouts played for each chance event, and turns in a rollout."""

    def priors(self, states: States, i: int, actions: Integers, count: int, priors: npt.NDArray[np.float64]) -> None:
        """Write the priors of the legal actions ``actions[:count]`` into ``priors[:count]``; they sum to 1.

        ``actions`` are int64, ``priors`` float64, both of shape ``(num_actions,)``.
        """

    def arrange_hidden(self, states: States, i: int, seat: int, streams: Streams) -> None:
        """Rearrange the hidden cards in game i, a determinization for ``seat``, into a likelier order, or do nothing.

        Random numbers come from ``streams[0]``, int64, shape ``(1, 4)``.
        """

    def evaluate(
        self, states: States, i: int, streams: Streams, words: ChanceWords, returns: npt.NDArray[np.float64]
    ) -> None:
        """Play game i, a determinization, to the end of a rollout, and write the expected returns of all players.

        ``returns`` are float64, shape ``(num_players,)``, in [-1, 1]. Random numbers come from ``streams[0]`` and
        chance events from ``words[i]``, int64, shape ``(rows, 4)``.
        """

    def turn_of(self, state: Any) -> Integer:
        """Return a number that identifies the current turn; consecutive turns have different numbers."""

    def write_expected(self, states: States, i: int, returns: npt.NDArray[np.float64]) -> None:
        """Write the expected returns of all players, at the start of a turn or after the end, into ``returns``.

        ``returns`` are float64, shape ``(num_players,)``, in [-1, 1].
        """


class AgentLike(Protocol):
    """The members of a `romans_agents.Agent` that environments use."""

    name: str
    """The agent's name, for records and messages."""

    def seed(self, seed: int) -> None:
        """Restart the agent's random numbers from a seed."""

    def act(self, view: Any) -> int:
        """Return the id of a legal action for the seat of a view."""

    def action_probabilities(self, view: Any) -> npt.NDArray[np.float64]:
        """Return the probability with which it chooses each action: float64, shape ``(num_actions,)``."""


class LearnerSeatsLike(Protocol):
    """The learner's seat in every game; see `romans_agents.batches.game_arrays.LearnerSeats`."""

    @property
    def won(self) -> npt.NDArray[np.int8]:
        """1 where the learner was among the winners of the game that ended last: int8, shape ``(n,)``."""

    @property
    def points(self) -> Integers:
        """The learner's points at the end of that game: int64, shape ``(n,)``."""

    @property
    def needs_reset(self) -> npt.NDArray[np.int8]:
        """1 where the game has ended and has not been started again: int8, shape ``(n,)``."""

    @property
    def replaced(self) -> npt.NDArray[np.int8]:
        """1 where the last action was illegal and was replaced: int8, shape ``(n,)``."""


class LearnerStepLike(Protocol):
    """The results of a step in every game; see `romans_agents.batches.game_arrays.LearnerStep`."""

    @property
    def observations(self) -> npt.NDArray[Any]:
        """The learner's observation at its next decision: shape ``(n, observation_size)``, int8, int16 or float32."""

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """Its action mask: int8, shape ``(n, num_actions)``."""

    @property
    def rewards(self) -> npt.NDArray[np.float64]:
        """Its reward up to that decision, or up to the end of the game: float64, shape ``(n,)``."""

    @property
    def ends(self) -> npt.NDArray[np.int8]:
        """GOES_ON, ENDED or ENDED_ILLEGAL of `romans_env.engine.ends`: int8, shape ``(n,)``."""

    @property
    def final(self) -> npt.NDArray[Any]:
        """The observation at the end of each game that ended: dtype and shape as ``observations``."""


class LearnerBatch(Protocol):
    """Many games with one learner's seat each; see `romans_agents.batches.single_agent_batch.SingleAgentBatch`."""

    rules: Rules
    states: States
    agents: list[Any]
    masks: npt.NDArray[np.int8]
    observations: npt.NDArray[Any] | None
    restarted: npt.NDArray[np.bool_]
    is_started: bool

    learner: Any
    """A `LearnerSeatsLike`: the learner's seats, and its results in the games that ended last."""

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Seed all randomness of the next games: one seed for each game, None for a fresh one."""

    def seed_games(self, indices: Integers, seeds: Sequence[int | None]) -> list[np.random.SeedSequence]:
        """Seed some games, but not the opponents that play in Python.

        Args:
            indices: the games, int64, shape ``(k,)``.
            seeds: a seed for each of them; None for a fresh one.

        Returns:
            The seed sequence of each of these games.
        """

    def start(self, games: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[Any]:
        """Start games and play to the learner's first decision.

        Args:
            games: the games to start, bool, shape ``(n,)``; None for all.

        Returns:
            The learner's observations: shape ``(n, observation_size)``, in the game's dtype.
        """

    def step(self, actions: npt.NDArray[Any]) -> LearnerStepLike:
        """Play the learner's action in every game and go on to its next decision.

        Args:
            actions: action ids, int64 or any other integers, shape ``(n,)``.
        """

    def seats(self) -> npt.NDArray[np.int8]:
        """Return the learner's seat in every game: int8, shape ``(n,)``."""

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Return the state of all games, for `restore`: arrays by name, dtypes and shapes as in this batch."""

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Restore a state that `saved` returned: arrays by name, dtypes and shapes as in this batch."""

    def begin_at_positions(self, share: float, seed: int) -> None:
        """Start a share of the next games, in [0, 1], at positions of recent games instead of at the beginning."""


class ControlVariates(Protocol):
    """Observes games while they are played and computes their control variates.

    A control variate is a statistic of a played game whose expectation is zero. For an event with known probabilities
    it is the expected value over all outcomes minus the value of the actual outcome; the expected value may be
    estimated from samples that are independent of the actual outcome.
    """

    @property
    def names(self) -> Sequence[str]:
        """Names of the variates."""

    def see(self, states: States, indices: Integers, actions: Integers) -> None:
        """Observe the actions that are about to be played in some games.

        Args:
            states: records of all games, shape ``(n,)``.
            indices: the games, int64, shape ``(k,)``.
            actions: the action in each of them, int64, shape ``(k,)``.
        """

    def values(self) -> npt.NDArray[np.float64]:
        """Return the variates of the finished games: float64, shape ``(games, players, variates)``."""
