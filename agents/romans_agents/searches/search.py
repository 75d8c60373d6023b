"""The common parts of the searches that play every game: compiled loops, scratch memory and random streams."""

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
        """Add iterations to a search; the arguments are described at `romans_agents.loops.search_loops.iterate`."""

    def root_counts(
        self, hashed: npt.NDArray[Any], tree: Tree, visits: npt.NDArray[np.int64], totals: npt.NDArray[np.float64]
    ) -> None:
        """Add the root's visits (int64) and sums of returns (float64) to two arrays of shape ``(num_actions,)``."""

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
        """Play a rollout after every action, from the same determinizations with the same chance."""


def search_loops_of(rules: Rules) -> _SearchLoops:
    """Return the functions of `romans_agents.loops.search_loops` bound to a game.

    They are compiled, or run in Python if the game has no step functions. They use the evaluator that `evaluator_of`
    returns; for a game without an evaluator of its own, rollouts are random.
    """
    return _search_loops(cast(Hashable, rules))


@functools.lru_cache(maxsize=16)
def _search_loops(rules: Any) -> _SearchLoops:
    return cast(_SearchLoops, bound(search_loops, game=step_of(rules), evaluator=evaluator_of(rules)))


def evaluator_of(rules: Rules) -> Evaluator:
    """Return the evaluator of a game, or `romans_agents.loops.uniform_evaluator` if the game does not have one."""
    return spec_of(rules.name).part("evaluator") or cast(Evaluator, bound(uniform_evaluator, game=step_of(rules)))


class NeutralSearchAgent(SearchAgent):
    """Base class of searches that play every game.

    If there is a time limit, the loops of a game are compiled at the first decision, before the clock starts.
    """

    _compiled_for: str | None = None

    def act(self, view: View) -> int:
        """Choose an action by a search, after compiling the game's loops if a time limit makes that necessary."""
        if self.seconds is not None and self._compiled_for != view.rules.name:
            self._compiled_for = view.rules.name
            self._compile(view.rules, [self.decide])
        return self.decide(view)

    def decide(self, view: View) -> int:
        """Choose an action by a search, whose time limit starts with this call.

        Args:
            view: the view of the seat to act.

        Returns:
            The id of a legal action.
        """
        raise NotImplementedError


Rollouts = Callable[[npt.NDArray[np.float64], int], None]
"""``run(sums, count)`` plays ``count`` more rollouts after each action and adds their values to ``sums``: float64,
shape ``(num_candidates,)``."""


MOST_TURNS = 1000
"""The maximum number of turns of a rollout."""


class RolloutAgent(NeutralSearchAgent):
    """Base class of agents that compare actions by rollouts with common random numbers.

    All actions are tried in the same determinizations with the same chance. The agent plays the action with the highest
    sum of its score and ``value_weight`` times the mean value of its rollouts.

    Args:
        iterations, seconds, seed: as for `SearchAgent`.
        candidates: the maximum number of actions that a subclass compares, at least 2; stored as ``most``.
        value_weight: the weight of the mean value of an action's rollouts; at least 0.
        turns: the number of turns that a rollout lasts, from 1 to MOST_TURNS; the subclass defines what a turn is.

    Raises:
        ValueError: if an option is out of range.
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
        """Return the actions to compare and their scores before any rollout.

        Args:
            view: the view of the seat to act.

        Returns:
            The ids of legal actions, int64, and their scores, floats; both have shape ``(n,)``.
        """
        raise NotImplementedError

    def rollouts(self, view: View, actions: npt.NDArray[np.int64]) -> Rollouts:
        """Return a function that plays rollouts after each of the actions.

        Args:
            view: the view of the seat to act.
            actions: ids of legal actions, int64, shape ``(n,)``.
        """
        raise NotImplementedError

    def shares(self, means: npt.NDArray[np.float64], num_players: int) -> npt.NDArray[np.float64]:
        """Convert mean values of rollouts into shares of the win.

        Here the values are taken to be returns; a subclass whose rollouts have other values overrides the method.

        Args:
            means: mean values of rollouts, float64, any shape.
            num_players: the number of players.

        Returns:
            Shares of the win, float64, of the same shape.
        """
        return share_of_return(means, num_players)

    def decide(self, view: View) -> int:
        """Choose the candidate with the highest sum of its score and its weighted mean value."""
        actions, scores = self.candidates(view)
        budget, sums = Budget(self.iterations, self.seconds), np.zeros(len(actions))
        run = self.rollouts(view, actions)
        count = budget.spend(1.0, lambda count: run(sums, count), cost=len(actions))
        return int(actions[(scores + self.value_weight * sums / count).argmax()])

    def compare(self, view: View, played: Sequence[int]) -> ActionComparison:
        """Compare the first action that was played with the other candidates; every choice is one action.

        This implements `romans_agents.searches.comparison.Comparing`.

        Args:
            view: the view of the seat before its choice.
            played: ids of the consecutive actions that the seat played from this view on, at least one.
        """
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
    """Return random streams for a decision, derived from the seed of the search and the view.

    Args:
        view: the view of the seat to act.
        seed: the seed of the search.
        count: the number of streams.

    Returns:
        Streams, int64, shape ``(count, 4)``.
    """
    content = zlib.crc32(view.states.tobytes())
    return streams_from_seeds([np.random.SeedSequence([seed, content, k]) for k in range(count)])


def scratch_for(states: States) -> tuple[States, npt.NDArray[Any], npt.NDArray[np.int64]]:
    """Return scratch memory for a search.

    Args:
        states: the redacted record of the searching seat, shape ``(1,)``.

    Returns:
        Three arrays: scratch records, each a copy of ``states``, shape ``(NUM_RECORDS,)``; the same memory as integers
        of the widest dtype that fits, for hashing, shape ``(NUM_RECORDS, m)``; and chance words, int64, shape
        ``(NUM_RECORDS, 4)``.
    """
    records = np.repeat(states, search_loops.NUM_RECORDS)
    size = records.dtype.itemsize
    integer = next(kind for kind in (np.int64, np.int32, np.int16, np.int8) if size % np.dtype(kind).itemsize == 0)
    hashed = records.view(integer).reshape(len(records), -1)
    return records, hashed, np.zeros((len(records), WORDS), dtype=np.int64)
