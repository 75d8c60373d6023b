"""The line-ups of a tournament, and their seatings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb

import numpy as np

from romans_training.compare.tournament.entries import Entry, TournamentError


@dataclass(frozen=True)
class LineUp:
    """The entries that play together in a game; they play every deal with every distinct seating.

    Attributes:
        slots: one entry for each seat, sorted; an entry may occupy several.
        seeded_as: entries from which the games' random seeds are derived, in the order of the slots, if an agent has
            been renamed since; empty to use the slots.
    """

    slots: tuple[Entry, ...]
    seeded_as: tuple[Entry, ...] = ()

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """The games of a deal; for each, the slot in every seat. Slots of the same entry are interchangeable."""
        distinct = {tuple(self.slots[slot] for slot in order): order for order in permutations(range(len(self.slots)))}
        return tuple(sorted(distinct.values()))

    def slots_of(self, entry: Entry) -> list[int]:
        """Return the indices of the slots that an entry occupies."""
        return [slot for slot, holder in enumerate(self.slots) if holder == entry]

    @property
    def key(self) -> str:
        """A text that identifies the line-up in any tournament."""
        return json.dumps(sorted(self.slots), ensure_ascii=False)

    @property
    def seed_words(self) -> list[int]:
        """Four integers from which the seeds of this line-up's games are derived."""
        seeds = json.dumps(self.seeded_as or self.slots, ensure_ascii=False)
        digest = hashlib.sha256(seeds.encode()).digest()
        return [int.from_bytes(digest[4 * k : 4 * k + 4], "little") for k in range(4)]

    def __str__(self) -> str:
        return " + ".join(entry.label for entry in self.slots)


def line_ups_of(
    entries: Sequence[Entry], num_players: int, sample: int | None = None, seed: int = 0
) -> tuple[LineUp, ...]:
    """Return the line-ups of a tournament.

    With at least as many entries as players, these are all combinations of distinct entries. With fewer, all entries
    take part equally often, and each combination of entries fills the remaining seats once. In a solo game (one player)
    each entry is a line-up of its own, and entries are compared by their games with the same deal.

    Args:
        entries: the entries, at least two.
        num_players: the number of seats that agents play.
        sample: the number of line-ups to draw, such that all entries take part, and meet each other, nearly equally
            often; None for all line-ups.
        seed: seed of the sample.

    Raises:
        TournamentError: if there are too few entries, or the sample is too small for all of them.
    """
    if len(entries) < 2:
        raise TournamentError("name at least two agents; for a mirror match name one twice")
    rounds, left_over = divmod(num_players, len(entries)) if len(entries) < num_players else (0, num_players)
    if sample is None or sample >= comb(len(entries), left_over):
        chosen = list(combinations(range(len(entries)), left_over))
    elif rounds or num_players == 1:
        raise TournamentError("a sample of line-ups needs more agents than seats, and at least two seats")
    else:
        chosen = _balanced_sample(len(entries), num_players, sample, seed)
    return tuple(LineUp(tuple(sorted([*entries] * rounds + [entries[k] for k in numbers]))) for numbers in chosen)


def _balanced_sample(num_entries: int, size: int, sample: int, seed: int) -> list[tuple[int, ...]]:
    """Choose combinations one by one: entries that took part least, and among these, pairs that met least often."""
    needed = -(-num_entries // size)
    if sample < needed:
        raise TournamentError(f"{sample} line-ups of {size} leave some of {num_entries} agents out; take {needed}")
    rng = np.random.default_rng([seed, num_entries, size])
    left = np.array(list(combinations(range(num_entries), size)))
    rng.shuffle(left)
    pairs = np.array(list(combinations(range(size), 2)))
    took_part = np.zeros(num_entries, dtype=np.int64)
    met = np.zeros((num_entries, num_entries), dtype=np.int64)
    chosen = []
    for _ in range(sample):
        # The increase in the sum of squared counts; a small sum of squares means nearly equal counts.
        crowding = (2 * took_part[left] + 1).sum(axis=1)
        meetings = (2 * met[left[:, pairs[:, 0]], left[:, pairs[:, 1]]] + 1).sum(axis=1)
        best = np.lexsort((meetings, crowding))[0]
        numbers = left[best]
        left = np.delete(left, best, axis=0)
        took_part[numbers] += 1
        for a, b in combinations(numbers.tolist(), 2):
            met[a, b] += 1
        chosen.append(tuple(numbers.tolist()))
    return sorted(chosen)
