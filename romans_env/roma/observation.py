"""The observation: what a seat may know (ROMA 10.3), as a flat int16 vector with the same layout for both seats.

`SLICES` describes the layout; offsets, bounds and the documentation page are derived from it. ``own`` is the observing
seat, ``rival`` the other one. A one-hot slice is all zeros if there is nothing to show.

The observation is sufficient: it holds everything the seat may know that still matters, so a policy needs no memory.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined
from romans_env.engine import observation_layout
from romans_env.roma import material
from romans_env.roma.knowledge import is_aside_open, is_pile_known
from romans_env.roma.state import DECISION_KINDS, FIRST_DECISION, PHASE_DIE, PHASE_LAY, PHASE_OVER, PHASE_SIGN, State

MAX_POINTS = 36 + 16
"""Upper bound: at most 35 points while the game runs, and a last payment of at most 6 + 2 * 2 + 6 (ROMA 6.20)."""
MAX_STOCK = 36
MAX_MONEY = material.LAST_TURN * material.NUM_DICE * material.NUM_FACES
"""Upper bound: all dice of all turns used for money, its only source (ROMA 4.4)."""
MAX_VALUE = MAX_POINTS
_COPIES = tuple(material.COPIES.tolist())

_LAYOUT: tuple[observation_layout.Row, ...] = (
    ("begins", 1, 1, "1 for player_0, who has the odd turns (ROMA 4.1)"),
    ("turn", 1, material.LAST_TURN, "turn; 0 in the opening"),
    ("to_act", 2, 1, "the seat to act, one-hot: own, rival"),
    ("decision", len(DECISION_KINDS), 1, f"the kind of decision, one-hot: {', '.join(DECISION_KINDS)} (8.1)"),
    ("effect", material.NUM_CARDS, 1, "the card whose effect is being carried out, one-hot (10.2)"),
    ("disc", material.NUM_DISCS, 1, "the disc d of the effect, one-hot (10.2)"),
    ("value", 1, MAX_VALUE, "the value of the decision, 0 if it has none (10.2)"),
    ("stock", 1, MAX_STOCK, "points in the stock"),
    ("essedum", 1, material.NUM_DICE, "essedum activations this turn (5.5)"),
    ("dice", material.NUM_FACES, material.NUM_DICE, "unused dice, counts by value"),
    ("pile_size", 1, material.DECK_SIZE, "size of the pile"),
    ("pile_known", 1, 1, "1 if the pile can be inferred (10.3)"),
    ("pile", material.NUM_CARDS, _COPIES, "the pile, if it can be inferred, counts by kind"),
    ("discard", material.NUM_CARDS, _COPIES, "the discard pile, counts by kind"),
    ("own_hand", material.NUM_CARDS, _COPIES, f"the own hand, counts by kind: {', '.join(material.CARDS)}"),
)
_SEAT_LAYOUT: tuple[observation_layout.Row, ...] = (
    ("points", 1, MAX_POINTS, "victory points"),
    ("money", 1, MAX_MONEY, "sestertii"),
    ("hand_size", 1, material.DECK_SIZE, "cards in hand"),
    ("aside_size", 1, material.DECK_SIZE, "cards put aside"),
    ("aside", material.NUM_CARDS, _COPIES, "cards put aside, counts by kind; the rival's if they are open (9.1)"),
    ("known", material.NUM_CARDS, _COPIES, "hidden cards that the other seat is certain of, counts by kind (9.2)"),
    ("face_down", material.NUM_DISCS, 1, "discs with a face-down card (3.3)"),
    ("blocked", material.NUM_DISCS, 1, "blocked discs (5.4)"),
    (
        "discs",
        material.NUM_DISCS * material.NUM_CARDS,
        1,
        "cards on the discs, by disc one-hot; zeros for a free disc and for a face-down card of the rival",
    ),
)


SLICES = observation_layout.slices_in_order((*_LAYOUT, *observation_layout.repeated(("own", "rival"), _SEAT_LAYOUT)))
"""The layout: one row per slice, in order, without gaps."""
SLICE_BY_NAME = {row.name: slice(row.start, row.stop) for row in SLICES}
"""Slices by name: ``observation[SLICE_BY_NAME["dice"]]`` are the entries of the dice."""
OBSERVATION_SIZE = SLICES[-1].stop
OBSERVATION_LOW, OBSERVATION_HIGH = observation_layout.bounds_of(SLICES, np.int16)
OBSERVATION_SCALE = observation_layout.scale_of(OBSERVATION_HIGH)

_AT = observation_layout.starts_of(_LAYOUT)
_SEAT = observation_layout.starts_of(_SEAT_LAYOUT)


@inlined
def observe(state: State, seat, out, row):
    """Write what ``seat`` may know into ``out[row]``; ``out`` is int16, shape ``(rows, OBSERVATION_SIZE)``."""
    for k in range(OBSERVATION_SIZE):
        out[row, k] = 0
    observe_decision(state, seat, out, row)
    observe_table(state, seat, out, row)
    observe_seat(state, seat, True, out, row, _AT.end)
    observe_seat(state, 1 - seat, False, out, row, _AT.end + _SEAT.end)


@inlined
def has_value(state: State):
    """Return whether the decision may have a value (ROMA 10.2); effects without one leave the field 0."""
    phase = state.phase
    return (phase == PHASE_LAY) | (phase == PHASE_DIE) | (phase == PHASE_SIGN)


@inlined
def observe_decision(state: State, seat, out, row):
    """Write the decision to be made."""
    asks = (state.phase >= FIRST_DECISION) & (state.phase < PHASE_OVER)
    observation_layout.write_one_hot(out, row, _AT.to_act, np.int64(state.seat != seat), asks)
    observation_layout.write_one_hot(out, row, _AT.decision, np.int64(state.phase) - FIRST_DECISION, asks)
    observation_layout.write_one_hot(out, row, _AT.effect, state.effect, asks)
    observation_layout.write_one_hot(out, row, _AT.disc, state.disc, asks)
    out[row, _AT.value] = state.value * np.int64(has_value(state))


@inlined
def observe_table(state: State, seat, out, row):
    """Write what the seats share, and the observing seat's hand."""
    out[row, _AT.begins] = np.int64(seat == 0)
    out[row, _AT.turn] = state.turn
    out[row, _AT.stock] = state.stock
    out[row, _AT.essedum] = state.essedum
    out[row, _AT.pile_size] = state.pile_size
    is_known = np.int64(is_pile_known(state, seat))
    out[row, _AT.pile_known] = is_known
    for face in range(material.NUM_FACES):
        out[row, _AT.dice + face] = state.dice[face]
    for kind in range(material.NUM_CARDS):
        out[row, _AT.pile + kind] = state.pile[kind] * is_known
        out[row, _AT.discard + kind] = state.discard[kind]
        out[row, _AT.own_hand + kind] = state.hand[seat, kind]


