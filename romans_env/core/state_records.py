"""Helpers for state records: fast copies, and access to fields as attributes."""

from __future__ import annotations

import numpy as np

from romans_env.core.protocol import States


def copied(states: States) -> States:
    """Return a copy of records, of the same dtype and shape.

    They are copied as bytes: numpy copies a record field by field, which takes twenty times as long.
    """
    if states.dtype.hasobject:
        return states.copy()
    return np.frombuffer(bytearray(states.tobytes()), dtype=states.dtype).reshape(states.shape)


def with_attributes(states: States) -> States:
    """Return a view of records, of the same shape, whose fields are attributes, too.

    numpy may have lost the attributes in joining arrays.
    """
    return states.view(np.dtype((np.record, states.dtype))) if states.dtype.type is np.void else states
