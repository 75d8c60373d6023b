"""The observation: what a seat may know, as a flat int8 vector of the same layout for every table and seat.

The layout is the table `SLICES`; offsets, bounds and the documentation page are made from it. Clans are seen from the
seat: block 0 of ``clans`` is its own, block k the clan k seats further on (the one that ``charm:+k`` would charm); an
absent clan is zeros. One-hot slices are all zero where there is nothing to show.

Everything a seat may know that matters later in the game is in it, so a policy needs no memory.
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
# A clan can hold all 18 forts of a deck of the user's own: the bounds cover the worst and the best deck.
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
"""What no other seat sees; the global state has it of every clan."""

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
    ("to_act", material.MAX_CLANS, 1, "who decides, seats further on, one-hot"),
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
"""The layout: one row a slice, in order, without gaps."""
SLICE_BY_NAME = {row.name: slice(row.start, row.stop) for row in SLICES}
"""``observation[SLICE_BY_NAME["wall"]]`` are the entries of a slice."""
OBSERVATION_SIZE = SLICES[-1].stop
OBSERVATION_LOW, OBSERVATION_HIGH = bounds_of(SLICES, np.int8)

_AT = starts_of(_LAYOUT)
_OWN = starts_of(_OWN_LAYOUT)
_CLAN = starts_of(_CLAN_LAYOUT)
# Where a phase stands in the ``decision`` slice.
_DECISION_OF_PHASE = np.full(PHASE_GAME_OVER + 1, material.NONE, dtype=np.int64)
for _position, _phase in enumerate(ASKING_PHASES):
    _DECISION_OF_PHASE[_phase] = _position


@inlined
def observe(state: State, seat, out, row):
    """Write what ``seat`` may know into ``out[row]`` (int8, OBSERVATION_SIZE entries)."""
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
    """Write the first eight of a list of counts; read one by one before any is written, they are moved as one word."""
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
    """Write what all seats share."""
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
    """Write the forts of the wall and the sides."""
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
    """Write hand, set-aside warrior and hidden line, the slices of `_OWN_LAYOUT`, from ``base`` on."""
    # Of warriors, the first eight are all kinds.
    write_first_eight(state.hand[seat], out, row, base + _OWN.own_hand)
    write_one_hot(out, row, base + _OWN.own_set_aside, state.set_aside[state.round_index, seat], True)
    for slot in range(material.LINE_SIZE):
        start = base + _OWN.own_line + slot * material.NUM_WARRIORS
        write_one_hot(out, row, start, state.line[seat, slot], slot >= state.turn)


@inlined
def observe_clan(state: State, seat, out, row, base):
    """Write what is known of a clan, from number ``base`` on."""
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
"""The global state is the observation of seat 0, then hand, set-aside warrior and hidden line of the clans after it."""
_PRIVATE_HIGH = OBSERVATION_HIGH[_AT.own_hand : _AT.end]
GLOBAL_STATE_LOW: npt.NDArray[np.int8] = np.concatenate(
    [OBSERVATION_LOW, np.zeros(GLOBAL_STATE_SIZE - OBSERVATION_SIZE, dtype=np.int8)]
)
GLOBAL_STATE_HIGH: npt.NDArray[np.int8] = np.concatenate(
    [OBSERVATION_HIGH, *[_PRIVATE_HIGH] * (material.MAX_CLANS - 1)]
)


@inlined
def observe_everything(state: State, out, row):
    """Write the whole table, face-down cards included, into ``out[row]`` (int8, GLOBAL_STATE_SIZE entries)."""
    observe(state, 0, out, row)
    for k in range(OBSERVATION_SIZE, GLOBAL_STATE_SIZE):
        out[row, k] = 0
    for seat in range(1, state.num_clans):
        observe_own_cards(state, seat, out, row, np.int64(OBSERVATION_SIZE + (seat - 1) * _PRIVATE_WIDTH))


assert int(material.COPIES.max()) == 2
assert material.NUM_WARRIORS == 8
