"""`stilicho`, the strongest trained agent of Struggle for Rome: rollouts of `trader`, evaluated by a network.

After each of the actions with the highest scores by `trader`, `trader` plays on for some turns, from the same
determinizations with the same chance (common random numbers). At the end, a network that was trained on the results of
games estimates the seat's win probability (`romans_agents.struggle.win_chance`): truncated rollouts (Tesauro and
Galperin 1997). The agent plays the action with the highest sum of its score and ``value_weight`` times its mean win
probability; so the scores decide between actions that rollouts cannot tell apart.

The network is in `stilicho.npz`; `stilicho.md` is the model card.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.searches.search import RolloutAgent, Rollouts, streams_for
from romans_agents.struggle import rollouts
from romans_agents.struggle.rollouts import LARGEST_GAP
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.win_chance import WinChance, load_win_chance
from romans_env import View
from romans_env.core.protocol import Rules
from romans_env.engine.random_stream import WORDS

STILICHO_FILE = Path(__file__).with_suffix(".npz")


@functools.cache
def packaged() -> WinChance:
    """Return the network of the package."""
    return load_win_chance(STILICHO_FILE)


class StilichoAgent(RolloutAgent):
    """Compares actions by rollouts of `trader` that a trained network evaluates; for the stand-in board only.

    Args:
        iterations: rollouts per decision, for all actions together.
        seconds: time per decision, which replaces ``iterations``; choices then depend on the speed of the machine.
        turns: the number of turns of a rollout, beginning with the turn in progress after the action; from 1 to 1000.
        candidates: the most actions that are compared, those with the highest scores; at least 2.
        value_weight: the worth of a certain win in resource cards, the unit of `trader`'s scores; at least 0.
        seed: the seed of the search's random numbers.

    Raises:
        ValueError: if an option is out of range or, at a decision, the board has another size.
    """

    name = "stilicho"

    def __init__(
        self,
        iterations: int = 120,
        seconds: float | None = None,
        turns: int = 8,
        candidates: int = 6,
        value_weight: float = 150.0,
        seed: int = 0,
    ):
        super().__init__(iterations, seconds, seed, candidates, value_weight, turns)
        self.fitted, self._weights = packaged(), STYLES[TRADER]

    def plays(self, rules: Rules) -> bool:
        """Return whether the board is the stand-in board, by the size of its observations."""
        return rules.observation_size == self.fitted.scale.size

    def candidates(self, view: View) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
        """Return the actions with the highest scores by `trader`, at least 2 and at most ``most``, with these scores.

        Returns:
            Action ids, int64, and scores in resource cards, float64, both of shape ``(n,)`` and in descending order of
            the scores.
        """
        actions = np.empty(view.rules.num_actions, dtype=np.int64)
        scores = np.empty(len(actions))
        count = rollouts.score_actions(view.states.copy(), self._weights, actions, scores)
        best = np.argsort(-scores[:count], kind="stable")[: self.most]
        kept = best[: max(2, np.count_nonzero(scores[best] >= scores[best[0]] - LARGEST_GAP))]
        return actions[kept], scores[kept]

    def rollouts(self, view: View, actions: npt.NDArray[np.int64]) -> Rollouts:
        """Return a function that plays rollouts of `trader` after each of the actions; values are win probabilities.

        Args:
            view: the view of the seat to act.
            actions: ids of legal actions, int64, shape ``(n,)``.

        Raises:
            ValueError: if the board is not the stand-in board.
        """
        rules = view.rules
        if not self.plays(rules):
            raise ValueError(
                "stilicho plays only on the stand-in board, whose observations have "
                f"{self.fitted.scale.size} entries, not {rules.observation_size}; trader plays on every board"
            )
        records = np.repeat(view.states, rollouts.NUM_RECORDS)
        words = np.zeros((len(records), WORDS), dtype=np.int64)
        seen = np.empty((1, rules.observation_size), dtype=rules.observation_low.dtype)
        streams, turns = streams_for(view, self._seed, 1), self.turns
        return lambda sums, count: rollouts.evaluate_actions(
            records, view.seat, actions, sums, count, turns, streams, words, seen, self._weights, self.fitted
        )

    def shares(self, means: npt.NDArray[np.float64], num_players: int) -> npt.NDArray[np.float64]:
        """Return the means unchanged, float64, because the network estimates shares of the win."""
        return means
