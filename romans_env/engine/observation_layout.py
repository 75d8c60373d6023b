"""The layout of an observation as consecutive named slices, and helpers for compiled code that writes them."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined

Row = tuple[str, int, int | tuple[int, ...], str]
"""A row of a layout: the name, size, upper bound and meaning of a slice."""
LARGEST_IN_PLAY = 20
"""The upper bound assumed in scaling: money, turns and points can exceed it, but rarely do."""


class Slice(NamedTuple):
    """A named slice of an observation, whose entries are integers in [low, high]; ``high`` may differ by entry."""

    name: str
    start: int
    size: int
    low: int
    high: int | tuple[int, ...]
    meaning: str

    @property
    def stop(self) -> int:
        """The index after the slice's last entry."""
        return self.start + self.size


def slices_in_order(layout: Iterable[Row], lows: Mapping[str, int] | None = None) -> tuple[Slice, ...]:
    """Return the slices of a layout, one for each row, without gaps.

    Args:
        layout: the rows.
        lows: lower bounds that are not 0, by the name of the slice without the prefix before its last point.
    """
    slices, start = list[Slice](), 0
    for name, size, high, meaning in layout:
        slices.append(Slice(name, start, size, (lows or {}).get(name.rpartition(".")[2], 0), high, meaning))
        start += size
    return tuple(slices)


def repeated(names: Iterable[str], layout: Sequence[Row]) -> Iterator[Row]:
    """Repeat the rows of a layout for each of several names, such as seats, as ``name.row``."""
    return ((f"{one}.{name}", size, high, meaning) for one in names for name, size, high, meaning in layout)


def starts_of(layout: Sequence[Row]) -> Any:
    """Return a named tuple with the start of each slice of a layout, and the ``end`` of the last one.

    The numbers are int64, because a Python int plus an int8 field of a record would overflow in interpreted code.
    """
    starts = namedtuple("Starts", [*(name for name, _, _, _ in layout), "end"])  # type: ignore[misc]
    return starts(*map(np.int64, np.cumsum([0, *(size for _, size, _, _ in layout)])))


def bounds_of(slices: Sequence[Slice], dtype: npt.DTypeLike) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the lower and upper bounds of all entries: two arrays of this dtype, shape ``(observation_size,)``."""
    low = [np.full(row.size, row.low, dtype=dtype) for row in slices]
    high = [np.broadcast_to(np.array(row.high, dtype=dtype), row.size) for row in slices]
    return np.concatenate(low), np.concatenate(high)


def scale_of(high: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return factors that scale non-negative entries for a network, from their upper bounds.

    Args:
        high: upper bounds, shape ``(size,)``; those above LARGEST_IN_PLAY count as LARGEST_IN_PLAY.

    Returns:
        Factors, float32, shape ``(size,)``.
    """
    return (1.0 / np.clip(high, 1, LARGEST_IN_PLAY)).astype(np.float32)


@inlined
def write_one_hot(out, row, start, index, is_there):
    """Write ``index`` one-hot into ``out[row]`` from entry ``start`` on.

    Nothing is set if ``is_there`` is False or the index is negative. ``out`` has shape ``(rows, size)`` and is zero
    before.
    """
    # Without a branch: the games of a batch are at different decisions, so branches would often be mispredicted.
    there = np.int64(is_there) & np.int64(index >= 0)
    # With an unsigned index numba generates no code for negative indices.
    out[row, np.uint64(start + np.int64(index) * there)] = there
