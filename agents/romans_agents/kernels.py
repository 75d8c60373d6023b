"""What batches of games ask of a game: loops that run games on between decisions from outside.

A game whose rules are compiled offers its own, with compiled agents that play within them. For any other game
`python_kernels.PythonKernels` calls the rules one game at a time.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_env.engine.random_stream import WORDS
from romans_env.games import imported, spec_of
from romans_env.protocol import Rules, States

EXTERNAL = 0
"""The code of a seat whose decisions come from outside of the kernels."""
LEARNER = -1
"""In place of the number of an agent, for a seat that a learner plays."""

STARTS, ACTS, SETTLES, OBSERVES = 1, 2, 4, 8
"""The stages of a learner's step, as bits. Opponents that are not compiled play between them."""
GOES_ON, ENDED, ENDED_ILLEGAL = range(3)
"""What ``ends`` says of a game."""

Integers = npt.NDArray[np.int64]


class GameArrays(NamedTuple):
    """The games of a batch, and who plays in them; the arrays are written in place.

    Attributes:
        states: records of games, shape (n,).
        who: the number of the agent on each seat, LEARNER for one that is played from outside: int64, shape (n, seats).
        controllers: the code of that agent: int8, shape (n, seats).
        deal_streams: random streams of the deals: int64, shape (n, 4).
        play_streams: random streams of compiled agents: int64, shape (n, 4).
        words: chance words of the games in progress: int64, shape (n, 4).
    """

    states: States
    who: Integers
    controllers: npt.NDArray[np.int8]
    deal_streams: Integers
    play_streams: Integers
    words: Integers

    @classmethod
    def new(cls, rules: Rules, states: States) -> GameArrays:
        """Arrays for games that are played from outside on all seats; streams and words are zeros."""
        shape, words = (len(states), len(rules.seats)), (len(states), WORDS)
        who, controllers = np.full(shape, LEARNER, dtype=np.int64), np.full(shape, EXTERNAL, dtype=np.int8)
        return cls(states, who, controllers, *(np.zeros(words, dtype=np.int64) for _ in range(3)))


class LearnerSeats(NamedTuple):
    """The learner's seat in each game, and how the other seats are filled; `Kernels.run_learners` writes the arrays.

    Attributes:
        seat: the learner's seat: int8, shape (n,).
        last_points: the points of the learner at its last decision: int64, shape (n,).
        won: 1 where the learner was among the winners of the game that ended last: int8, shape (n,).
        points: the learner's points at the end of that game: int64, shape (n,).
        codes: the codes of the opponents, or of the pool: int8, shape (k,).
        mixes_opponents: whether opponents are sampled from a pool.
        fixed_seat: the learner's seat; -1: sampled for each game.
        rewards_points: whether the reward is the points, or else the return.
    """

    seat: npt.NDArray[np.int8]
    last_points: Integers
    won: npt.NDArray[np.int8]
    points: Integers
    codes: npt.NDArray[np.int8]
    mixes_opponents: bool
    fixed_seat: int
    rewards_points: bool


class LearnerStep(NamedTuple):
    """What a learner's step writes for each game.

    Attributes:
        observations: the learner's observation at its next decision: shape (n, observation size).
        masks: its action mask: int8, shape (n, number of actions).
        rewards: its reward up to then, or up to the end of the game: float64, shape (n,).
        ends: GOES_ON, ENDED (the game has been started again) or ENDED_ILLEGAL (by an illegal action, with reward -1):
            int8, shape (n,).
        final: written where the game ended: the observation at its end; as ``observations``.
    """

    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float64]
    ends: npt.NDArray[np.int8]
    final: npt.NDArray[Any]


class Kernels(Protocol):
    """A game's loops; ``indices`` are numbers of games, int64, shape (k,)."""

    def code_of(self, agent: Agent) -> int:
        """The code of an agent that is compiled for this game; EXTERNAL for any other."""

    def are_all_compiled(self, codes: npt.NDArray[np.int8]) -> bool:
        """Whether games with these agents never stop for one of them."""

    def start(self, games: GameArrays, indices: Integers) -> None:
        """Start games with chance from their deal streams, which move on; the chance words are written."""

    def run(self, games: GameArrays) -> None:
        """Run every game on to its next decision from outside, or its end."""

    def act(self, games: GameArrays, indices: Integers, actions: Integers) -> int:
        """Play ``actions[k]`` in game ``indices[k]`` and run those games on.

        Returns:
            -1, or the first k whose action is not legal; the games before it have been played, it and later ones not.
        """

    def observe(
        self, states: States, indices: Integers, observations: npt.NDArray[Any], masks: npt.NDArray[np.int8]
    ) -> None:
        """Write the observation and mask of the seat that must decide in each of the games."""

    def plan(self, games: GameArrays, indices: Integers) -> None:
        """Decide for compiled agents that `run` stops for, and run those games on."""

    def run_learners(
        self,
        stages: int,
        games: GameArrays,
        learner: LearnerSeats,
        actions: Integers,
        step: LearnerStep,
        first: int,
        last: int,
    ) -> None:
        """Take the games [first, last) through stages of a learner's step, all stages of a game at once.

        - ACTS: the learner's action is played, and the game runs on to the next decision from outside. Where the action
          is not legal, ``ends`` becomes ENDED_ILLEGAL, the reward the loss, and the game stays as it is.
        - SETTLES: the reward since the learner's last decision is written. Where the game is over, ``ends`` becomes
          ENDED, ``final`` gets the observation, and it starts again.
        - STARTS: a new game.
        - OBSERVES: the learner's observation and action mask are written.
        """


def kernels_of(rules: Rules) -> Kernels:
    """The kernels of a game: its own, or else those that call its rules."""
    own = spec_of(rules.name).part("kernels")
    kernels: Kernels = (own or imported("romans_agents.python_kernels:PythonKernels"))(rules)
    return kernels


def codes_of(kernels: Kernels, agents: list[Agent]) -> npt.NDArray[np.int8]:
    """The codes of agents: int8, shape (k,)."""
    return np.array([kernels.code_of(agent) for agent in agents], dtype=np.int8)
