"""Check that determinizations of a fresh deal cannot be told apart from deals.

A determinization of a deal for a seat is itself a deal, with the probability that chance gives it: the seat's own part
was drawn by chance, and the rest is drawn again given that part. So the global states of many determinizations must
have the same distribution as those of many games, entry by entry and pair by pair. Later in a game this does not hold,
because the other seats' actions depended on what they had.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import Rules, States
from romans_env.engine.random_stream import WORDS, streams_from_seeds
from romans_env.errors import CannotSampleError

DEALS, FEWEST = 2000, 200
"""Number of deals, and of determinizations to compare them with; and the least number for a slow game."""
SECONDS = 2.0
"""Time in seconds for the deals of a slow game, and for the determinizations of each seat."""
SEATS = 2
"""Number of seats whose determinizations are checked."""
_MOST_ENTRIES, _MOST_VALUES, _FEWEST_EXPECTED = 40, 64, 5


class _Column(NamedTuple):
    """An entry of the global state in all deals and in all determinizations."""

    name: str
    dealt: npt.NDArray[Any]
    sampled: npt.NDArray[Any]


def fair_determinizations(rules: Rules, seed: int) -> Iterator[str]:
    """Check that determinizations of a fresh deal have the distribution of deals."""
    dealt = _deals(rules, seed)
    for seat in range(min(rules.num_players, SEATS)):
        try:
            sampled = _determinized(rules, dealt, seat, seed)
        except CannotSampleError:
            continue
        for difference in _differences(_columns(rules, dealt[: len(sampled)], sampled, seed)):
            yield f"determinizations for {rules.players[seat]} are not as likely as chance makes them: {difference}"
            return


def _deals(rules: Rules, seed: int) -> States:
    states = rules.new_states(DEALS)
    streams, words = streams_from_seeds(range(seed, seed + DEALS)), np.zeros((DEALS, WORDS), dtype=np.int64)
    begin = time.perf_counter()
    for i in range(DEALS):
        rules.start(states, i, streams, words)
        if i >= FEWEST and time.perf_counter() - begin > SECONDS:
            return states[:i]
    return states


def _determinized(rules: Rules, dealt: States, seat: int, seed: int) -> States:
    rng, sampled, begin = np.random.default_rng([seed, seat]), [], time.perf_counter()
    for i in range(len(dealt)):
        sampled.append(rules.determinize(rules.redacted_for(dealt, i, seat), seat, rng))
        if i >= FEWEST and time.perf_counter() - begin > SECONDS:
            break
    return np.concatenate(sampled)


def _columns(rules: Rules, dealt: States, sampled: States, seed: int) -> list[_Column]:
    """Return the entries of the global state that vary, or a sample of them."""
    seen = [
        np.empty((len(states), rules.global_state_low.size), rules.global_state_low.dtype)
        for states in (dealt, sampled)
    ]
    for states, out in zip((dealt, sampled), seen, strict=True):
        for i in range(len(states)):
            rules.observe_everything(states, i, out, i)
    both = np.concatenate(seen)
    varying = np.flatnonzero((both != both[0]).any(axis=0))
    if len(varying) > _MOST_ENTRIES:
        varying = np.sort(np.random.default_rng(seed).choice(varying, _MOST_ENTRIES, replace=False))
    return [_Column(f"entry {k}", seen[0][:, k], seen[1][:, k]) for k in varying]


def _differences(columns: list[_Column]) -> Iterator[str]:
    """Yield differences between the two samples: in single entries, in equality of two entries, in pairs of entries."""
    for one in columns:
        yield from _compared(_numbered(one), f"{one.name} is {{}}")
    for one, other in itertools.combinations(columns, 2):
        if one.dealt.dtype == other.dealt.dtype:
            equal = _Numbered((False, True), one.dealt == other.dealt, one.sampled == other.sampled)
            yield from _compared(equal, f"that {one.name} equals {other.name} is {{}}")
    numbered = [(column, _numbered(column)) for column in columns]
    few = [(column, found) for column, found in numbered if len(found.values) <= _MOST_VALUES]
    for (one, first), (other, second) in itertools.combinations(few, 2):
        many = len(second.values)
        joint = _Numbered(
            [(a, b) for a in first.values for b in second.values],
            first.dealt * many + second.dealt,
            first.sampled * many + second.sampled,
        )
        yield from _compared(joint, f"{one.name} and {other.name} are {{}}")


class _Numbered(NamedTuple):
    """Distinct values, and the index of the value of each deal and each determinization."""

    values: Sequence[Any]
    dealt: npt.NDArray[np.int64]
    sampled: npt.NDArray[np.int64]


def _numbered(column: _Column) -> _Numbered:
    values, numbers = np.unique(np.concatenate([column.dealt, column.sampled]), return_inverse=True)
    return _Numbered(values.tolist(), *np.split(numbers, 2))


def _compared(found: _Numbered, said: str) -> Iterator[str]:
    """Compare two samples by the chi-square test; yield the value that differs most if the test fails.

    As thousands of pairs are compared, the threshold is far out: a probability below 1e-9 for each.
    """
    counts = np.stack([np.bincount(half, minlength=len(found.values)) for half in found[1:]])
    common = counts.sum(axis=0) >= 2 * _FEWEST_EXPECTED
    kept, rare = counts[:, common], counts[:, ~common].sum(axis=1, keepdims=True)
    table = np.concatenate([kept, rare], axis=1) if rare.sum() else kept
    statistics = (table[0] - table[1]) ** 2 / table.sum(axis=0)
    freedom = table.shape[1] - 1
    if freedom and statistics.sum() > freedom + 8 * (2 * freedom) ** 0.5 + 25:
        k = int(statistics.argmax())
        kept_values = np.flatnonzero(common)
        value = found.values[kept_values[k]] if k < len(kept_values) else "another value"
        dealt, sampled = 100 * table[:, k] / len(found.dealt)
        yield (
            f"{said.format(value)} in {sampled:.0f} % of them, and in {dealt:.0f} % of deals, in the global state "
            "after the deal"
        )
