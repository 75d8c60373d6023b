"""Games in which a learner may play several seats, or all: every game waits at one decision, whoever makes it."""

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
    """The games that wait for a decision from outside: of the learner, or of an agent that chooses in batches.

    Attributes:
        games: their numbers, ascending: int64, shape (n,).
        who: whose decision it is, LEARNER or the number of an agent: int64, shape (n,).
        seats: the seat to act in each: int8, shape (n,).
        observations: its observation: int8, shape (n, observation size).
        masks: its action mask: int8, shape (n, number of actions).
    """

    games: Integers
    who: Integers
    seats: npt.NDArray[np.int8]
    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]


class StepResult(NamedTuple):
    """The result of one decision in every game.

    Attributes:
        rewards: of each player: float32, shape (num_games, players).
        ended: whether the game is over; it waits for `SelfPlayBatch.start`: bool, shape (num_games,).
    """

    rewards: npt.NDArray[np.float32]
    ended: npt.NDArray[np.bool_]


class SelfPlayBatch(BatchWithAgents):
    """Games with one setup, for self-play.

    Every seat of every game is the learner's or some agent's, as the line-up says with which the game was started.
    Scripted agents play in between, compiled. The learner's decisions and those of agents that choose in batches are
    made outside, for the games of several tables at once; `play_agents` has all other agents make one, so that nobody
    waits for a slow game.

    Args:
        num_games: how many.
        setup: the game, as its rules or its setup.
        agents: the other agents of line-ups; more can be added by `add_agent`.
        seed: decides all chance of the deals and of compiled agents.
        reward: ``"win"``, ``"points"`` or a reward function, called for the learner's seats as in `GameAECEnv`; before
            a seat's first decision nothing is rewarded.

    Raises:
        ValueError: no games, or an unknown reward.
    """

    def __init__(
        self, num_games: int, setup: Rules | Setup, agents: Sequence[Agent], seed: int, reward: Reward = "win"
    ):
        check_reward(reward)
        rules = rules_of(setup)
        super().__init__(rules, new_states(rules, num_games), agents)
        self._rewards_points = reward == "points"
        # In the base's line-ups everybody who decides outside is LEARNER.
        self._line_ups = self.arrays.who.copy()
        streams = deal_and_play_streams(np.random.SeedSequence(seed).spawn(num_games))
        self.arrays.deal_streams[:], self.arrays.play_streams[:] = streams
        self._last_points = np.zeros((num_games, rules.num_players), dtype=np.int64)
        self._last_decisions = LastDecisions(rules, num_games, reward) if callable(reward) else None

    def line_ups(self) -> Integers:
        """Return the number of an agent or LEARNER on every seat: int64, shape (num_games, seats); a copy."""
        return self._line_ups.copy()

    def start(self, games: Integers, line_ups: Integers) -> None:
        """Start games with fresh deals.

        Args:
            games: their numbers, shape (n,).
            line_ups: for each the number of an agent, or LEARNER, on every seat: shape (n, number of players).
        """
        players = self.rules.num_players
        self._line_ups[games, :players] = line_ups
        # LEARNER, which is -1, finds the last entry.
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
        """Return the decisions that somebody outside must make now."""
        everybody, seats = np.arange(self.num_games), self.rules.seats_to_act(self.states)
        games = np.flatnonzero((self.arrays.who[everybody, seats] == LEARNER) & (seats >= 0))
        seats = seats[games]
        return PendingDecisions(games, self._line_ups[games, seats], seats.astype(np.int8), *self.observed(games))

    def step(self, games: Integers, actions: npt.NDArray[Any]) -> StepResult:
        """Play actions in the games that wait for them; games that end wait for `start`.

        `play_agents` touches none of these games: it may run in another thread while their actions are chosen.

        Args:
            games: as `pending` gave them.
            actions: one for each: integers, shape (n,).

        Raises:
            romans_env.IllegalActionError: an illegal action.
            romans_env.envs.rewards.RewardError: a reward that is no finite number.
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
        """Return all players' returns in games that are over (RULES 7.4): float32, shape (n, number of players)."""
        seats = range(self.rules.num_players)
        found = [[self.rules.game_return(self.states, i, seat) for seat in seats] for i in games.tolist()]
        return np.array(found, dtype=np.float32).reshape(games.size, len(seats))

    def _is_learner(self, games: Integers) -> npt.NDArray[np.bool_]:
        return self._line_ups[games, : self.rules.num_players] == LEARNER

    def _saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        own = {} if self._last_decisions is None else self._last_decisions.arrays()
        return {**super()._saved_arrays(), "line_ups": self._line_ups, "last_points": self._last_points, **own}
