"""The observation: what a seat may know, as a flat int8 vector with the same layout for all tables and seats.

`SLICES` describes the layout; offsets, bounds and the documentation page are derived from it. Clans are numbered
relative to the observing seat: block 0 is its own clan, block k the clan k seats further on (the target of
``charm:+k``); the block of an absent clan is zeros. A one-hot slice is all zeros if there is nothing to show.

The observation is sufficient: it holds everything the seat may know that still matters, so a policy needs no memory.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined
from romans_env.engine.observation_layout import Row, bounds_of, repeated, slices_in_order, starts_of, write_one_hot
from romans_env.romans_go_home import material
from romans_env.romans_go_home.actions import KIND_OF_PHASE
from romans_env.romans_go_home.seats import seats_on
from romans_env.romans_go_home.state import PHASE_GAME_OVER, PHASE_PLACE, PHASE_ZVORD, State

ASKING_PHASES = tuple(KIND_OF_PHASE)
"""The phases that ask for a decision, in the order of the ``decision`` slice."""
_WARRIOR_LIST = ", ".join(material.WARRIORS)
_FORT_LIST = ", ".join(material.FORTS)
# One clan may capture all 18 forts, and the deck is a setting: the bounds cover the worst and the best deck.
_MIN_POINTS = 4 * int(material.POINTS.min())
_MAX_POINTS = (material.DECK_SIZE - 4) * int(material.POINTS.max())
_MAX_TOTAL = 63

_CLAN_LAYOUT: tuple[Row, ...] = (
    ("player", 1, 1, "1 for a player"),
    ("neutral", 1, 1, "1 for a neutral clan"),
    ("points", 1, _MAX_POINTS, "points of its captured forts"),
    ("num_forts", 1, material.DECK_SIZE, "number of its captured forts"),
    ("num_legion", 1, 4, "number of its Legion forts (three win, RULES 5.4)"),
    ("total", 1, _MAX_TOTAL, "its total of this turn, once counted (4.4)"),
    ("captor", 1, 1, "1 if it captured this turn"),
    ("charmed", 1, 1, "1 if its revealed warrior is charmed this turn (4.3)"),
    ("axx_stays", 1, 1, "1 if it captured this turn and keeps Axx (4.8)"),
    ("revealed", material.NUM_WARRIORS, 1, "the warrior it revealed this turn, one-hot"),
    ("face_up", material.NUM_WARRIORS, 2, "its face-up warriors, counts by kind"),
    ("shown", material.NUM_WARRIORS, 2, "all it has revealed this round, counts by kind"),
    ("forts", material.NUM_FORTS, material.DECK_SIZE, "its captured forts, counts by kind"),
)

_OWN_LAYOUT: tuple[Row, ...] = (
    ("own_hand", material.NUM_WARRIORS, 2, f"the seat's hand, counts by kind: {_WARRIOR_LIST}"),
    ("own_set_aside", material.NUM_WARRIORS, 1, "the warrior it set aside this round, one-hot"),
    (
        "own_line",
        material.LINE_SIZE * material.NUM_WARRIORS,
        1,
        "its hidden warriors, by slot one-hot; a revealed slot is zeros",
    ),
)
"""The private slices, which no other seat sees; the global state has them for each clan."""

_LAYOUT: tuple[Row, ...] = (
    ("num_players", 4, 1, "number of players, 1-4, one-hot"),
    ("num_neutrals", 3, 1, "number of neutral clans, 0-2, one-hot"),
    ("vogel", 1, 1, "1 for the vogel variant (RULES 8)"),
    ("own_seat", material.MAX_CLANS, 1, "the seat observed from, one-hot: it decides the order of decisions (4.13)"),
    ("round", material.NUM_ROUNDS, 1, "round 1-3, one-hot"),
    ("turn", material.WALL_SIZE + 1, 1, "turn 0 (planning) to 6, one-hot"),
    (
        "decision",
        len(ASKING_PHASES),
        1,
        "what is being decided, one-hot: discard, place, charm, take, axx, lose (Horsie), reorder, unwary, "
        "lose (Signal), give_up",
    ),
    ("to_act", material.MAX_CLANS, 1, "the seat to act, counted from the observing seat, one-hot"),
    ("next_slot", material.LINE_SIZE, 1, "the slot the seat fills next while it places or reorders, one-hot"),
    ("wall", material.WALL_SIZE * material.NUM_FORTS, 1, f"forts of the wall, by slot one-hot over {_FORT_LIST}"),
    ("contested", material.NUM_FORTS, 1, "the fort of next_slot, else the one of this turn's slot, one-hot"),
    ("captured", material.NUM_FORTS, 1, "the fort captured this turn, one-hot"),
    ("wrecked", 1, 1, "1 if the Ch'ariotts revealed this turn were wrecked (4.2)"),
    ("to_come", material.NUM_FORTS, material.DECK_SIZE, "forts of later rounds, counts by kind"),
    ("lost_forts", material.NUM_FORTS, material.DECK_SIZE, "forts discarded from the game, counts by kind"),
    *_OWN_LAYOUT,
)


SLICES = slices_in_order(
    (*_LAYOUT, *repeated([f"clan_{k}" for k in range(material.MAX_CLANS)], _CLAN_LAYOUT)), {"points": _MIN_POINTS}
)
"""The layout: one row per slice, in order, without gaps."""
SLICE_BY_NAME = {row.name: slice(row.start, row.stop) for row in SLICES}
"""Slices by name: ``observation[SLICE_BY_NAME["wall"]]`` are the entries of the wall."""
OBSERVATION_SIZE = SLICES[-1].stop
OBSERVATION_LOW, OBSERVATION_HIGH = bounds_of(SLICES, np.int8)

_AT = starts_of(_LAYOUT)
_OWN = starts_of(_OWN_LAYOUT)
_CLAN = starts_of(_CLAN_LAYOUT)
# Index of each phase in the ``decision`` slice.
_DECISION_OF_PHASE = np.full(PHASE_GAME_OVER + 1, material.NONE, dtype=np.int64)
for _position, _phase in enumerate(ASKING_PHASES):
    _DECISION_OF_PHASE[_phase] = _position


@inlined
def observe(state: State, seat, out, row):
    """Write what ``seat`` may know into ``out[row]``; ``out`` is int8, shape ``(rows, OBSERVATION_SIZE)``."""
    for k in range(OBSERVATION_SIZE):
        out[row, k] = 0
    observe_table(state, seat, out, row)
    observe_clock(state, seat, out, row)
    observe_forts(state, out, row)
    observe_own_cards(state, seat, out, row, _AT.own_hand)
    for k in range(state.num_clans):
        observe_clan(state, seats_on(state, seat, k), out, row, _AT.end + k * _CLAN.end)


@inlined
def write_first_eight(counts, out, row, start):
    """Write the first eight counts; because all are read before any is written, they move as one 64-bit word."""
    a, b, c, d, e, f, g, h = counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6], counts[7]
    out[row, start] = a
    out[row, start + 1] = b
    out[row, start + 2] = c
    out[row, start + 3] = d
    out[row, start + 4] = e
    out[row, start + 5] = f
    out[row, start + 6] = g
    out[row, start + 7] = h


@inlined
def observe_table(state: State, seat, out, row):
    """Write the settings and the observing seat."""
    out[row, _AT.num_players + state.num_players - 1] = 1
    out[row, _AT.num_neutrals + state.num_neutrals] = 1
    out[row, _AT.vogel] = state.vogel
    out[row, _AT.own_seat + seat] = 1


@inlined
def observe_clock(state: State, seat, out, row):
    """Write round, turn and phase."""
    out[row, _AT.round + state.round_index] = 1
    out[row, _AT.turn + state.turn] = 1
    runs = state.phase != PHASE_GAME_OVER
    write_one_hot(out, row, _AT.decision, _DECISION_OF_PHASE[state.phase], runs)
    write_one_hot(out, row, _AT.to_act, seats_on(state, state.seat, state.num_clans - seat), runs)
    lays = (state.seat == seat) & ((state.phase == PHASE_PLACE) | (state.phase == PHASE_ZVORD))
    here = np.int64(state.slot) if lays else np.int64(state.turn) - 1
    write_one_hot(out, row, _AT.next_slot, here, lays)
    write_one_hot(out, row, _AT.contested, state.wall[max(here, np.int64(0))], here >= 0)


@inlined
def observe_forts(state: State, out, row):
    """Write the wall, this turn's capture, and the forts to come and lost."""
    for slot in range(material.WALL_SIZE):
        write_one_hot(out, row, _AT.wall + slot * material.NUM_FORTS, state.wall[slot], True)
    write_one_hot(out, row, _AT.captured, state.captured, True)
    out[row, _AT.wrecked] = state.wrecked
    write_first_eight(state.to_come, out, row, _AT.to_come)
    write_first_eight(state.lost_forts, out, row, _AT.lost_forts)
    for fort in range(8, material.NUM_FORTS):
        out[row, _AT.to_come + fort] = state.to_come[fort]
        out[row, _AT.lost_forts + fort] = state.lost_forts[fort]


