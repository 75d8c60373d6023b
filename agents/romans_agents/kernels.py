"""What the drivers of many games ask of a game: loops that run games on between decisions from outside.

A game whose rules are compiled offers its own, with compiled agents that play within them. For any other game
`python_kernels.PythonKernels` calls the rules one game at a time.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_env.games import imported, spec_of
from romans_env.protocol import Rules, States

EXTERNAL = 0
"""The code of a seat whose decisions come from outside of the kernels."""
LEARNER = -1
"""In place of the number of an agent, for a seat that a learner plays."""

STARTS, ACTS, SETTLES, OBSERVES = 1, 2, 4, 8
"""The stages of a learner's step, as bits. Between them play the opponents that are not compiled."""

Integers = npt.NDArray[np.int64]


class LearnerSeats(NamedTuple):
    """The learner's seat in each game, and the agents on the others; arrays are written by `Kernels.run_learners`.

    Attributes:
        seat: the learner's seat: int8, shape (n,).
        who: the number of the agent on each seat, LEARNER for the learner's: int16, shape (n, players).
        controllers: the code of that agent: int8, shape (n, players).
        last_points: the points that the learner has been rewarded for: int64, shape (n,).
        won: 1 where the learner was among the winners of the game that ended last: int8, shape (n,).
        points: the learner's points at the end of that game: int64, shape (n,).
        words: chance words of the game in progress: int64, shape (n, 4).
        codes: the codes of the opponents, or of the pool: int8, shape (k,).
        mixes_opponents: whether opponents are drawn from a pool.
        fixed_seat: the learner's seat; -1: drawn for each game.
        rewards_points: whether the reward is the points, or else the return.
    """

    seat: npt.NDArray[np.int8]
    who: npt.NDArray[np.int16]
    controllers: npt.NDArray[np.int8]
    last_points: npt.NDArray[np.int64]
    won: npt.NDArray[np.int8]
    points: npt.NDArray[np.int64]
    words: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int8]
    mixes_opponents: bool
    fixed_seat: int
    rewards_points: bool


class LearnerStep(NamedTuple):
    """What a learner's step writes; `LearnerBatch.step` says what."""

    rewards: npt.NDArray[np.float64]
    ends: npt.NDArray[np.int8]
    final: npt.NDArray[Any]
    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]


class Kernels(Protocol):
    """A game's loops.

    In all of them ``states`` are records, shape (n,); ``controllers`` the code of the agent on each seat, int8, shape
    (n, players); ``streams`` the random streams of compiled agents, and ``words`` the chance words of games, int64,
    shape (n, 4) each; ``games`` numbers of games, int64, shape (k,).
    """

    def code_of(self, agent: Agent) -> int:
        """The code of an agent that is compiled for this game; EXTERNAL for any other."""

    def are_all_compiled(self, codes: npt.NDArray[np.int8]) -> bool:
        """Whether games with these agents never stop for one of them."""

    def start(self, states: States, games: Integers, deal_streams: Integers, words: Integers) -> None:
        """Start games with chance from ``deal_streams``, which move on; ``words`` are written."""

    def run(self, states: States, controllers: npt.NDArray[np.int8], streams: Integers, words: Integers) -> None:
        """Run every game on to its next decision from outside, or its end."""

    def act(
        self,
        states: States,
        games: Integers,
        actions: Integers,
        controllers: npt.NDArray[np.int8],
        streams: Integers,
        words: Integers,
    ) -> int:
        """Play ``actions[k]`` in game ``games[k]`` and run those games on.

        Returns:
            -1, or the first k whose action is not legal; the games before it have been played, it and later ones not.
        """

    def observe(
        self, states: States, games: Integers, observations: npt.NDArray[Any], masks: npt.NDArray[np.int8]
    ) -> None:
        """Write the observation and mask of the seat that must decide in each of ``games``."""

    def plan(
        self, states: States, games: Integers, controllers: npt.NDArray[np.int8], streams: Integers, words: Integers
    ) -> None:
        """Decide for compiled agents that `run` stops for, and run those games on."""

    def run_learners(
        self,
        stages: int,
        states: States,
        learner: LearnerSeats,
        deal_streams: Integers,
        streams: Integers,
        actions: Integers,
        step: LearnerStep,
        first: int,
        last: int,
    ) -> None:
        """Take the games [first, last) through stages of a learner's step, all stages of a game at once.

        The names in capitals are those of `romans_env.engine.ends` and of the stages above.

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
