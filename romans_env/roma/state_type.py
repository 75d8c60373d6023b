"""The fields of a record of the state, for type checkers and editors (`romans_env.engine.state_fields`).

Generated from the dtype of ``state.py``, which says what they mean, by ``python docs/scripts/make_state_types.py``.
"""

from __future__ import annotations

from romans_env.engine.state_fields import Number, Numbers


class State:
    """One STATE record."""

    legal: Numbers
    """int64, shape (6,)."""
    thrown = Number()
    turn = Number()
    value = Number()
    money: Numbers
    """int16, shape (2,)."""
    battles = Number()
    drawn = Number()
    phase = Number()
    seat = Number()
    left = Number()
    effect = Number()
    disc = Number()
    target = Number()
    viewer = Number()
    essedum = Number()
    stock = Number()
    points: Numbers
    """int8, shape (2,)."""
    dice: Numbers
    """int8, shape (6,)."""
    pile: Numbers
    """int8, shape (25,)."""
    discard: Numbers
    """int8, shape (25,)."""
    hand: Numbers
    """int8, shape (2, 25)."""
    aside: Numbers
    """int8, shape (2, 25)."""
    known: Numbers
    """int8, shape (2, 25)."""
    pile_size = Number()
    discard_size = Number()
    hand_size: Numbers
    """int8, shape (2,)."""
    aside_size: Numbers
    """int8, shape (2,)."""
    known_size: Numbers
    """int8, shape (2,)."""
    discs: Numbers
    """int8, shape (2, 6)."""
    blocked: Numbers
    """int8, shape (2, 6)."""
    spare: Numbers
    """int8, shape (9,)."""
