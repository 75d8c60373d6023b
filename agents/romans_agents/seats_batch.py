"""Games in which a learner may hold several seats, or all: in every game one decision at a time, whose ever it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent, BatchAgent
from romans_agents.kernels import EXTERNAL, LEARNER, codes_of
from romans_agents.python_agents import PythonAgents
from romans_env.engine.action_arrays import as_actions
from romans_env.engine.random_stream import WORDS
from romans_env.engine.saved_games import SavedGamesError, restore_arrays
from romans_env.engine.seeds import deal_and_play_streams
from romans_env.envs.rewards import check_reward
from romans_env.errors import IllegalActionError
from romans_env.games import rules_of
from romans_env.protocol import GAME_OVER, Rules, Setup

_SAVED = ("states", "_who", "_in_here", "_controllers", "_deal_streams", "_play_streams", "_words", "_last_points")


class Waiting(NamedTuple):
    """The games that wait for a decision from outside: of the learner, or of an agent that chooses in batches.

    Attributes:
        games: their numbers, ascending: int64, shape (n,).
        who: whose decision it is, LEARNER or the number of an agent: int64, shape (n,).
        seats: the seat to act in each: int8, shape (n,).
        observations: its observation: int8, shape (n, observation size).
        masks: its action mask: int8, shape (n, number of actions).
    """

    games: npt.NDArray[np.int64]
    who: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int8]
    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]


class Outcome(NamedTuple):
    """What one decision in every game led to.

    Attributes:
        rewards: of each player: float32, shape (num_games, players).
        ended: whether the game is over; it waits for `SeatsBatch.start`: bool, shape (num_games,).
    """

    rewards: npt.NDArray[np.float32]
    ended: npt.NDArray[np.bool_]


class SeatsBatch:
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
        reward: ``"win"`` or ``"points"``.

    Raises:
        ValueError: no games, or an unknown reward.
    """

    def __init__(self, num_games: int, setup: Rules | Setup, agents: Sequence[Agent], seed: int, reward: str = "win"):
        if num_games < 1:
            raise ValueError(f"the number of games is at least 1, not {num_games}")
        check_reward(reward)
        self.num_games, self.rules = num_games, rules_of(setup)
        self.agents = list(agents)
        """Agents by the numbers that line-ups name."""
        self.states = self.rules.new_states(num_games)
        self._rewards_points = reward == "points"
        seats = len(self.rules.seats)
        self._who = np.full((num_games, seats), LEARNER, dtype=np.int64)
        self._in_here = self._who.copy()
        """The same, with LEARNER for everybody who decides outside."""
        self._controllers = np.full((num_games, seats), EXTERNAL, dtype=np.int8)
        self._deal_streams, self._play_streams = deal_and_play_streams(np.random.SeedSequence(seed).spawn(num_games))
        self._words = np.zeros((num_games, WORDS), dtype=np.int64)
        self._last_points = np.zeros((num_games, self.rules.num_players), dtype=np.int64)
        self._players = PythonAgents(
            self.rules, self.states, self.agents, self._in_here, self._controllers, self._play_streams, self._words
        )
        self._kernels = self._players.kernels
        self._codes = codes_of(self._kernels, self.agents)

    def add_agent(self, agent: Agent) -> int:
        """Let an agent take part; returns its number for line-ups."""
        self.agents.append(agent)
        self._codes = codes_of(self._kernels, self.agents)
        return len(self.agents) - 1

    def line_ups(self) -> npt.NDArray[np.int64]:
        """The seating: the number of an agent or LEARNER on every seat, int64, shape (num_games, seats); a copy."""
        return self._who.copy()

    def start(self, games: npt.NDArray[np.int64], line_ups: npt.NDArray[np.int64]) -> None:
        """Start games with fresh deals.

        Args:
            games: their numbers, shape (n,).
            line_ups: for each the number of an agent, or LEARNER, on every seat: shape (n, number of players).
        """
        players = self.rules.num_players
        self._who[games, :players] = line_ups
        outside = np.array([isinstance(agent, BatchAgent) for agent in self.agents] + [True])
        self._in_here[games, :players] = np.where(outside[line_ups], LEARNER, line_ups)
        codes = np.append(self._codes, np.int8(EXTERNAL))  # LEARNER, which is -1, finds the last one
        self._controllers[games, :players] = codes[line_ups]
        self._kernels.start(self.states, games, self._deal_streams, self._words)
        self._last_points[games] = self.rules.points_of(self.states[games])
        self._kernels.run(self.states, self._controllers, self._play_streams, self._words)

    def waiting(self) -> Waiting:
        """The games in which somebody must decide from outside."""
        everybody, seats = np.arange(self.num_games), self.rules.seats_to_act(self.states)
        in_here = self._in_here[everybody, seats]
        games = np.flatnonzero((in_here == LEARNER) & (seats >= 0))
        observations, masks = self._players.observed(games)
        return Waiting(games, self._who[games, seats[games]], seats[games].astype(np.int8), observations, masks)

    def play_agents(self) -> None:
        """One decision in every game that waits for an agent of this batch.

        It touches no game that `waiting` named: it may run beside the choice of their actions, in another thread.

        Raises:
            romans_env.IllegalActionError: an agent's illegal action.
        """
        self._players.play_one_each()

    def play(self, games: npt.NDArray[np.int64], actions: npt.NDArray[Any]) -> Outcome:
        """Play actions in the games that wait for them; games that end wait for `start`.

        Args:
            games: as `waiting` gave them.
            actions: one for each: integers, shape (n,).

        Raises:
            romans_env.IllegalActionError: an illegal action.
        """
        actions = as_actions(actions, games.size)
        wrong = self._kernels.act(self.states, games, actions, self._controllers, self._play_streams, self._words)
        if wrong >= 0:
            i = int(games[wrong])
            who = int(self._who[i, self.rules.seat_to_act(self.states, i)])
            name = "the learner" if who == LEARNER else f"the agent {self.agents[who].name}"
            raise IllegalActionError(f"{name}: {self._players.why_illegal(i, int(actions[wrong]))}")
        return self._settled()

    def returns(self, games: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """What every player won in games that are over (RULES 7.4): float32, shape (n, number of players)."""
        seats = range(self.rules.num_players)
        found = [[self.rules.game_return(self.states, i, seat) for seat in seats] for i in games.tolist()]
        return np.array(found, dtype=np.float32).reshape(games.size, len(seats))

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Where all games stand, without the agents: arrays for `restore`."""
        return {name: getattr(self, name).copy() for name in _SAVED}

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Go back to where `saved` was called; the agents must be the same ones, in the same order.

        Raises:
            SavedGamesError: arrays that do not fit these games and agents.
        """
        who = saved.get("_who", LEARNER)
        if np.any(who < LEARNER) or np.any(who >= len(self.agents)):
            raise SavedGamesError(f"the saved games have other agents than the {len(self.agents)} of this batch")
        restore_arrays({name: getattr(self, name) for name in _SAVED}, saved)

    def _settled(self) -> Outcome:
        ended = self.rules.seats_to_act(self.states) == GAME_OVER
        rewards = np.zeros((self.num_games, self.rules.num_players), dtype=np.float32)
        if self._rewards_points:
            points = self.rules.points_of(self.states)
            rewards[:] = points - self._last_points
            self._last_points[:] = points
        else:
            rewards[ended] = self.returns(np.flatnonzero(ended))
        return Outcome(rewards, ended)
