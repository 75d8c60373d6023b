"""The arena, in which agents play many games against each other at once, to their ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from romans_agents.base import Agent
from romans_agents.batches.adjudicator import Adjudicator
from romans_agents.batches.batch_with_agents import BatchWithAgents
from romans_agents.batches.game_arrays import Integers
from romans_agents.loops.codes import EXTERNAL
from romans_env.core.protocol import Rules, States
from romans_env.engine.random_stream import streams_from_seeds


class GameCallback(Protocol):
    """A callback that follows games while they are played."""

    def see(self, states: States, indices: Integers, actions: Integers) -> None:
        """Handle the actions that are about to be played in some games.

        Args:
            states: records of all games, shape ``(n,)``, before the actions.
            indices: indices of the games, int64, shape ``(k,)``.
            actions: the action to play in each of these games, int64, shape ``(k,)``.
        """
        ...


class Arena(BatchWithAgents):
    """Plays games between any agents to their ends; all games have the same setup.

    Args:
        rules: the game with its setup.
        states: records of started games, shape ``(n,)``; played in place.
        players: the agents on the seats of every game.
        seeds: a seed for each game, for the random numbers of its compiled agents.
        adjudicator: asks the agents for actions and ends the games in which an agent is at fault; None to raise an
            error for a fault.
        words: the chance words of the games, int64, shape ``(n, 4)``; None for a game without chance in play.
        keeps_actions: whether to keep the actions of every game in order. If so, compiled agents also play in Python,
            which is slower.
        callback: a callback that is told of every action before it is played; None for no callback. With a callback,
            compiled agents also play in Python.

    Attributes:
        actions: the actions of each game so far; None if actions are not kept.
    """

    def __init__(
        self,
        rules: Rules,
        states: States,
        players: Sequence[Sequence[Agent]],
        seeds: Sequence[int | np.random.SeedSequence],
        adjudicator: Adjudicator | None = None,
        words: Integers | None = None,
        keeps_actions: bool = False,
        callback: GameCallback | None = None,
    ):
        agents = {id(agent): agent for seats in players for agent in seats}
        super().__init__(rules, states, list(agents.values()))
        self._adjudicator, self._callback = adjudicator, callback
        self.actions: list[list[int]] | None = [[] for _ in range(self.num_games)] if keeps_actions else None
        if keeps_actions or callback is not None:  # compiled loops show no actions
            self.codes[:] = EXTERNAL
        number = {key: k for k, key in enumerate(agents)}
        who = np.array([[number[id(agent)] for agent in seats] for seats in players], dtype=np.int64)
        self.arrays.who[:, : rules.num_players] = who
        self.arrays.controllers[:, : rules.num_players] = self.codes[who]
        self.arrays.play_streams[:] = streams_from_seeds(seeds)
        if words is not None:
            self.arrays.words[:] = words

    def play(self) -> Iterator[int]:
        """Play all games to their ends.

        Yields:
            The number of finished games, after each round of decisions.

        Raises:
            IllegalActionError: if an agent chooses an illegal action and there is no adjudicator; the message names
                the agent.
            AgentError: if an agent's code raises an error and there is no adjudicator.
        """
        self.loops.run_games(self.arrays)
        waiting = self.num_games
        while waiting:
            waiting = self.play_agents()
            yield self.num_games - waiting

    def act(self, indices: Integers, actions: Integers) -> None:
        """Play an action in each of some games.

        Args:
            indices: indices of the games, int64, shape ``(k,)``.
            actions: the action to play in each of these games, int64, shape ``(k,)``.

        Raises:
            IllegalActionError: if an action is illegal; the games before it have been played.
        """
        if self._callback is not None:
            self._callback.see(self.states, indices, actions)
        super().act(indices, actions)
        if self.actions is not None:
            for i, action in zip(indices.tolist(), actions.tolist(), strict=True):
                self.actions[i].append(action)

    def _answers(self, indices: Integers, agent: Agent) -> tuple[Integers, Integers]:
        if self._adjudicator is None:
            return super()._answers(indices, agent)
        return self._adjudicator.answers(self, indices, agent)