@inlined
def observe_own_cards(state: State, seat, out, row, base):
    """Write a seat's private slices, `_OWN_LAYOUT`: hand, set-aside warrior and hidden line, from entry ``base``."""
    # There are eight kinds of warriors, so the first eight counts are all of them.
    write_first_eight(state.hand[seat], out, row, base + _OWN.own_hand)
    write_one_hot(out, row, base + _OWN.own_set_aside, state.set_aside[state.round_index, seat], True)
    for slot in range(material.LINE_SIZE):
        start = base + _OWN.own_line + slot * material.NUM_WARRIORS
        write_one_hot(out, row, start, state.line[seat, slot], slot >= state.turn)


@inlined
def observe_clan(state: State, seat, out, row, base):
    """Write the public information on a clan, starting at entry ``base``."""
    neutral = np.int64(seat >= state.num_players)
    captured = np.int64(state.captor == seat)
    out[row, base + _CLAN.player] = 1 - neutral
    out[row, base + _CLAN.neutral] = neutral
    out[row, base + _CLAN.points] = state.points[seat]
    out[row, base + _CLAN.num_forts] = state.num_forts[seat]
    out[row, base + _CLAN.num_legion] = state.num_legion[seat]
    out[row, base + _CLAN.total] = state.total[seat]
    out[row, base + _CLAN.captor] = captured
    out[row, base + _CLAN.charmed] = np.int64(state.charmed == seat)
    out[row, base + _CLAN.axx_stays] = captured & np.int64(state.axx_stays)
    write_one_hot(out, row, base + _CLAN.revealed, state.revealed[seat], True)
    write_first_eight(state.face_up[seat], out, row, base + _CLAN.face_up)
    write_first_eight(state.shown[seat], out, row, base + _CLAN.shown)
    write_first_eight(state.forts[seat], out, row, base + _CLAN.forts)
    for fort in range(8, material.NUM_FORTS):
        out[row, base + _CLAN.forts + fort] = state.forts[seat, fort]