@inlined
def observe_seat(state: State, seat, is_own, out, row, base):
    """Write what may be known of a seat, starting at entry ``base``."""
    shows_aside = np.int64(is_own | is_aside_open(state))
    out[row, base + _SEAT.points] = state.points[seat]
    out[row, base + _SEAT.money] = state.money[seat]
    out[row, base + _SEAT.hand_size] = state.hand_size[seat]
    out[row, base + _SEAT.aside_size] = state.aside_size[seat]
    for kind in range(material.NUM_CARDS):
        out[row, base + _SEAT.aside + kind] = state.aside[seat, kind] * shows_aside
        out[row, base + _SEAT.known + kind] = state.known[seat, kind]
    is_opening = np.int64(state.turn == 0)
    shows_discs = np.int64(is_own) | (1 - is_opening)
    for disc in range(material.NUM_DISCS):
        card = state.discs[seat, disc]
        out[row, base + _SEAT.face_down + disc] = is_opening & np.int64(card != material.NONE)
        out[row, base + _SEAT.blocked + disc] = state.blocked[seat, disc]
        observation_layout.write_one_hot(out, row, base + _SEAT.discs + disc * material.NUM_CARDS, card, shows_discs)


_PRIVATE_WIDTH = 2 * material.NUM_CARDS + material.NUM_DISCS * material.NUM_CARDS
GLOBAL_STATE_SIZE = OBSERVATION_SIZE + _PRIVATE_WIDTH + material.NUM_CARDS
"""Size of the global state: the observation of player_0; player_1's hand, cards put aside and discs; the pile."""
_HIGH_OF_CARDS = material.COPIES.astype(np.int16)
GLOBAL_STATE_LOW: npt.NDArray[np.int16] = np.zeros(GLOBAL_STATE_SIZE, dtype=np.int16)
GLOBAL_STATE_HIGH: npt.NDArray[np.int16] = np.concatenate(
    [
        OBSERVATION_HIGH,
        _HIGH_OF_CARDS,
        _HIGH_OF_CARDS,
        np.ones(material.NUM_DISCS * material.NUM_CARDS, np.int16),
        _HIGH_OF_CARDS,
    ]
)


@inlined
def observe_everything(state: State, out, row):
    """Write the full state into ``out[row]``; ``out`` is int16, shape ``(rows, GLOBAL_STATE_SIZE)``."""
    observe(state, 0, out, row)
    for k in range(OBSERVATION_SIZE, GLOBAL_STATE_SIZE):
        out[row, k] = 0
    base = np.int64(OBSERVATION_SIZE)
    for kind in range(material.NUM_CARDS):
        out[row, base + kind] = state.hand[1, kind]
        out[row, base + material.NUM_CARDS + kind] = state.aside[1, kind]
        out[row, base + _PRIVATE_WIDTH + kind] = state.pile[kind]
    for disc in range(material.NUM_DISCS):
        observation_layout.write_one_hot(out, row, base + (2 + disc) * material.NUM_CARDS, state.discs[1, disc], True)


assert int(OBSERVATION_HIGH.max()) == MAX_MONEY
assert 0 < material.STOCK_AT_START < MAX_STOCK
