"""What batches of games ask of a game: arrays, and loops that run games on between decisions from outside.

They are compiled for a game that offers step functions and compiled agents, interpreted for any other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.loops import agent_loops
from romans_agents.loops.codes import EXTERNAL, LEARNER
from romans_env.compiling.templates import bound
from romans_env.core.games import spec_of
from romans_env.core.protocol import Rules, States
from romans_env.core.python_step import step_of
from romans_env.engine.random_stream import WORDS

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
        """Return arrays for games that are played from outside on all seats; streams and words are zeros."""
        shape, words = (len(states), len(rules.seats)), (len(states), WORDS)
        who, controllers = np.full(shape, LEARNER, dtype=np.int64), np.full(shape, EXTERNAL, dtype=np.int8)
        return cls(states, who, controllers, *(np.zeros(words, dtype=np.int64) for _ in range(3)))


class LearnerSeats(NamedTuple):
    """The learner's seat in each game, and who plays the others; `agent_loops.run_learners` writes the arrays.

    Attributes:
        seat: the learner's seat: int8, shape (n,).
        last_points: the points of the learner at its last decision: int64, shape (n,).
        won: 1 where the learner was among the winners of the game that ended last: int8, shape (n,).
        points: the learner's points at the end of that game: int64, shape (n,).
        needs_reset: 1 where the game has ended and was not started again: int8, shape (n,). The next step starts it,
            with reward 0, whatever the action.
        codes: the codes of the opponents, or of the pool: int8, shape (k,).
        mixes_opponents: whether opponents are sampled from a pool.
        fixed_seat: the learner's seat; -1: sampled for each game.
        rewards_points: whether the reward is the points, or else the return.
        restarts_at_once: whether a game that ends starts again in the same step, or else waits.
        illegal_reward: the reward of an illegal action.
        stride: the distance from an illegal action to the one that is tried in its place; 0: it ends the game.
        replaced: 1 where the last action was replaced: int8, shape (n,).
    """

    seat: npt.NDArray[np.int8]
    last_points: Integers
    won: npt.NDArray[np.int8]
    points: Integers
    needs_reset: npt.NDArray[np.int8]
    codes: npt.NDArray[np.int8]
    mixes_opponents: bool
    fixed_seat: int
    rewards_points: bool
    restarts_at_once: bool
    illegal_reward: float
    stride: int
    replaced: npt.NDArray[np.int8]


class LearnerStep(NamedTuple):
    """What a learner's step writes for each game.

    Attributes:
        observations: the learner's observation at its next decision: shape (n, observation size).
        masks: its action mask: int8, shape (n, number of actions).
        rewards: its reward up to then, or up to the end of the game: float64, shape (n,).
        ends: GOES_ON, ENDED (the game was started again, or waits) or ENDED_ILLEGAL (by an illegal action): int8,
            shape (n,).
        final: written where the game ended: the observation at its end; as ``observations``.
    """

    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float64]
    ends: npt.NDArray[np.int8]
    final: npt.NDArray[Any]


def loops_of(rules: Rules) -> Any:
    """Return a game's `romans_agents.loops.agent_loops`.

    They call the step functions and compiled agents that its spec names; without step functions, its rules, in Python.
    """
    return bound(agent_loops, game=step_of(rules), players=spec_of(rules.name).part("players"))


def code_of(rules: Rules, agent: Agent) -> int:
    """Return the code of an agent that is compiled for a game; EXTERNAL for any other."""
    is_ours = agent.compiled_for in (None, rules.name)
    return agent.compiled_code if is_ours and agent.compiled_code else EXTERNAL
