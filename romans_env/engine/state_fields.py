"""Types of state records for type checkers and editors; they are not used at run time.

The fields of a game's record are declared in its ``state_type.py``, which ``python docs/scripts/make_state_types.py``
generates from the dtype in ``state.py``.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import numpy as np

Record = TypeVar("Record")


class Number:
    """A field with a single integer of any dtype: reading it gives an int, and any integer can be assigned."""

    def __get__(self, record: Any, owner: Any = None) -> int:
        raise NotImplementedError

    def __set__(self, record: Any, value: int | np.integer[Any] | np.bool_) -> None:
        raise NotImplementedError


class Numbers(np.ndarray[Any, np.dtype[np.integer[Any]]]):
    """A field with an array of integers; its entries are `Any`, because rules do not annotate the types of indices."""

    def __getitem__(self, place: Any, /) -> Any:
        raise NotImplementedError


class Records(Protocol[Record]):
    """An array of records, shape ``(n,)``, as compiled functions use it."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, ``(n,)``."""
        ...

    def __getitem__(self, i: int, /) -> Record: ...

    def __setitem__(self, i: int, record: Record, /) -> None: ...
