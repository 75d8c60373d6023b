"""Batches of games in which the learner plays one seat, stepped by compiled loops: the base of vector environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.batches.batch_with_agents import BatchWithAgents, new_states
from romans_agents.batches.game_arrays import Integers, LearnerSeats, LearnerStep
from romans_agents.loops.codes import ACTS, EXTERNAL, OBSERVES, REWARDS, STARTS
from romans_agents.specs.registry import agent_of
from romans_env.core.compiled_rules import CompiledRules
from romans_env.core.games import rules_of
from romans_env.core.parts import LearnerBatch
from romans_env.core.protocol import GAME_OVER, Rules, Setup, States
from romans_env.core.state_records import copied
from romans_env.engine.action_arrays import as_actions
from romans_env.engine.ends import ENDED_ILLEGAL, GOES_ON, ILLEGAL_REWARD
from romans_env.engine.seeds import deal_and_play_streams
from romans_env.engine.threads import Threads
from romans_env.envs.illegal_actions import illegal_reward_of, replacement_stride, warn_of_illegal_action
from romans_env.envs.opponents import MOST_SKIPPED, check_opponents, check_seat
from romans_env.envs.rewards import Reward, check_reward, rewards_in_games


class SingleAgentBatch(BatchWithAgents, LearnerBatch):
    """A batch of games with one setup, in which the learner plays one seat of each game.

    Compiled opponents play inside the compiled step; other opponents choose in batches, or one view at a time. If all
    opponents are compiled, the course of a game depends only on its seed and the actions, not on the number of games.
    An opponent in Python has one random generator for all games.

    Args:
        num_games: the number of games.
        setup: the game, as its rules or its setup.
        opponents: an agent spec or an agent for each other seat, starting at the learner's left. With
            ``mix_opponents``, it is a pool from which every opponent of every game is sampled.
        mix_opponents: whether to sample the opponents of each game from ``opponents``.
        seat: the learner's seat; None for a random seat in each game.
        reward: ``"win"``, ``"points"`` or a reward function, as for `SingleSeatEnv`; a function is called once per
            game and step.
        threads: the number of threads that share the games; it does not change the course of any game.
        illegal_actions: ``"end"`` if an illegal action ends the game, ``"replace"`` if a legal action is played
            instead.
        illegal_reward: the reward of an illegal action. The reward of a replacement is added to it. None for -1 if the
            illegal action ends the game, and for 0 if it is replaced.
        restarts_at_once: whether a game that ends starts again in the same step. Otherwise the step returns the
            observation at the end and an action mask of zeros; the next step starts the game, with reward 0, and
            ignores the action.

    Attributes:
        learner: the learner's seats and its results in the last finished games.
        masks: the learner's action masks: int8, shape ``(num_games, num_actions)``.
        observations: the array into which observations are written; None for a new array in each step.
        is_started: whether the games can be stepped. It is False before `start`, and after an error of an opponent.

    Raises:
        TypeError: if an opponent is neither an agent spec nor an agent.
        ValueError: if the number of opponents, the seat or the reward is wrong.
        romans_agents.UnknownAgentError: if an agent spec names no agent.
    """

    learner: LearnerSeats

    def __init__(
        self,
        num_games: int,
        setup: Rules | Setup,
        opponents: Sequence[str | Agent],
        mix_opponents: bool = False,
        seat: int | None = None,
        reward: Reward = "win",
        threads: int = 1,
        illegal_actions: str = "end",
        illegal_reward: float | None = None,
        restarts_at_once: bool = True,
    ):
        check_reward(reward)
        rules = rules_of(setup)
        check_seat(seat, rules.num_players)
        check_opponents(opponents, rules.num_players, mix_opponents)
        states = new_states(rules, num_games)
        super().__init__(rules, states, [agent_of(opponent, rules.name) for opponent in opponents])
        self.learner = LearnerSeats(
            seat=np.zeros(num_games, dtype=np.int8),
            last_points=np.zeros(num_games, dtype=np.int64),
            won=np.zeros(num_games, dtype=np.int8),
            points=np.zeros(num_games, dtype=np.int64),
            needs_reset=np.zeros(num_games, dtype=np.int8),
            codes=self.codes,
            mixes_opponents=mix_opponents,
            fixed_seat=-1 if seat is None else int(seat),
            rewards_points=reward == "points",
            restarts_at_once=bool(restarts_at_once),
            illegal_reward=illegal_reward_of(illegal_actions, illegal_reward),
            stride=replacement_stride(rules.num_actions) if illegal_actions == "replace" else 0,
            replaced=np.zeros(num_games, dtype=np.int8),
        )
        self._reward_function = reward if callable(reward) else None
        self._may_lack_a_choice = not isinstance(rules, CompiledRules)
        self._all_compiled = bool((self.codes != EXTERNAL).all())
        self._threads = Threads(num_games, threads)
        self.masks = np.zeros((num_games, rules.num_actions), dtype=np.int8)
        self._final = self._new_observations()
        self.observations: npt.NDArray[Any] | None = None
        self.is_started = False

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Seed all random numbers of future games, including the opponents' random numbers.

        Args:
            seeds: a seed for each game; None for a random seed.
        """
        sequences = self.seed_games(np.arange(self.num_games), seeds)
        words = np.random.default_rng([int(sequence.generate_state(1)[0]) for sequence in sequences])
        for opponent in self.agents:
            opponent.seed(int(words.integers(2**63)))

    def seed_games(self, indices: Integers, seeds: Sequence[int | None]) -> list[np.random.SeedSequence]:
        """Seed the future games of some places in the batch, except for opponents that play in Python.

        Args:
            indices: the indices of the games: int64, shape ``(k,)``.
            seeds: a seed for each of these games; None for a random seed.

        Returns:
            The seed sequence of each of these games.
        """
        sequences = [np.random.SeedSequence(seed) for seed in seeds]
        self.arrays.deal_streams[indices], self.arrays.play_streams[indices] = deal_and_play_streams(sequences)
        return sequences

    def start(self, games: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[Any]:
        """Start games and run them to the learner's first decision.

        Args:
            games: True for the games to start: bool, shape ``(num_games,)``. The other games do not change. None starts
                all games.

        Returns:
            The learner's observations in all games, in the dtype of the game's observations (int8 or int16), shape
            ``(num_games, observation_size)``; ``masks`` has the action masks.
        """
        starts = np.ones(self.num_games, dtype=np.int64) if games is None else games.astype(np.int64)
        return self._run([STARTS, OBSERVES], starts).observations

    def step(self, actions: npt.NDArray[Any]) -> LearnerStep:
        """Play the learner's action in every game, and run every game to the learner's next decision.

        Args:
            actions: action ids, any integer dtype, shape ``(num_games,)``.

        Returns:
            The results of the step; the next step overwrites the arrays ``masks`` and ``final``.

        Raises:
            RuntimeError: if the games have not been started.
            TypeError: if the actions are not integers.
            ValueError: if the number of actions is wrong.
            romans_env.IllegalActionError: if an opponent chooses an illegal action; call `start` before the next step.
            romans_env.envs.rewards.RewardError: if a reward is not a finite number; call `start` before the next step.
        """
        if not self.is_started:
            raise RuntimeError("call reset() before step()")
        step = self._run([ACTS, REWARDS, OBSERVES], as_actions(actions, self.num_games))
        if self.learner.illegal_reward == ILLEGAL_REWARD and (step.ends == ENDED_ILLEGAL).any():
            warn_of_illegal_action()
        return step

    def seats(self) -> npt.NDArray[np.int8]:
        """Return a copy of the learner's seat in every game: int8, shape ``(num_games,)``."""
        return self.learner.seat.copy()

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Restore the state that `saved` returned; the games can then be stepped.

        Raises:
            SavedGamesError: if the arrays do not fit these games and agents.
        """
        super().restore(saved)
        self.is_started = True

    def _saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        learner = {name: getattr(self.learner, name) for name in ("seat", "last_points", "won", "points")}
        needs_reset = {} if self.learner.restarts_at_once else {"waits": self.learner.needs_reset}
        seen = {"masks": self.masks} | ({} if self.observations is None else {"observations": self.observations})
        return {**super()._saved_arrays(), **learner, **needs_reset, **seen}

    def _run(self, stages: list[int], actions: Integers) -> LearnerStep:
        """Run some stages of a step in all games; opponents in Python play between the stages.

        Args:
            stages: the stages in order, each a bit of `romans_agents.loops.codes`. If all opponents are compiled, one
                call does all stages.
            actions: the learner's actions; in the stage STARTS, 1 for the games that start: int64, shape
                ``(num_games,)``.
        """
        # False until all stages are done: after an opponent's error, the games are between two decisions.
        self.is_started = False
        rewards, ends = np.empty(self.num_games), np.empty(self.num_games, dtype=np.int8)
        observations = self._new_observations() if self.observations is None else self.observations
        step = LearnerStep(observations, self.masks, rewards, ends, self._final)
        run = self.loops.run_learners
        before = None if self._reward_function is None or ACTS not in stages else copied(self.states)
        at_once = self._all_compiled and before is None
        for stage in [sum(stages)] if at_once else stages:
            own_rewards = None if before is None or stage != REWARDS else self._own_rewards(before, step)
            self._threads.run(run, stage, self.arrays, self.learner, actions, step)
            while not self._all_compiled and stage != OBSERVES and self.play_agents():
                pass
            if own_rewards is not None:
                rewards[:] = own_rewards
        self._skip_games_without_a_choice(step)
        if self._start_states is not None:
            # The games that started: all that were asked to, or all that ended.
            self._restart_at_positions(np.flatnonzero(actions if STARTS in stages else step.ends), step)
        self._keep_positions()
        self.is_started = True
        return step

    def _skip_games_without_a_choice(self, step: LearnerStep) -> None:
        """Restart games that were over before the learner had a decision, because they teach it nothing.

        This cannot happen in games that inherit `CompiledRules`.
        """
        for _ in range(MOST_SKIPPED if self._may_lack_a_choice else 0):
            over = (self.rules.seats_to_act(self.states) == GAME_OVER) & (self.learner.needs_reset == 0)
            if not over.any():
                return
            for stage in (STARTS, OBSERVES):
                self._threads.run(
                    self.loops.run_learners, stage, self.arrays, self.learner, over.astype(np.int64), step
                )
                while stage != OBSERVES and self.play_agents():
                    pass
        if self._may_lack_a_choice:
            raise RuntimeError(f"{self.rules.name}: {MOST_SKIPPED} games were over before the learner had a choice")

    def _own_rewards(self, before: States, step: LearnerStep) -> npt.NDArray[np.float64]:
        """Return the rewards of the user's reward function, plus the rewards of illegal actions: float64, shape (n,).

        Call this method after the opponents have played and before games start again. The reward function is not called
        for games that waited for a reset or were ended by an illegal action.
        """
        assert self._reward_function is not None
        rewards = step.rewards.copy()
        games = np.flatnonzero((step.ends == GOES_ON) & (self.learner.needs_reset == 0))
        seats = self.learner.seat[games]
        rewards[games] += rewards_in_games(self.rules, self._reward_function, before, self.states, games, seats)
        return rewards

    def _restart_at_positions(self, started: Integers, step: LearnerStep) -> None:
        """Move a share of the games that have just started to positions of earlier games, with the learner to act."""
        again = self._restart(started)
        self.learner.seat[again] = seats = self.rules.seats_to_act(self.states[again])
        self.learner.last_points[again] = self.rules.points_of(self.states[again])[np.arange(again.size), seats]
        step.observations[again], self.masks[again] = self.observed(again)

    def _new_observations(self) -> npt.NDArray[Any]:
        return np.empty((self.num_games, self.rules.observation_size), dtype=self.rules.observation_low.dtype)
