"""Batches of games for self-play, in which the learner may play several seats, or all seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent, BatchAgent
from romans_agents.batches.batch_with_agents import BatchWithAgents, new_states
from romans_agents.batches.game_arrays import Integers
from romans_agents.batches.last_decisions import LastDecisions
from romans_agents.loops.codes import EXTERNAL, LEARNER
from romans_env.core.games import rules_of
from romans_env.core.protocol import GAME_OVER, Rules, Setup
from romans_env.engine.action_arrays import as_actions
from romans_env.engine.seeds import deal_and_play_streams
from romans_env.envs.rewards import Reward, check_reward


class PendingDecisions(NamedTuple):
    """The decisions that the caller must make, for the learner and for agents that choose in batches.

    Attributes:
        games: the indices of the games, ascending: int64, shape ``(n,)``.
        who: the number of the agent that is to act, or LEARNER for the learner: int64, shape ``(n,)``.
        seats: the seat to act: int8, shape ``(n,)``.
        observations: the observation of the seat to act, in the dtype of the game's observations (int8 or int16),
            shape ``(n, observation_size)``.
        masks: the action mask of the seat to act: int8, shape ``(n, num_actions)``.
    """

    games: Integers
    who: Integers
    seats: npt.NDArray[np.int8]
    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]


class StepResult(NamedTuple):
    """The result of a step of a `SelfPlayBatch`.

    Attributes:
        rewards: the reward of each player: float32, shape ``(num_games, players)``.
        ended: True if the game is over, so that `SelfPlayBatch.start` must start a new one: bool, shape
            ``(num_games,)``.
    """

    rewards: npt.NDArray[np.float32]
    ended: npt.NDArray[np.bool_]


class SelfPlayBatch(BatchWithAgents):
    """A batch of games with one setup, for self-play.

    Every game has a line-up, which assigns the learner or an agent to each seat. Compiled agents play inside the
    compiled loops. The caller makes the decisions of the learner and of agents that choose in batches (see `pending`
    and `step`), so that it can evaluate the networks for several batches at once. `play_agents` lets every other agent
    make one decision, so that no game waits for a slow one.

    Args:
        num_games: the number of games.
        setup: the game, as its rules or its setup.
        agents: the agents that line-ups may name by their number; `add_agent` adds more agents.
        seed: the seed of the deals and of the compiled agents.
        reward: ``"win"``, ``"points"`` or a reward function. The function is called for the learner's seats as in
            `GameAECEnv`; a seat gets no reward before its first decision.

    Raises:
        ValueError: if there are no games, or the reward is unknown.
    """

    def __init__(
        self, num_games: int, setup: Rules | Setup, agents: Sequence[Agent], seed: int, reward: Reward = "win"
    ):
        check_reward(reward)
        rules = rules_of(setup)
        super().__init__(rules, new_states(rules, num_games), agents)
        self._rewards_points = reward == "points"
        # In ``arrays.who``, agents that choose in batches are LEARNER, too: the caller makes their decisions.
        self._line_ups = self.arrays.who.copy()
        streams = deal_and_play_streams(np.random.SeedSequence(seed).spawn(num_games))
        self.arrays.deal_streams[:], self.arrays.play_streams[:] = streams
        self._last_points = np.zeros((num_games, rules.num_players), dtype=np.int64)
        self._last_decisions = LastDecisions(rules, num_games, reward) if callable(reward) else None

    def line_ups(self) -> Integers:
        """Return a copy of the line-ups: the number of the agent on each seat, or LEARNER for the learner.

        The array is int64, shape ``(num_games, num_seats)``.
        """
        return self._line_ups.copy()

    def start(self, games: Integers, line_ups: Integers) -> None:
        """Start games with new deals, and run each game until the caller or an agent in Python is to act.

        Args:
            games: the indices of the games: int64, shape ``(n,)``.
            line_ups: the number of the agent on every seat, or LEARNER for the learner: int64, shape ``(n,
                num_players)``.
        """
        players = self.rules.num_players
        self._line_ups[games, :players] = line_ups
        # LEARNER is -1 and selects the last entry, True.
        is_outside = np.array([isinstance(agent, BatchAgent) for agent in self.agents] + [True])
        self.arrays.who[games, :players] = np.where(is_outside[line_ups], LEARNER, line_ups)
        self.arrays.controllers[games, :players] = np.append(self.codes, np.int8(EXTERNAL))[line_ups]
        self.loops.start_games(self.arrays, games)
        self._restart(games)
        self._last_points[games] = self.rules.points_of(self.states[games])
        self.loops.run_games(self.arrays)
        if self._last_decisions is not None:
            self._last_decisions.start(self.states, games, self._is_learner(games))

    def pending(self) -> PendingDecisions:
        """Return the decisions that the caller must make now."""
        everybody, seats = np.arange(self.num_games), self.rules.seats_to_act(self.states)
        games = np.flatnonzero((self.arrays.who[everybody, seats] == LEARNER) & (seats >= 0))
        seats = seats[games]
        return PendingDecisions(games, self._line_ups[games, seats], seats.astype(np.int8), *self.observed(games))

    def step(self, games: Integers, actions: npt.NDArray[Any]) -> StepResult:
        """Play the caller's decisions; a game that ends then waits for `start`.

        `play_agents` does not change any game in which the caller must decide, so it may run in another thread while
        the actions for these games are computed.

        Args:
            games: the indices of the games, as `pending` returned them: int64, shape ``(n,)``.
            actions: an action for each of these games: integers, shape ``(n,)``.

        Raises:
            romans_env.IllegalActionError: if an action is illegal.
            romans_env.envs.rewards.RewardError: if a reward is not a finite number.
        """
        self.act(games, as_actions(actions, games.size))
        ended = self.rules.seats_to_act(self.states) == GAME_OVER
        rewards = np.zeros((self.num_games, self.rules.num_players), dtype=np.float32)
        if self._rewards_points:
            points = self.rules.points_of(self.states)
            rewards[:] = points - self._last_points
            self._last_points[:] = points
        elif self._last_decisions is not None:
            going = np.arange(self.num_games)
            rewards[:] = self._last_decisions.rewards(self.states, going, self._is_learner(going))
        else:
            rewards[ended] = self.returns(np.flatnonzero(ended))
        self._keep_positions()
        return StepResult(rewards, ended)

    def returns(self, games: Integers) -> npt.NDArray[np.float32]:
        """Return the returns of all players in finished games (RULES 7.4).

        Args:
            games: the indices of the games: int64, shape ``(n,)``.

        Returns:
            The returns, float32, shape ``(n, num_players)``, in [-1, 1].
        """
        seats = range(self.rules.num_players)
        found = [[self.rules.game_return(self.states, i, seat) for seat in seats] for i in games.tolist()]
        return np.array(found, dtype=np.float32).reshape(games.size, len(seats))

    def _is_learner(self, games: Integers) -> npt.NDArray[np.bool_]:
        return self._line_ups[games, : self.rules.num_players] == LEARNER

    def _saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        own = {} if self._last_decisions is None else self._last_decisions.arrays()
        return {**super()._saved_arrays(), "line_ups": self._line_ups, "last_points": self._last_points, **own}
