"""Who answers for chance: a prescribed list of outcomes first, then the chance words of the game."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import CHANCE, Outcome, Rules, States
from romans_env.engine.chance import NUM_FACES
from romans_env.engine.random_stream import WORDS, streams_from_seeds

MOST_CHANCE_EVENTS = 10_000
"""Chance events that may follow each other, at the start or after an action."""
ChanceWords = npt.NDArray[np.int64]
"""Chance words of games, int64, shape (n, 4), each word in [0, 2**32); `romans_env.engine.chance` says what of."""


def resolve_chance(rules: Rules, states: States, i: int, seat: int, words: ChanceWords, k: int) -> int:
    """Play the chance events that come next in game i; return who comes then: a seat, or GAME_OVER.

    Args:
        rules: the game.
        states: its records.
        i: the game.
        seat: who comes next, as `Rules.act` gives it.
        words: the chance words.
        k: the row of the words that is game i's.
    """
    for _ in range(MOST_CHANCE_EVENTS + 1):
        if seat != CHANCE:
            return seat
        seat = rules.play_chance(states, i, words, k)[1]
    raise endless_chance(rules)


def endless_chance(rules: Rules) -> RuntimeError:
    """Return the error of a game in which chance events follow each other and no seat comes to decide."""
    return RuntimeError(f"{rules.name}: {MOST_CHANCE_EVENTS:,} chance events follow each other without a decision")


def start_game(rules: Rules, states: States, i: int, words: ChanceWords, k: int) -> int:
    """Start game i with chance from ``words[k]``; return the seat that must decide first."""
    return resolve_chance(rules, states, i, rules.begin(states, i), words, k)


def number_of(names: Sequence[str], outcome: Any) -> int | None:
    """Return the number of an outcome of a kind of chance event; None for anything else.

    Args:
        names: the names of the outcomes by their numbers; empty for a die, whose value stands for itself.
        outcome: what was given; anything.
    """
    if not names:
        return outcome if type(outcome) is int and 0 < outcome <= NUM_FACES else None
    return names.index(outcome) if type(outcome) is str and outcome in names else None


def written(outcome: Outcome) -> Outcome:
    """Return an outcome of `Rules.play_chance` as plain JSON, which some rules write when it is read."""
    return outcome() if callable(outcome) else outcome


class ChanceSource:
    """Answers the chance events of one game, and keeps no more than it needs for those to come.

    Args:
        words: int64, shape (1, 4); None for fresh ones.
        prescribed: outcomes that are used first.
        is_whole: whether these are all that the game needs, as in a record: nothing is drawn then.
    """

    def __init__(self, words: ChanceWords | None = None, prescribed: Sequence[Outcome] = (), is_whole: bool = False):
        self._given = words
        self.prescribed = tuple(prescribed)
        """Outcomes that are used first."""
        self.used = 0
        """How many of them were used."""
        self._is_whole = is_whole

    @classmethod
    def of_generator(cls, rng: np.random.Generator) -> ChanceSource:
        """Return chance drawn from a generator."""
        return cls(rng.integers(0, 2**32, size=(1, WORDS), dtype=np.int64))

    @property
    def _words(self) -> ChanceWords:
        # Most games without a past draw nothing any more, and fresh words take as long as ten actions.
        if self._given is None:
            self._given = streams_from_seeds([secrets.randbits(63)])
        return self._given

    @property
    def is_prescribed(self) -> bool:
        """Whether outcomes are left that may turn out to be impossible."""
        return self._is_whole or self.used < len(self.prescribed)

    def answer(self, rules: Rules, states: States) -> tuple[Outcome, int]:
        """Play the chance event that comes next in ``states[0]``; return its outcome, as of `written`, and who comes.

        Raises:
            ValueError: a prescribed outcome is impossible; nothing is changed.
        """
        if self.used < len(self.prescribed):
            outcome = self.prescribed[self.used]
            try:
                seat = rules.act_chance(states, 0, outcome)
            except ValueError as error:
                raise ValueError(f"outcome {self.used + 1} of the deal: {error}") from None
            self.used += 1
            return outcome, seat
        if self._is_whole:
            raise ValueError(f"the deal has {len(self.prescribed)} outcomes, and the game needs more")
        return rules.play_chance(states, 0, self._words, 0)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for ``copy`` and ``pickle``: fresh words are drawn now, so that copies go on alike."""
        return {**self.__dict__, "_given": self._words}

    def copy(self) -> ChanceSource:
        """Return a copy of the source, which gives the same outcomes from here on."""
        twin = ChanceSource(self._words, self.prescribed, self._is_whole)
        twin.used = self.used
        return twin
