"""The game's `romans_agents.kernels.Kernels`, compiled, with scripted players inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.kernels import EXTERNAL, Integers, LearnerSeats, LearnerStep
from romans_agents.romans_go_home import compiled_games, weighing
from romans_agents.romans_go_home.characters import FIRST_WEIGHING
from romans_env.protocol import Rules, States
from romans_env.romans_go_home import kernels


class CompiledKernels:
    """See `romans_agents.kernels.Kernels`. Chance is all in the deal, so chance words are neither read nor written."""

    def __init__(self, rules: Rules):
        pass

    def code_of(self, agent: Agent) -> int:
        return agent.compiled_code or EXTERNAL

    def are_all_compiled(self, codes: npt.NDArray[np.int8]) -> bool:
        return bool(((codes != EXTERNAL) & (codes < FIRST_WEIGHING)).all())

    def start(self, states: States, games: Integers, deal_streams: Integers, words: Integers) -> None:
        for i in games.tolist():
            kernels.deal_game(states, i, deal_streams)

    def run(self, states: States, controllers: npt.NDArray[np.int8], streams: Integers, words: Integers) -> None:
        compiled_games.run_all(states, controllers, streams)

    def act(
        self,
        states: States,
        games: Integers,
        actions: Integers,
        controllers: npt.NDArray[np.int8],
        streams: Integers,
        words: Integers,
    ) -> int:
        wrong: int = compiled_games.act_in(states, games, actions, controllers, streams)
        return wrong

    def observe(
        self, states: States, games: Integers, observations: npt.NDArray[Any], masks: npt.NDArray[np.int8]
    ) -> None:
        compiled_games.observe_in(states, games, observations, masks)

    def plan(
        self, states: States, games: Integers, controllers: npt.NDArray[np.int8], streams: Integers, words: Integers
    ) -> None:
        weighing.plan_in(states, games, controllers, streams)

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
        compiled_games.run_learners(stages, states, learner, deal_streams, streams, actions, step, first, last)
