"""`flat-mc` for a game without a search of its own: Monte Carlo without a tree.

Hidden cards are sampled from what the seat knows (determinization), and every legal action is played on from the very
same determinizations with the very same chance (common random numbers), so that actions differ by what they do and not
by their luck. The rest of a game is played at random.
"""

from __future__ import annotations

import zlib

import numpy as np

from romans_agents.budget import Budget, SearchAgent
from romans_env import Game, View


class FlatMCAgent(SearchAgent):
    """Compares the legal actions by random rollouts.

    Args:
        iterations: rollouts for a decision, of all actions together.
        seconds: time for a decision, in place of ``iterations``; choices then depend on the machine, too.
        seed: the seed of the search's chance. A choice is a function of it and of the view.

    Raises:
        ValueError: options out of range.
    """

    name = "flat-mc"

    def __init__(self, iterations: int = 500, seconds: float | None = None, seed: int = 0):
        super().__init__(iterations, seconds, seed)

    def act(self, view: View) -> int:
        budget = Budget(self.iterations, self.seconds)
        rng = np.random.default_rng([self._seed, zlib.crc32(view.states.tobytes())])
        actions = view.legal_actions()
        sums = np.zeros(len(actions))

        def run(num_samples: int) -> None:
            for _ in range(num_samples):
                game, luck = view.sample_game(rng), int(rng.integers(2**63))
                for k, action in enumerate(actions):
                    sums[k] += _rollout(game.clone(), action, view.agent, luck)

        budget.spend(1.0, run, cost=len(actions))
        return actions[int(sums.argmax())]


def _rollout(game: Game, action: int, player: str, luck: int) -> float:
    """The player's return after an action, the rest being played at random."""
    rng = np.random.default_rng(luck)
    game.act(action)
    while not game.is_over:
        legal = game.legal_actions()
        game.act(legal[int(rng.integers(len(legal)))])
    return game.returns()[player]
