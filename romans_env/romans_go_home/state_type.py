"""The fields of a record of the state, for type checkers and editors (`romans_env.engine.state_fields`).

Generated from the dtype of ``state.py``, which says what they mean, by ``python docs/scripts/make_state_types.py``.
"""

from __future__ import annotations

from romans_env.engine.state_fields import Number, Numbers


class State:
    """One STATE record."""

    legal = Number()
    num_players = Number()
    num_neutrals = Number()
    num_clans = Number()
    vogel = Number()
    fort_deck: Numbers
    """int8, shape (11,)."""
    warriors: Numbers
    """int8, shape (8,)."""
    clan_size = Number()
    line_size = Number()
    num_rounds = Number()
    fort_order: Numbers
    """int8, shape (18,)."""
    dealt: Numbers
    """int8, shape (3, 4, 7)."""
    round_index = Number()
    turn = Number()
    phase = Number()
    seat = Number()
    slot = Number()
    wall: Numbers
    """int8, shape (6,)."""
    hand: Numbers
    """int8, shape (4, 8)."""
    line: Numbers
    """int8, shape (4, 6)."""
    set_aside: Numbers
    """int8, shape (3, 4)."""
    face_up: Numbers
    """int8, shape (4, 8)."""
    shown: Numbers
    """int8, shape (4, 8)."""
    forts: Numbers
    """int8, shape (4, 11)."""
    points: Numbers
    """int8, shape (4,)."""
    num_forts: Numbers
    """int8, shape (4,)."""
    num_legion: Numbers
    """int8, shape (4,)."""
    to_come: Numbers
    """int8, shape (11,)."""
    lost_forts: Numbers
    """int8, shape (11,)."""
    revealed: Numbers
    """int8, shape (4,)."""
    wrecked = Number()
    charmed = Number()
    total: Numbers
    """int8, shape (4,)."""
    captor = Number()
    captured = Number()
    axx_stays = Number()
    weakest_stays = Number()
    legion_winner = Number()
    spare: Numbers
    """int8, shape (4,)."""
