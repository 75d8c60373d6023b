"""The loops of a batch for a game that has none of its own: its rules are called one game at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from romans_env.chance import settle_chance, start_from_stream
from romans_env.engine.ends import ENDED, ENDED_ILLEGAL, GOES_ON
from romans_env.engine.random_stream import Streams, below
from romans_env.protocol import GAME_OVER, Rules, States

if TYPE_CHECKING:
    from romans_env.batch import BatchArrays


class PythonBatchKernels:
    """See `romans_env.batch.BatchKernels`."""

    def __init__(self, rules: Rules):
        self.rules = rules

    def start_games(
        self, states: States, deal_streams: Streams, words: Streams, out: BatchArrays, first: int, last: int
    ) -> None:
        for i in range(first, last):
            out.rewards[i], out.ends[i] = 0.0, GOES_ON
            out.seats[i] = start_from_stream(self.rules, states, i, deal_streams, words)
            self.rules.observe(states, i, int(out.seats[i]), out.observations[i], out.masks[i])

    def step_games(
        self,
        states: States,
        actions: npt.NDArray[np.int64],
        chooses: bool,
        watches: bool,
        deal_streams: Streams,
        choice_streams: Streams,
        words: Streams,
        out: BatchArrays,
        first: int,
        last: int,
    ) -> None:
        rules = self.rules
        for i in range(first, last):
            if chooses:
                actions[i] = self._random_action(states, i, choice_streams)
            seat, action = rules.seat_to_act(states, i), int(actions[i])
            out.rewards[i], out.ends[i] = 0.0, GOES_ON
            if not rules.is_legal(states, i, action):
                out.rewards[i, seat], out.ends[i] = -1.0, ENDED_ILLEGAL
            else:
                seat = settle_chance(rules, states, i, rules.act(states, i, action), words, i)
                if seat == GAME_OVER:
                    out.rewards[i], out.ends[i] = self._returns(states, i), ENDED
            if out.ends[i] != GOES_ON:
                seat = start_from_stream(rules, states, i, deal_streams, words)
            out.seats[i] = seat
            if watches:
                rules.observe(states, i, seat, out.observations[i], out.masks[i])

    def play_out_games(
        self,
        states: States,
        streams: Streams,
        words: Streams,
        returns: npt.NDArray[np.float32],
        lengths: npt.NDArray[np.int64],
        first: int,
        last: int,
    ) -> None:
        rules = self.rules
        for i in range(first, last):
            lengths[i] = 0
            while rules.seat_to_act(states, i) != GAME_OVER:
                action = self._random_action(states, i, streams)
                settle_chance(rules, states, i, rules.act(states, i, action), words, i)
                lengths[i] += 1
            returns[i] = self._returns(states, i)

    def _random_action(self, states: States, i: int, streams: Streams) -> int:
        legal = self.rules.legal_actions(states, i)
        return legal[below(streams, i, len(legal))]

    def _returns(self, states: States, i: int) -> list[float]:
        return [self.rules.game_return(states, i, seat) for seat in range(self.rules.num_players)]
