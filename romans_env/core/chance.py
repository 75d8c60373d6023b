"""The source of a game's chance: a prescribed list of outcomes first, then the game's chance words."""

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
"""The largest number of chance events in a row, at the start or after an action."""
ChanceWords = npt.NDArray[np.int64]
"""Chance words of games (`romans_env.engine.chance`): int64, shape ``(n, 4)``, each word in [0, 2**32)."""


def resolve_chance(rules: Rules, states: States, i: int, seat: int, words: ChanceWords, k: int) -> int:
    """Play chance events in a game, up to the next decision or the end.

    Args:
        rules: the game with its setup.
        states: records, shape ``(n,)``.
        i: index of the game.
        seat: the next seat, CHANCE or GAME_OVER, as `Rules.act` returned it; if it is not CHANCE, nothing is played.
        words: chance words, int64, shape ``(rows, 4)``.
        k: the row of the game's words.

    Returns:
        The seat to act, or GAME_OVER.

    Raises:
        RuntimeError: if more than MOST_CHANCE_EVENTS chance events follow each other.
    """
    for _ in range(MOST_CHANCE_EVENTS + 1):
        if seat != CHANCE:
            return seat
        seat = rules.play_chance(states, i, words, k)[1]
    raise endless_chance(rules)


def endless_chance(rules: Rules) -> RuntimeError:
    """Return the error for a game in which chance events follow each other without end."""
    return RuntimeError(f"{rules.name}: {MOST_CHANCE_EVENTS:,} chance events follow each other without a decision")


def start_game(rules: Rules, states: States, i: int, words: ChanceWords, k: int) -> int:
    """Begin game i and play to the first decision, with chance from ``words[k]``; return the seat to act.

    ``states`` are records, shape ``(n,)``; ``words`` are chance words, int64, shape ``(rows, 4)``.
    """
    return resolve_chance(rules, states, i, rules.begin(states, i), words, k)


def number_of(names: Sequence[str], outcome: Any) -> int | None:
    """Return the number of an outcome of a kind of chance event; None if the event has no such outcome.

    Args:
        names: the names of the event's outcomes, indexed by number; empty for a die, whose outcomes are its faces.
        outcome: the outcome, which is untrusted and may be anything.
    """
    if not names:
        return outcome if type(outcome) is int and 0 < outcome <= NUM_FACES else None
    return names.index(outcome) if type(outcome) is str and outcome in names else None


def written(outcome: Outcome) -> Outcome:
    """Return an outcome of `Rules.play_chance` as plain JSON: rules may return a function that computes it."""
    return outcome() if callable(outcome) else outcome


class ChanceSource:
    """Supplies the outcomes of one game's chance events.

    Args:
        words: the game's chance words, int64, shape ``(1, 4)``; None for fresh ones.
        prescribed: outcomes that are used first.
        is_whole: whether the prescribed outcomes are the whole deal, as in a record; nothing is drawn then.
    """

    def __init__(self, words: ChanceWords | None = None, prescribed: Sequence[Outcome] = (), is_whole: bool = False):
        self._given = words
        self.prescribed = tuple(prescribed)
        """The outcomes that are used first."""
        self.used = 0
        """How many of them have been used."""
        self._is_whole = is_whole

    @classmethod
    def of_generator(cls, rng: np.random.Generator) -> ChanceSource:
        """Return a source whose chance words are drawn from a generator."""
        return cls(rng.integers(0, 2**32, size=(1, WORDS), dtype=np.int64))

    @property
    def _words(self) -> ChanceWords:
        # Drawn on first use: most determinizations have no chance to come, and fresh words take as long as ten actions.
        if self._given is None:
            self._given = streams_from_seeds([secrets.randbits(63)])
        return self._given

    @property
    def is_prescribed(self) -> bool:
        """Whether the next outcome is prescribed, and so may be impossible."""
        return self._is_whole or self.used < len(self.prescribed)

    def answer(self, rules: Rules, states: States) -> tuple[Outcome, int]:
        """Play the next chance event of a game.

        Args:
            rules: the game with its setup.
            states: the game's record, shape ``(1,)``.

        Returns:
            The outcome, to be read by `written`, and the next seat, CHANCE or GAME_OVER.

        Raises:
            ValueError: if a prescribed outcome is impossible or missing; nothing is changed.
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
        """Return the state for ``copy`` and ``pickle``, with the words drawn, so that copies have the same chance."""
        return {**self.__dict__, "_given": self._words}

    def copy(self) -> ChanceSource:
        """Return an independent copy, which supplies the same outcomes from here on."""
        twin = ChanceSource(self._words, self.prescribed, self._is_whole)
        twin.used = self.used
        return twin
