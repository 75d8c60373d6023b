"""Many games with one learner's seat each, stepped in compiled calls: the base of the vector environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.kernels import (
    ACTS,
    EXTERNAL,
    LEARNER,
    OBSERVES,
    SETTLES,
    STARTS,
    LearnerSeats,
    LearnerStep,
    codes_of,
    kernels_of,
)
from romans_agents.python_agents import PythonAgents
from romans_agents.registry import as_agent
from romans_env.engine.action_arrays import as_actions
from romans_env.engine.random_stream import WORDS
from romans_env.engine.saved_games import SavedGamesError, restore_arrays
from romans_env.engine.seeds import deal_and_play_streams
from romans_env.engine.threads import Threads
from romans_env.envs.opponents import check_opponents, check_seat
from romans_env.envs.rewards import check_reward
from romans_env.games import rules_of
from romans_env.protocol import Rules, Setup

_SAVED_OF_LEARNER = ("seat", "who", "controllers", "last_points", "won", "points", "words")


class LearnerBatch:
    """Games with one setup, one seat of each played from outside.

    Opponents that are compiled play inside the step; others in batches, or one view at a time. A game that ends starts
    again in the same step. Game i is decided by its seed alone, whatever the number of games (as far as the opponents
    are compiled: others draw from one generator for all games).

    Args:
        num_games: how many.
        setup: the game, as its rules or its setup.
        opponents: an agent spec or an agent for each other seat, from the learner's left on; or, with
            ``mix_opponents``, a pool from which every opponent of every game is drawn.
        mix_opponents: draw the opponents from ``opponents``.
        seat: the learner's seat, or None for a random seat each game.
        reward: ``"win"`` or ``"points"``.
        threads: how many share the games; game i is the same for any number.

    Raises:
        TypeError: an opponent that is neither an agent spec nor an agent.
        ValueError: a wrong number of opponents, a wrong seat or reward.
        romans_agents.UnknownAgentError: an agent spec that names no agent.
    """

    def __init__(
        self,
        num_games: int,
        setup: Rules | Setup,
        opponents: Sequence[str | Agent],
        mix_opponents: bool,
        seat: int | None,
        reward: str,
        threads: int = 1,
    ):
        if num_games < 1:
            raise ValueError(f"num_envs is at least 1, not {num_games}")
        check_reward(reward)
        self.rules = rules_of(setup)
        players = self.rules.num_players
        check_seat(seat, players)
        if not mix_opponents:
            check_opponents(opponents, players)
        elif not opponents and players > 1:
            raise ValueError("name at least one opponent to draw from")
        self.num_games = num_games
        self.opponents = [as_agent(opponent, self.rules.name) for opponent in opponents]
        self._kernels = kernels_of(self.rules)
        codes = codes_of(self._kernels, self.opponents)
        self._all_compiled = self._kernels.are_all_compiled(codes)
        self._learner = LearnerSeats(
            seat=np.zeros(num_games, dtype=np.int8),
            who=np.full((num_games, len(self.rules.seats)), LEARNER, dtype=np.int16),
            controllers=np.full((num_games, len(self.rules.seats)), EXTERNAL, dtype=np.int8),
            last_points=np.zeros(num_games, dtype=np.int64),
            won=np.zeros(num_games, dtype=np.int8),
            points=np.zeros(num_games, dtype=np.int64),
            words=np.zeros((num_games, WORDS), dtype=np.int64),
            codes=codes,
            mixes_opponents=mix_opponents,
            fixed_seat=-1 if seat is None else int(seat),
            rewards_points=reward == "points",
        )
        self._threads = Threads(num_games, threads)
        self.is_started = False
        """Whether the games can be stepped: not before `start`, nor after an opponent's error."""
        self.states = self.rules.new_states(num_games)
        self._deal_streams = np.zeros((num_games, WORDS), dtype=np.int64)
        self._play_streams = np.zeros((num_games, WORDS), dtype=np.int64)
        learner = self._learner
        self._players = PythonAgents(
            self.rules,
            self.states,
            self.opponents,
            learner.who,
            learner.controllers,
            self._play_streams,
            learner.words,
        )

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Decide all chance of the games to come: a seed for each game (None: a fresh one)."""
        sequences = [np.random.SeedSequence(seed) for seed in seeds]
        self._deal_streams[:], self._play_streams[:] = deal_and_play_streams(sequences)
        words = np.random.default_rng([int(sequence.generate_state(1)[0]) for sequence in sequences])
        for opponent in self.opponents:
            opponent.seed(int(words.integers(2**63)))

    def start(self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> None:
        """Start every game, and write the learner's observations and action masks.

        Args:
            observations: int8, shape (num_games, observation size).
            masks: int8, shape (num_games, number of actions).
        """
        # Nothing has ended: nothing is written but what the learner sees.
        nothing = LearnerStep(np.zeros(0), np.zeros(0, dtype=np.int8), observations, observations, masks)
        self._run([STARTS, OBSERVES], np.zeros(0, dtype=np.int64), nothing)
        self.is_started = True

    def step(
        self,
        actions: npt.NDArray[Any],
        observations: npt.NDArray[np.int8],
        masks: npt.NDArray[np.int8],
        rewards: npt.NDArray[np.float64],
        ends: npt.NDArray[np.int8],
        final: npt.NDArray[np.int8],
    ) -> None:
        """Play the learner's action in every game and run on to its next decision.

        Args:
            actions: integers, shape (num_games,).
            observations: written as by `start`.
            masks: likewise.
            rewards: written: the learner's reward up to its next decision or the end; float64, shape (num_games,).
            ends: written: 0 for a game that goes on, 1 for one that ended (and has been started again), 2 for one ended
                by an illegal action, with reward -1; int8, shape (num_games,).
            final: written where ``ends`` is not 0: the observation of the end; int8, as ``observations``.

        Raises:
            RuntimeError: before `start`.
            TypeError: actions that are no integers.
            ValueError: a wrong number of actions.
            romans_env.IllegalActionError: an opponent's illegal action; the games must be started anew.
        """
        if not self.is_started:
            raise RuntimeError("call reset() before step()")
        actions = as_actions(actions, self.num_games)
        self.is_started = False
        stages = [ACTS, SETTLES, OBSERVES]
        self._run(stages, actions, LearnerStep(rewards, ends, final, observations, masks))
        self.is_started = True

    def seats(self) -> npt.NDArray[np.int8]:
        """The learner's seat in every game: int8, shape (num_games,)."""
        return self._learner.seat.copy()

    def points(self) -> npt.NDArray[np.int64]:
        """The learner's points at the end of the game that ended last: int64, shape (num_games,)."""
        return self._learner.points.copy()

    def won(self) -> npt.NDArray[np.int8]:
        """1 where the learner was among the winners of the game that ended last: int8, shape (num_games,)."""
        return self._learner.won.copy()

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Where all games stand, without the opponents: arrays for `restore`."""
        return {name: array.copy() for name, array in self._arrays().items()}

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Go back to where `saved` was called; the opponents must be the same ones, in the same order.

        Raises:
            SavedGamesError: arrays that do not fit these games and opponents.
        """
        who = saved.get("who", -1)
        if np.any(who < -1) or np.any(who >= len(self.opponents)):
            raise SavedGamesError(f"the saved games have other opponents than the {len(self.opponents)} of this batch")
        restore_arrays(self._arrays(), saved)
        self.is_started = True

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        of_learner = {name: getattr(self._learner, name) for name in _SAVED_OF_LEARNER}
        streams = {"deal_streams": self._deal_streams, "play_streams": self._play_streams}
        return {"states": self.states, **of_learner, **streams}

    def _run(self, stages: list[int], actions: npt.NDArray[np.int64], step: LearnerStep) -> None:
        """Take all games through stages, opponents in Python playing between them; in one call when there are none."""
        for stage in [sum(stages)] if self._all_compiled else stages:
            self._threads.run(
                self._kernels.run_learners,
                stage,
                self.states,
                self._learner,
                self._deal_streams,
                self._play_streams,
                actions,
                step,
            )
            while not self._all_compiled and stage != OBSERVES and self._players.play_one_each():
                pass
