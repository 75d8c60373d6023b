"""The trained player of Struggle for Rome in the package: rollouts of `trader`, ended by a network that says who wins.

The actions that `trader` scores highest are each played on by `trader` for some turns, from the same determinizations
with the same chance (common random numbers). A network that was trained on the ends of games says there how likely the
seat is to win (`romans_agents.struggle.win_chance`): truncated rollouts (Tesauro and Galperin 1997). What is played is
the action with the highest score plus ``value_weight`` times its mean chance; so where rollouts cannot tell two actions
apart, the scores decide.

`stilicho.npz` is the network, `stilicho.md` says how it was made and how strong the player is.
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
    """Plays by rollouts of `trader` and a trained network; it is for the stand-in board.

    Args:
        iterations: rollouts for a decision, of all actions together.
        seconds: time for a decision, in place of ``iterations``; choices then depend on the machine, too.
        turns: how many turns a rollout plays on, the first being that of the position after the action; 1 to 1000.
        candidates: how many actions are compared, those of the highest scores; at least 2.
        value_weight: what a certain win is worth in resource cards, in which `trader` scores actions; at least 0.
        seed: the seed of the search's chance.

    Raises:
        ValueError: options out of range; at a decision, a board of another size.
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
        """Return the actions of the highest scores, in descending order, between 2 and ``most``, and those scores."""
        actions = np.empty(view.rules.num_actions, dtype=np.int64)
        scores = np.empty(len(actions))
        count = rollouts.score_actions(view.states.copy(), self._weights, actions, scores)
        best = np.argsort(-scores[:count], kind="stable")[: self.most]
        kept = best[: max(2, np.count_nonzero(scores[best] >= scores[best[0]] - LARGEST_GAP))]
        return actions[kept], scores[kept]

    def rollouts(self, view: View, actions: npt.NDArray[np.int64]) -> Rollouts:
        """Return rollouts of a scripted agent after each of some actions, ended by the value network."""
        rules = view.rules
        if not self.plays(rules):
            raise ValueError(
                "stilicho plays on the stand-in board alone, whose observations have "
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
        """Return the means as they are: the network gives shares of the win."""
        return means
