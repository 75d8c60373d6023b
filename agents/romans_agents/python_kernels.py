"""Kernels for a game that has none of its own: its rules are called one game at a time."""

from __future__ import annotations

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
    Integers,
    LearnerSeats,
    LearnerStep,
)
from romans_env.chance import settle_chance, start_from_stream
from romans_env.engine.ends import ENDED, ENDED_ILLEGAL, GOES_ON
from romans_env.engine.random_stream import below
from romans_env.protocol import GAME_OVER, Rules, States


class PythonKernels:
    """See `romans_agents.kernels.Kernels`. No agent is compiled: every decision comes from outside."""

    def __init__(self, rules: Rules):
        self.rules = rules

    def code_of(self, agent: Agent) -> int:
        return EXTERNAL

    def are_all_compiled(self, codes: npt.NDArray[np.int8]) -> bool:
        return codes.size == 0

    def start(self, states: States, games: Integers, deal_streams: Integers, words: Integers) -> None:
        for i in games.tolist():
            start_from_stream(self.rules, states, i, deal_streams, words)

    def run(self, states: States, controllers: npt.NDArray[np.int8], streams: Integers, words: Integers) -> None:
        """Nothing to do: games stand at decisions, and all decisions come from outside."""

    def act(
        self,
        states: States,
        games: Integers,
        actions: Integers,
        controllers: npt.NDArray[np.int8],
        streams: Integers,
        words: Integers,
    ) -> int:
        for k, (i, action) in enumerate(zip(games.tolist(), actions.tolist(), strict=True)):
            if not self._act(states, i, action, words):
                return k
        return -1

    def observe(
        self, states: States, games: Integers, observations: npt.NDArray[Any], masks: npt.NDArray[np.int8]
    ) -> None:
        for k, i in enumerate(games.tolist()):
            self.rules.observe(states, i, self.rules.seat_to_act(states, i), observations[k], masks[k])

    def plan(
        self, states: States, games: Integers, controllers: npt.NDArray[np.int8], streams: Integers, words: Integers
    ) -> None:
        """Nothing to do: no agent is compiled."""

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
        rules = self.rules
        nothing = np.empty(0, dtype=np.int8)
        for i in range(first, last):
            starts = bool(stages & STARTS)
            if stages & ACTS:
                step.rewards[i], step.ends[i] = 0.0, GOES_ON
                if not self._act(states, i, int(actions[i]), learner.words):
                    step.rewards[i], step.ends[i] = -1.0, ENDED_ILLEGAL
            if stages & SETTLES:
                starts = self._settle(states, i, learner, step)
                if starts:
                    rules.observe(states, i, int(learner.seat[i]), step.final[i], nothing)
            if starts:
                self._start_with_learner(states, i, learner, deal_streams)
            if stages & OBSERVES:
                rules.observe(states, i, int(learner.seat[i]), step.observations[i], step.masks[i])

    def _act(self, states: States, i: int, action: int, words: Integers) -> bool:
        """Play an action and the chance events after it; False, and nothing changed, for an illegal one."""
        if not self.rules.is_legal(states, i, action):
            return False
        settle_chance(self.rules, states, i, self.rules.act(states, i, action), words, i)
        return True

    def _settle(self, states: States, i: int, learner: LearnerSeats, step: LearnerStep) -> bool:
        """Write the reward since the last decision; whether the game has ended."""
        rules, seat = self.rules, int(learner.seat[i])
        is_over = rules.seat_to_act(states, i) == GAME_OVER
        if step.ends[i] == GOES_ON:
            if is_over:
                step.ends[i] = ENDED
                learner.won[i] = rules.players[seat] in rules.winners(states, i)
            if learner.rewards_points:
                points = rules.points(states, i, seat)
                step.rewards[i] = points - learner.last_points[i]
                learner.last_points[i] = points
            elif is_over:
                step.rewards[i] = rules.game_return(states, i, seat)
        learner.points[i] = rules.points(states, i, seat)
        return bool(step.ends[i] != GOES_ON)

    def _start_with_learner(self, states: States, i: int, learner: LearnerSeats, deal_streams: Integers) -> None:
        players = self.rules.num_players
        start_from_stream(self.rules, states, i, deal_streams, learner.words)
        learner.seat[i] = below(deal_streams, i, players) if learner.fixed_seat < 0 else learner.fixed_seat
        for k in range(players):
            seat = (int(learner.seat[i]) + k) % players
            if k == 0:
                learner.who[i, seat], learner.controllers[i, seat] = LEARNER, EXTERNAL
                continue
            pick = below(deal_streams, i, learner.codes.size) if learner.mixes_opponents else k - 1
            learner.who[i, seat], learner.controllers[i, seat] = pick, learner.codes[pick]
        learner.last_points[i] = self.rules.points(states, i, int(learner.seat[i]))
