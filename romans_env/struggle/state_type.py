"""The fields of a record of the state, for type checkers and editors (`romans_env.engine.state_fields`).

Generated from the dtype of ``state.py``, which says what they mean, by ``python docs/scripts/make_state_types.py``.
"""

from __future__ import annotations

from romans_env.engine.state_fields import Number, Numbers


class State:
    """One STATE record."""

    legal: Numbers
    """int64, shape (5,)."""
    board = Number()
    max_offers = Number()
    max_rounds = Number()
    round_number = Number()
    offers = Number()
    gold: Numbers
    """int32, shape (4,)."""
    num_events: Numbers
    """int16, shape (5, 4)."""
    due: Numbers
    """int16, shape (4,)."""
    points: Numbers
    """int16, shape (4,)."""
    at: Numbers
    """int16, shape (4, 2)."""
    legion = Number()
    target = Number()
    markers = Number()
    num_players = Number()
    player_trade = Number()
    stage = Number()
    places = Number()
    phase = Number()
    first = Number()
    active = Number()
    seat = Number()
    die = Number()
    victim = Number()
    city = Number()
    offer = Number()
    final = Number()
    moved = Number()
    card_played = Number()
    diplomacy = Number()
    viewer = Number()
    deck_size = Number()
    bank: Numbers
    """int8, shape (2,)."""
    pile: Numbers
    """int8, shape (2,)."""
    discard: Numbers
    """int8, shape (2,)."""
    deck: Numbers
    """int8, shape (5,)."""
    counters: Numbers
    """int8, shape (5, 8)."""
    has_counter: Numbers
    """int8, shape (40,)."""
    owner: Numbers
    """int8, shape (40,)."""
    tribe: Numbers
    """int8, shape (40,)."""
    hand: Numbers
    """int8, shape (4, 4)."""
    development: Numbers
    """int8, shape (4, 5)."""
    development_size: Numbers
    """int8, shape (4,)."""
    played: Numbers
    """int8, shape (4, 5)."""
    substituted: Numbers
    """int8, shape (4,)."""
    reserve: Numbers
    """int8, shape (4, 3)."""
    kingdom: Numbers
    """int8, shape (4, 2)."""
    num_cities: Numbers
    """int8, shape (4, 2)."""
    army: Numbers
    """int8, shape (4, 2)."""
    wagons: Numbers
    """int8, shape (4, 2)."""
    box: Numbers
    """int8, shape (4, 2, 5)."""
    spare: Numbers
    """int8, shape (1,)."""
