"""The layout of an observation: named runs of entries, one after the other, and how compiled code writes into them."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined

Row = tuple[str, int, int | tuple[int, ...], str]
"""Of a layout: the name, size, bound and meaning of a slice."""
LARGEST_IN_PLAY = 20
"""Money, turns and points may grow large, and rarely do: entries with a higher bound are scaled as if it were this."""


class Slice(NamedTuple):
    """A named run of observation entries, each an integer in [low, high]; ``high`` may differ by entry."""

    name: str
    start: int
    size: int
    low: int
    high: int | tuple[int, ...]
    meaning: str

    @property
    def stop(self) -> int:
        """The number after the last one of the block."""
        return self.start + self.size


def slices_in_order(layout: Iterable[Row], lows: Mapping[str, int] | None = None) -> tuple[Slice, ...]:
    """Return the slices of a layout, one row a slice, without gaps.

    Args:
        layout: the rows.
        lows: the least values, by name without the part before a point, where they are not 0.
    """
    slices, start = list[Slice](), 0
    for name, size, high, meaning in layout:
        slices.append(Slice(name, start, size, (lows or {}).get(name.rpartition(".")[2], 0), high, meaning))
        start += size
    return tuple(slices)


def repeated(names: Iterable[str], layout: Sequence[Row]) -> Iterator[Row]:
    """Return the rows of a layout for each of several names, such as seats, with the name and a point before each."""
    return ((f"{one}.{name}", size, high, meaning) for one in names for name, size, high, meaning in layout)


def starts_of(layout: Sequence[Row]) -> Any:
    """Return where each slice of a layout begins, by its name, and the last one's ``end``: a named tuple.

    They are int64: a Python int plus an int8 field of the record would overflow in interpreted mode.
    """
    starts = namedtuple("Starts", [*(name for name, _, _, _ in layout), "end"])  # type: ignore[misc]
    return starts(*map(np.int64, np.cumsum([0, *(size for _, size, _, _ in layout)])))


def bounds_of(slices: Sequence[Slice], dtype: npt.DTypeLike) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the least and the greatest value of each entry."""
    low = [np.full(row.size, row.low, dtype=dtype) for row in slices]
    high = [np.broadcast_to(np.array(row.high, dtype=dtype), row.size) for row in slices]
    return np.concatenate(low), np.concatenate(high)


def scale_of(high: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return the float32 factors that a network multiplies non-negative entries by, from their upper bounds."""
    return (1.0 / np.clip(high, 1, LARGEST_IN_PLAY)).astype(np.float32)


@inlined
def write_one_hot(out, row, start, index, is_there):
    """Write ``index`` one-hot from entry ``start`` on, all zero if nothing is there (or index is below 0).

    Written without a branch: games of a batch are at different decisions, and the processor would often guess wrong.
    """
    there = np.int64(is_there) & np.int64(index >= 0)
    # Of an unsigned index numba need not ask whether it counts from the end.
    out[row, np.uint64(start + np.int64(index) * there)] = there
