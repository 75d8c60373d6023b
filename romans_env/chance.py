"""Who answers for chance: a prescribed list of outcomes first, then the chance words of the game."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.engine.random_stream import WORDS, Streams, next_word, streams_from_seeds
from romans_env.protocol import CHANCE, Outcome, Rules, States

ChanceWords = npt.NDArray[np.int64]
"""Chance words of games, int64, shape (n, 4), each word in [0, 2**32); `romans_env.engine.chance` says what of."""


def settle_chance(rules: Rules, states: States, i: int, seat: int, words: ChanceWords, k: int) -> int:
    """Play the chance events that come next in game i; who comes then: a seat, or GAME_OVER.

    Args:
        rules: the game.
        states: its records.
        i: the game.
        seat: who comes next, as `Rules.act` gives it.
        words: the chance words.
        k: the row of the words that is game i's.
    """
    while seat == CHANCE:
        seat = rules.act_chance(states, i, rules.draw_outcome(states, i, words, k))
    return seat


def start_game(rules: Rules, states: States, i: int, words: ChanceWords, k: int) -> int:
    """Start game i with chance from ``words[k]``; the seat that must decide first.

    In a game whose chance is all in its deal the words are the random stream of the deal, and are moved on.
    """
    if rules.chance_in_play:
        return settle_chance(rules, states, i, rules.begin(states, i), words, k)
    # A deal is drawn from the stream of its own row.
    one = states[i : i + 1]
    stream = words[k : k + 1]
    rules.deal(one, 0, stream)
    return rules.seat_to_act(states, i)


def start_from_stream(rules: Rules, states: States, i: int, streams: Streams, words: ChanceWords) -> int:
    """Start game i with chance from ``streams[i]``, which moves on; the seat that must decide first.

    ``words[i]`` are the game's chance words: drawn where it has chance in play, else left alone.
    """
    if not rules.chance_in_play:
        return start_game(rules, states, i, streams, i)
    words[i] = [next_word(streams, i) for _ in range(WORDS)]
    return start_game(rules, states, i, words, i)


class ChanceSource:
    """Answers the chance events of one game, and keeps no more than it needs for those to come.

    Args:
        words: int64, shape (1, 4); None for fresh ones.
        prescribed: outcomes that are used first.
        is_whole: whether these are all that the game needs, as in a record: nothing is drawn then.
    """

    def __init__(self, words: ChanceWords | None = None, prescribed: Sequence[Outcome] = (), is_whole: bool = False):
        self._words = streams_from_seeds([secrets.randbits(63)]) if words is None else words
        self.prescribed = tuple(prescribed)
        """Outcomes that are used first."""
        self.used = 0
        """How many of them were used."""
        self._is_whole = is_whole

    @classmethod
    def of_generator(cls, rng: np.random.Generator) -> ChanceSource:
        """Chance drawn from a generator."""
        return cls(rng.integers(0, 2**32, size=(1, WORDS), dtype=np.int64))

    @property
    def is_prescribed(self) -> bool:
        """Whether outcomes are left that may turn out to be impossible."""
        return self._is_whole or self.used < len(self.prescribed)

    def answer(self, rules: Rules, states: States) -> tuple[Outcome, int]:
        """Play the chance event that comes next in ``states[0]``: its outcome, and who comes then.

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
        outcome = rules.draw_outcome(states, 0, self._words, 0)
        return outcome, rules.act_chance(states, 0, outcome)

    def copy(self) -> ChanceSource:
        """A source that goes on alike."""
        twin = ChanceSource(self._words, self.prescribed, self._is_whole)
        twin.used = self.used
        return twin


def prescribed_outcomes(deal: Any) -> Sequence[Outcome]:
    """The outcomes of the deal of a game with chance in play.

    Raises:
        ValueError: the deal does not have this form.
    """
    if not isinstance(deal, dict) or set(deal) != {"outcomes"} or not isinstance(deal["outcomes"], (list, tuple)):
        raise ValueError("a deal is an object with the key 'outcomes', the list of what chance answers")
    return tuple(deal["outcomes"])
