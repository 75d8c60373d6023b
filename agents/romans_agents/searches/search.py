"""What the game-neutral searches share: the loops of a game, scratch for them, and the chance of a decision."""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from romans_agents.loops import search_loops, uniform_evaluator
from romans_agents.loops.tree import Tree
from romans_agents.searches.budget import Budget, SearchAgent
from romans_agents.searches.comparison import BATCHES, ActionComparison, share_of_return
from romans_env import View
from romans_env.compiling.templates import bound
from romans_env.core.games import spec_of
from romans_env.core.parts import Evaluator
from romans_env.core.protocol import Rules, States
from romans_env.core.python_step import step_of
from romans_env.engine.random_stream import WORDS, Streams, streams_from_seeds
from romans_env.engine.step_functions import ChanceWords
from romans_env.errors import shortened


class _SearchLoops(Protocol):
    """The functions of `romans_agents.loops.search_loops`, bound to a game."""

    def iterate(
        self,
        records: States,
        hashed: npt.NDArray[Any],
        seat: int,
        tree: Tree,
        num_actions: int,
        exploration: float,
        num_iterations: int,
        streams: Streams,
        words: ChanceWords,
    ) -> None:
        """Add iterations to a search."""

    def root_counts(
        self, hashed: npt.NDArray[Any], tree: Tree, visits: npt.NDArray[np.int64], totals: npt.NDArray[np.float64]
    ) -> None:
        """Add the visits, and the totals of returns, of the actions of the first record, a view."""

    def compare(
        self,
        records: States,
        seat: int,
        actions: npt.NDArray[np.int64],
        sums: npt.NDArray[np.float64],
        num_samples: int,
        streams: Streams,
        words: ChanceWords,
    ) -> None:
        """Play every action on from the same determinizations with the same chance."""


def search_loops_of(rules: Rules) -> _SearchLoops:
    """Return a game's `romans_agents.loops.search_loops`: compiled, or over its rules if it has no step functions.

    Without an evaluator of the game's own, rollouts are random.
    """
    return _search_loops(cast(Hashable, rules))


@functools.lru_cache(maxsize=16)
def _search_loops(rules: Any) -> _SearchLoops:
    return cast(_SearchLoops, bound(search_loops, game=step_of(rules), evaluator=evaluator_of(rules)))


def evaluator_of(rules: Rules) -> Evaluator:
    """Return the evaluator of a game; without one of its own, `romans_agents.loops.uniform_evaluator`."""
    return spec_of(rules.name).part("evaluator") or cast(Evaluator, bound(uniform_evaluator, game=step_of(rules)))


class NeutralSearchAgent(SearchAgent):
    """A search that plays every game; its first decision in a game compiles before its time runs."""

    _compiled_for: str | None = None

    def act(self, view: View) -> int:
        """See `Agent.act`; a single legal action is played without a search."""
        if self.seconds is not None and self._compiled_for != view.rules.name:
            self._compiled_for = view.rules.name
            self._compile(view.rules, [self.decide])
        return self.decide(view)

    def decide(self, view: View) -> int:
        """Choose an action."""
        raise NotImplementedError


Rollouts = Callable[[npt.NDArray[np.float64], int], None]
"""``run(sums, count)`` adds to the sum of each action what ``count`` more rollouts of it are worth."""


MOST_TURNS = 1000


class RolloutAgent(NeutralSearchAgent):
    """Compares actions by rollouts with common random numbers: the same determinizations and the same chance.

    Args:
        iterations, seconds, seed: as for `SearchAgent`.
        candidates: how many actions a subclass compares at most, as ``most``; at least 2.
        value_weight: weight of the mean worth of an action's rollouts beside its score; at least 0.
        turns: how many turns a rollout plays, as a subclass counts them; 1 to MOST_TURNS.
    """

    def __init__(
        self,
        iterations: int,
        seconds: float | None,
        seed: int,
        candidates: int = 2,
        value_weight: float = 1.0,
        turns: int = 1,
    ):
        super().__init__(iterations, seconds, seed)
        if candidates < 2:
            raise ValueError(f"candidates is at least 2, not {shortened(candidates)}")
        if not 0.0 <= value_weight < math.inf:
            raise ValueError(f"value_weight is a number of at least 0, not {shortened(value_weight)}")
        if not 1 <= turns <= MOST_TURNS:
            raise ValueError(f"turns is 1 to {MOST_TURNS}, not {shortened(turns)}")
        self.most, self.value_weight, self.turns = candidates, value_weight, turns

    def candidates(self, view: View) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
        """Return the actions that are compared, and a score of each, both of shape (n,), without rollouts."""
        raise NotImplementedError

    def rollouts(self, view: View, actions: npt.NDArray[np.int64]) -> Rollouts:
        """Return a function that plays rollouts of some legal actions."""
        raise NotImplementedError

    def shares(self, means: npt.NDArray[np.float64], num_players: int) -> npt.NDArray[np.float64]:
        """Return the share of the win that means of rollouts stand for: here they are returns."""
        return share_of_return(means, num_players)

    def decide(self, view: View) -> int:
        """Return the id of an action where more than one is legal."""
        actions, scores = self.candidates(view)
        budget, sums = Budget(self.iterations, self.seconds), np.zeros(len(actions))
        run = self.rollouts(view, actions)
        count = budget.spend(1.0, lambda count: run(sums, count), cost=len(actions))
        return int(actions[(scores + self.value_weight * sums / count).argmax()])

    def compare(self, view: View, played: Sequence[int]) -> ActionComparison:
        """Compare as `romans_agents.searches.comparison.Comparing.compare`; the choice is one action."""
        actions, scores = self.candidates(view)
        others = actions != played[0]
        bonus = np.append(scores[~others] if not others.all() else -np.inf, scores[others]) - scores.max()
        actions = np.append(played[0], actions[others])
        run, sums = self.rollouts(view, actions), np.zeros((BATCHES, len(actions)))
        budget, count = Budget(self.iterations, self.seconds), 0
        for row in sums:
            count = budget.spend(1.0 / BATCHES, functools.partial(run, row), cost=len(actions))
            row /= count
        share = functools.partial(self.shares, num_players=len(view.rules.players))
        weight = max(self.value_weight, 1e-9)
        choices: list[tuple[int, ...]] = [(action,) for action in actions.tolist()]
        return ActionComparison(choices, share(sums), share(bonus / weight) - share(np.zeros(1)))


def streams_for(view: View, seed: int, count: int) -> npt.NDArray[np.int64]:
    """Return random streams of a decision, from the seed of the search and the view: int64, shape (count, 4)."""
    content = zlib.crc32(view.states.tobytes())
    return streams_from_seeds([np.random.SeedSequence([seed, content, k]) for k in range(count)])


def scratch_for(states: States) -> tuple[States, npt.NDArray[Any], npt.NDArray[np.int64]]:
    """Return scratch records with a view in front, the same memory as integers, and scratch for chance words."""
    records = np.repeat(states, search_loops.NUM_RECORDS)
    size = records.dtype.itemsize
    integer = next(kind for kind in (np.int64, np.int32, np.int16, np.int8) if size % np.dtype(kind).itemsize == 0)
    hashed = records.view(integer).reshape(len(records), -1)
    return records, hashed, np.zeros((len(records), WORDS), dtype=np.int64)
