"""The arrays of a batch of games, and the loops that run the games until a seat is to act that is played from outside.

The loops are compiled for a game with step functions, and run in Python for any other.
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
    """The games of a batch and the agents on their seats; the arrays are written in place.

    Attributes:
        states: records of the games, shape ``(n,)``.
        who: the number of the agent on each seat, or LEARNER for a seat that is played from outside: int64, shape
            ``(n, num_seats)``.
        controllers: the code of the agent on each seat (`romans_agents.loops.codes`): int8, shape ``(n, num_seats)``.
        deal_streams: random streams of the deals: int64, shape ``(n, 4)``.
        play_streams: random streams of the compiled agents: int64, shape ``(n, 4)``.
        words: chance words of the games in progress: int64, shape ``(n, 4)``.
    """

    states: States
    who: Integers
    controllers: npt.NDArray[np.int8]
    deal_streams: Integers
    play_streams: Integers
    words: Integers

    @classmethod
    def new(cls, rules: Rules, states: States) -> GameArrays:
        """Return arrays for games in which every seat is played from outside; streams and chance words are zeros.

        Args:
            rules: the game with its setup.
            states: records of the games, shape ``(n,)``; the array is used without a copy.
        """
        shape, words = (len(states), len(rules.seats)), (len(states), WORDS)
        who, controllers = np.full(shape, LEARNER, dtype=np.int64), np.full(shape, EXTERNAL, dtype=np.int8)
        return cls(states, who, controllers, *(np.zeros(words, dtype=np.int64) for _ in range(3)))


class LearnerSeats(NamedTuple):
    """The learner's seat and results in each game, and the settings of its opponents and rewards.

    `romans_agents.loops.agent_loops.run_learners` writes the arrays.

    Attributes:
        seat: the learner's seat: int8, shape ``(n,)``.
        last_points: the points of the learner at its last decision: int64, shape ``(n,)``.
        won: 1 if the learner was among the winners of the last finished game: int8, shape ``(n,)``.
        points: the learner's points at the end of the last finished game: int64, shape ``(n,)``.
        needs_reset: 1 if the game has ended and has not started again: int8, shape ``(n,)``. The next step starts such
            a game, with reward 0, and ignores the action.
        codes: the codes of the opponents, or of the opponent pool: int8, shape ``(k,)``.
        mixes_opponents: whether the opponents are sampled from a pool for each game.
        fixed_seat: the learner's seat; -1 if it is sampled for each game.
        rewards_points: whether the reward is the points gained; otherwise it is the return at the end.
        restarts_at_once: whether a game that ends starts again in the same step; otherwise the next step starts it.
        illegal_reward: the reward of an illegal action.
        stride: the step between the action ids that are tried as the replacement of an illegal action; 0 if an illegal
            action ends the game.
        replaced: 1 if the last action was illegal and replaced: int8, shape ``(n,)``.
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
    """The results of a learner's step in each game.

    Attributes:
        observations: the learner's observation at its next decision, in the dtype of the game's observations (int8 or
            int16), shape ``(n, observation_size)``.
        masks: the action mask at this decision: int8, shape ``(n, num_actions)``.
        rewards: the learner's reward up to this decision, or up to the end of the game: float64, shape ``(n,)``.
        ends: GOES_ON, ENDED, or ENDED_ILLEGAL if an illegal action ended the game: int8, shape ``(n,)``. A game that
            has ended has started again or needs a reset.
        final: the observation at the end of each game that has ended, in the dtype and shape of ``observations``; the
            rows of other games are not written.
    """

    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float64]
    ends: npt.NDArray[np.int8]
    final: npt.NDArray[Any]


def loops_of(rules: Rules) -> Any:
    """Return the functions of `romans_agents.loops.agent_loops` bound to a game.

    The loops call the step functions and the compiled agents that the game's spec names. For a game without step
    functions, they run in Python and call the game's rules.
    """
    return bound(agent_loops, game=step_of(rules), players=spec_of(rules.name).part("players"))


def code_of(rules: Rules, agent: Agent) -> int:
    """Return the code by which the loops of a game know an agent; EXTERNAL if it is not compiled for this game."""
    is_ours = agent.compiled_for in (None, rules.name)
    return agent.compiled_code if is_ours and agent.compiled_code else EXTERNAL
