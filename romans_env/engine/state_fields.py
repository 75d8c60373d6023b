"""How type checkers and editors see a record of a game's state; at run time nothing of it is used.

The fields of a game's record are in its ``state_type.py``, which ``python docs/scripts/make_state_types.py`` writes
from the dtype in ``state.py``.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import numpy as np

Record = TypeVar("Record")


class Number:
    """A field with one integer: it reads as an int, whatever its dtype, and takes any integer."""

    def __get__(self, record: Any, owner: Any = None) -> int:
        raise NotImplementedError

    def __set__(self, record: Any, value: int | np.integer[Any] | np.bool_) -> None:
        raise NotImplementedError


class Numbers(np.ndarray[Any, np.dtype[np.integer[Any]]]):
    """A field with an array of integers; an entry of it is `Any`: rules do not say of what type a seat is."""

    def __getitem__(self, place: Any, /) -> Any:
        raise NotImplementedError


class Records(Protocol[Record]):
    """An array of records, shape (n,), as compiled functions use it."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Return (n,)."""
        ...

    def __getitem__(self, i: int, /) -> Record: ...

    def __setitem__(self, i: int, record: Record, /) -> None: ...
