"""Kernels for a game that has none of its own: its rules are called one game at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.kernels import (
    ACTS,
    ENDED,
    ENDED_ILLEGAL,
    EXTERNAL,
    GOES_ON,
    LEARNER,
    OBSERVES,
    SETTLES,
    STARTS,
    GameArrays,
    Integers,
    LearnerSeats,
    LearnerStep,
)
from romans_env.chance import settle_chance, start_game
from romans_env.engine.random_stream import below, next_word
from romans_env.envs.rewards import ILLEGAL_REWARD
from romans_env.protocol import GAME_OVER, Rules, States


class PythonKernels:
    """See `romans_agents.kernels.Kernels`. No agent is compiled: every decision comes from outside."""

    def __init__(self, rules: Rules):
        self.rules = rules

    def code_of(self, agent: Agent) -> int:
        return EXTERNAL

    def are_all_compiled(self, codes: npt.NDArray[np.int8]) -> bool:
        return codes.size == 0

    def start(self, games: GameArrays, indices: Integers) -> None:
        for i in indices.tolist():
            self._start(games, i)

    def run(self, games: GameArrays) -> None:
        """Nothing to do: games stop at decisions, and all decisions come from outside."""

    def act(self, games: GameArrays, indices: Integers, actions: Integers) -> int:
        for k, (i, action) in enumerate(zip(indices.tolist(), actions.tolist(), strict=True)):
            if not self._act(games, i, action):
                return k
        return -1

    def observe(
        self, states: States, indices: Integers, observations: npt.NDArray[Any], masks: npt.NDArray[np.int8]
    ) -> None:
        for k, i in enumerate(indices.tolist()):
            self.rules.observe(states, i, self.rules.seat_to_act(states, i), observations[k], masks[k])

    def plan(self, games: GameArrays, indices: Integers) -> None:
        """Nothing to do: no agent is compiled."""

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
        observe, nothing = self.rules.observe, np.empty(0, dtype=np.int8)
        for i in range(first, last):
            starts = bool(stages & STARTS)
            if stages & ACTS:
                is_legal = self._act(games, i, int(actions[i]))
                step.rewards[i], step.ends[i] = (0.0, GOES_ON) if is_legal else (ILLEGAL_REWARD, ENDED_ILLEGAL)
            if stages & SETTLES:
                starts = self._settle(games.states, i, learner, step)
                if starts:
                    observe(games.states, i, int(learner.seat[i]), step.final[i], nothing)
            if starts:
                self._start_with_learner(games, i, learner)
            if stages & OBSERVES:
                observe(games.states, i, int(learner.seat[i]), step.observations[i], step.masks[i])

    def _start(self, games: GameArrays, i: int) -> None:
        words = games.deal_streams
        if self.rules.chance_in_play:
            words = games.words
            words[i] = [next_word(games.deal_streams, i) for _ in range(words.shape[1])]
        start_game(self.rules, games.states, i, words, i)

    def _act(self, games: GameArrays, i: int, action: int) -> bool:
        """Play an action and the chance events after it; False, and nothing changed, for an illegal one."""
        if not self.rules.is_legal(games.states, i, action):
            return False
        settle_chance(self.rules, games.states, i, self.rules.act(games.states, i, action), games.words, i)
        return True

    def _settle(self, states: States, i: int, learner: LearnerSeats, step: LearnerStep) -> bool:
        """Write the reward since the last decision; whether the game has ended."""
        rules, seat = self.rules, int(learner.seat[i])
        points = rules.points(states, i, seat)
        is_over = rules.seat_to_act(states, i) == GAME_OVER
        if step.ends[i] == GOES_ON:
            if is_over:
                step.ends[i] = ENDED
                learner.won[i] = rules.players[seat] in rules.winners(states, i)
            if learner.rewards_points:
                step.rewards[i] = points - learner.last_points[i]
                learner.last_points[i] = points
            elif is_over:
                step.rewards[i] = rules.game_return(states, i, seat)
        learner.points[i] = points
        return bool(step.ends[i] != GOES_ON)

    def _start_with_learner(self, games: GameArrays, i: int, learner: LearnerSeats) -> None:
        players = self.rules.num_players
        self._start(games, i)
        own = below(games.deal_streams, i, players) if learner.fixed_seat < 0 else learner.fixed_seat
        learner.seat[i] = own
        games.who[i, own], games.controllers[i, own] = LEARNER, EXTERNAL
        for k in range(players - 1):
            seat = (own + 1 + k) % players
            pick = below(games.deal_streams, i, learner.codes.size) if learner.mixes_opponents else k
            games.who[i, seat], games.controllers[i, seat] = pick, learner.codes[pick]
        learner.last_points[i] = self.rules.points(games.states, i, int(own))