_PRIVATE_WIDTH = int(_OWN.end)
GLOBAL_STATE_SIZE = OBSERVATION_SIZE + (material.MAX_CLANS - 1) * _PRIVATE_WIDTH
"""Size of the global state: the observation of seat 0, then the private slices of each further clan."""
_PRIVATE_HIGH = OBSERVATION_HIGH[_AT.own_hand : _AT.end]
GLOBAL_STATE_LOW: npt.NDArray[np.int8] = np.concatenate(
    [OBSERVATION_LOW, np.zeros(GLOBAL_STATE_SIZE - OBSERVATION_SIZE, dtype=np.int8)]
)
GLOBAL_STATE_HIGH: npt.NDArray[np.int8] = np.concatenate(
    [OBSERVATION_HIGH, *[_PRIVATE_HIGH] * (material.MAX_CLANS - 1)]
)


@inlined
def observe_everything(state: State, out, row):
    """Write the full state into ``out[row]``; ``out`` is int8, shape ``(rows, GLOBAL_STATE_SIZE)``."""
    observe(state, 0, out, row)
    for k in range(OBSERVATION_SIZE, GLOBAL_STATE_SIZE):
        out[row, k] = 0
    for seat in range(1, state.num_clans):
        observe_own_cards(state, seat, out, row, np.int64(OBSERVATION_SIZE + (seat - 1) * _PRIVATE_WIDTH))


assert int(material.COPIES.max()) == 2
assert material.NUM_WARRIORS == 8
