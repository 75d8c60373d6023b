"""`odoacer`, the fast trained agent of Struggle for Rome: few rollouts of `trader`, selected by a small network.

The network in `odoacer.npz` decides where rollouts are worthwhile, the one in `odoacer_win_chance.npz` evaluates their
ends; `odoacer.md` is the model card. `romans_agents.struggle.selective_rollouts` selects and plays the rollouts.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from romans_agents.base import Agent
from romans_agents.searches.search import streams_for
from romans_agents.struggle.rollouts import NUM_RECORDS
from romans_agents.struggle.selective_rollouts import Prior, choose, load_prior
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.win_chance import WinChance, load_win_chance
from romans_env import View
from romans_env.core.protocol import Rules
from romans_env.engine.random_stream import WORDS

ODOACER_FILE = Path(__file__).with_suffix(".npz")
WIN_CHANCE_FILE = ODOACER_FILE.with_name("odoacer_win_chance.npz")
LEAST_WORTH = 2.2e-3
"""The expected gain in win probability for which a rollout is played; a larger one means fewer rollouts."""
DOUBT = 0.2
"""The number of standard deviations by which an action must be better than `trader`'s to be played."""


@functools.cache
def packaged() -> tuple[Prior, WinChance]:
    """Return the two networks of the package."""
    return load_prior(ODOACER_FILE), load_win_chance(WIN_CHANCE_FILE)


class OdoacerAgent(Agent):
    """Plays like `trader`, improved by a few rollouts where they are worthwhile; for the stand-in board only.

    Args:
        least_worth: the expected gain in win probability for which a rollout is played, above 0; a larger one means
            fewer rollouts and less time.

    Attributes:
        prior: the network that decides where rollouts are worthwhile.
        fitted: the network that evaluates the ends of rollouts.
        rollouts: the number of rollouts played so far.

    Raises:
        ValueError: if the option is out of range or, at a decision, the board has another size.
    """

    name = "odoacer"

    def __init__(self, least_worth: float = LEAST_WORTH):
        if not least_worth > 0:
            raise ValueError(f"least_worth is a number above 0, not {least_worth}")
        self._least_worth, (self.prior, self.fitted) = least_worth, packaged()
        self._words, self.rollouts = np.zeros((NUM_RECORDS, WORDS), np.int64), 0

    def plays(self, rules: Rules) -> bool:
        """Return whether the board is the stand-in board, by the size of its observations."""
        return rules.observation_size == self.fitted.scale.size

    def act(self, view: View) -> int:
        if not self.plays(view.rules):
            raise ValueError("odoacer plays only on the stand-in board; trader plays on every board")
        records, seen = np.repeat(view.states, NUM_RECORDS), np.empty((1, view.rules.observation_size), np.int16)
        scratch = streams_for(view, 0, 1), self._words, seen, STYLES[TRADER], self.prior, self.fitted
        action, rollouts = choose(records, view.seat, *scratch, self._least_worth, DOUBT)
        self.rollouts += rollouts
        return int(action)
