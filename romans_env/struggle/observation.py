"""The observation: what a seat may know (STRUGGLE 9.3), as a flat int16 vector.

The layout is the table that `slices_of` makes for a board; offsets, bounds and the documentation page are made from it.
It is the same for three and four players and relative to the seat: ``seat_0`` is the seat observed from, ``seat_k`` the
k-th clockwise from it; with three players ``seat_3`` is zeros. One-hot slices are all zero where nothing is to show.

Everything a seat may know that matters later in the game is in it, so a policy needs no memory. The board itself is
not: it is a setting, the same in every game of an environment.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined
from romans_env.engine.observation_layout import Row, Slice, bounds_of, repeated, slices_in_order, starts_of
from romans_env.struggle.actions import GOODS
from romans_env.struggle.board import Board
from romans_env.struggle.general import next_seat
from romans_env.struggle.geography import copies_of_development, land_of, num_crossroads, num_hexes
from romans_env.struggle.material import (
    CITIES_OF_PROVINCE,
    COPIES,
    COUNTERS,
    DECK_SIZE,
    DEVELOPMENT,
    FIGURES,
    MAX_SEATS,
    NEUTRAL,
    NONE,
    NUM_BANK,
    NUM_CITIES,
    NUM_COUNTERS,
    NUM_DEVELOPMENT,
    NUM_PASTURE,
    NUM_PROVINCES,
    NUM_RESOURCES,
    NUM_SUPPLIES,
    NUM_TRIBES,
    PROVINCES,
    RESOURCES,
    SUMS,
    TRIBES,
    WAGONS,
)
from romans_env.struggle.plundering import MOST_OF_A_COLOUR
from romans_env.struggle.state import DECISION_KINDS, FIRST_DECISION, STAGE_FARE, STAGE_OVER
from romans_env.struggle.trade import ASKED, NUM_ASKED, NUM_OFFERED, OFFERED

LARGEST = np.iinfo(np.int16).max
"""Gold, rounds and offers have no bound in the rules; entries show at most this much of them."""
MAX_POINTS = NUM_CITIES + 8 + DECK_SIZE
"""Cities, the special cards, and cultures (STRUGGLE 7.1, 7.3)."""
_NUM_OFFERED = 2
_COPIES = tuple(COPIES.tolist())
_NUM_NUMBERS = SUMS - 2
_OWNERS = MAX_SEATS * NUM_TRIBES
_CITY_WIDTH = 2 + _OWNERS

_LAYOUT: tuple[Row, ...] = (
    ("four_players", 1, 1, "1 with four players, 0 with three"),
    ("player_trade", 1, 1, "1 if seats may make offers to each other (STRUGGLE 5.2)"),
    ("round", 1, LARGEST, "round, from 1"),
    ("rounds_left", 1, LARGEST, "rounds after this one, at most"),
    ("phase", 4, 1, "phase, one-hot (3.3)"),
    ("first", MAX_SEATS, 1, "the first player, one-hot"),
    ("active", MAX_SEATS, 1, "the seat whose turn it is, one-hot; in phase 1 the first player"),
    ("to_act", MAX_SEATS, 1, "who decides, one-hot"),
    ("decision", len(DECISION_KINDS), 1, f"what is decided, one-hot: {', '.join(DECISION_KINDS)} (8.1)"),
    ("offered", len(GOODS), 1, f"a of the offer that is answered, one-hot: {', '.join(GOODS)} (5.2)"),
    ("asked_for", len(GOODS), 1, "b of it, one-hot"),
    ("num_offered", 1, _NUM_OFFERED, "m of it"),
    ("num_asked_for", 1, _NUM_OFFERED, "n of it"),
    ("markers", _NUM_NUMBERS, 1, "which numbers from 2 to 12 bear a marker (4.1)"),
    ("final", 1, 1, "1 if the game is final (7.2)"),
    ("moved", 1, 1, "1 if the tribe has moved in this turn (9.1)"),
    ("card_played", 1, 1, "1 if a development card was played in this turn"),
    ("offers", 1, LARGEST, "offers made in this turn"),
    ("offers_left", 1, LARGEST, "offers that may still be made in it"),
    ("bank", NUM_BANK, _COPIES[:NUM_BANK], "the bank: grain, ore"),
    ("pasture_pile", NUM_PASTURE, _COPIES[NUM_BANK:], "the pasture pile: cattle, horses (1.6)"),
    ("pasture_discard", NUM_PASTURE, _COPIES[NUM_BANK:], "the pasture discard"),
    ("development_size", 1, DECK_SIZE, "cards in the development deck"),
    ("unseen", NUM_DEVELOPMENT, DECK_SIZE, "development cards in the deck and in rivals' hands, by kind"),
    ("development", NUM_DEVELOPMENT, DECK_SIZE, f"the own development cards, by kind: {', '.join(DEVELOPMENT)}"),
    (
        "counters",
        NUM_PROVINCES * NUM_COUNTERS,
        CITIES_OF_PROVINCE,
        f"counters not revealed (2.1): for each of {', '.join(PROVINCES)} counts of {', '.join(COUNTERS)}",
    ),
    ("diplomacy", MAX_SEATS, 1, "who holds the Diplomacy card, one-hot (7.1)"),
    (
        "cities",
        NUM_CITIES * _CITY_WIDTH,
        1,
        "for each city: 1 if it has its counter, 1 if neutral, then whose it is, one-hot: the two tribes of each seat",
    ),
)
_SEAT_LAYOUT: tuple[Row, ...] = (
    ("gold", 1, LARGEST, "gold"),
    ("points", 1, MAX_POINTS, "points (7.1); after the end, those of 7.3"),
    ("hand", NUM_RESOURCES, _COPIES, f"resource cards: {', '.join(RESOURCES)}"),
    ("development_size", 1, DECK_SIZE, "development cards in hand"),
    ("played", NUM_DEVELOPMENT, DECK_SIZE, "development cards played, by kind"),
    ("substituted", 1, 1, "1 if it paid 3 gold instead of a card in this round (5.1)"),
    ("reserve", NUM_SUPPLIES, (FIGURES, FIGURES, WAGONS), "the reserve: horsemen, warriors, wagons (1.2)"),
    ("kingdom", NUM_TRIBES, 1, "1 for each tribe with a kingdom"),
    ("army", NUM_TRIBES, FIGURES, "army in the box of each tribe"),
    ("wagons", NUM_TRIBES, WAGONS, "wagons in it"),
    ("counters", NUM_TRIBES * NUM_PROVINCES, MOST_OF_A_COLOUR, "plunder counters in it, by colour"),
)


def slices_of(board: Board) -> tuple[Slice, ...]:
    """Return the layout of observations for a board: one row a slice, in order, without gaps."""
    hexes, crossroads, seats = len(board.hexes), len(board.crossroads), [f"seat_{seat}" for seat in range(MAX_SEATS)]
    return slices_in_order(
        (
            *_LAYOUT,
            *repeated(seats, _SEAT_LAYOUT),
            ("legion", hexes, 1, "the legionnaire's hex, one-hot"),
            ("target", crossroads, 1, "the crossroads that a fare is asked for, one-hot (5.4)"),
            *(
                (f"{seat}.{tribe}_at", crossroads, 1, f"the crossroads of the {tribe} figure, one-hot")
                for seat in seats
                for tribe in TRIBES
            ),
        )
    )


def global_bounds_of(slices: tuple[Slice, ...]) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """Return low and high of the global state: player_0's observation, then the others' hidden cards and the deck."""
    low, high = bounds_of(slices, np.int16)
    hidden = np.full(MAX_SEATS * NUM_DEVELOPMENT, DECK_SIZE, dtype=np.int16)
    return np.concatenate([low, np.zeros_like(hidden)]), np.concatenate([high, hidden])


(
    _FOUR_PLAYERS,
    _PLAYER_TRADE,
    _ROUND,
    _ROUNDS_LEFT,
    _PHASE,
    _FIRST,
    _ACTIVE,
    _TO_ACT,
    _DECISION,
    _OFFERED,
    _ASKED_FOR,
    _NUM_OFFERED_AT,
    _NUM_ASKED_FOR,
    _MARKERS,
    _FINAL,
    _MOVED,
    _CARD_PLAYED,
    _OFFERS,
    _OFFERS_LEFT,
    _BANK,
    _PILE,
    _DISCARD,
    _DEVELOPMENT_SIZE,
    _UNSEEN,
    _DEVELOPMENT,
    _COUNTERS,
    _DIPLOMACY,
    _CITIES,
    _SEATS,
) = starts_of(_LAYOUT)
(_GOLD, _POINTS, _HAND, _HELD, _PLAYED, _SUBSTITUTED, _RESERVE, _KINGDOM, _ARMY, _WAGONS, _BOX, _SEAT_WIDTH) = (
    starts_of(_SEAT_LAYOUT)
)
_BOARD = _SEATS + MAX_SEATS * _SEAT_WIDTH
"""Where the entries begin whose number depends on the board."""


@inlined
def size_of(land):
    """Return how many entries an observation has."""
    return _BOARD + num_hexes(land) + (1 + MAX_SEATS * NUM_TRIBES) * num_crossroads(land)


@inlined
def shown(number):
    """Return a number without a bound as an entry shows it, at most LARGEST."""
    return min(np.int64(number), np.int64(LARGEST))


@inlined
def seats_from(state, seat, other):
    """Return how many seats clockwise from a seat another is; -1 for none."""
    seats = np.int64(other) - np.int64(seat)
    seats += state.num_players * np.int64(seats < 0)
    return seats if other >= 0 else np.int64(NONE)


@inlined
def write_one_hot(out, row, start, index):
    """Write ``index`` one-hot from entry ``start`` on, all zero where it is below 0.

    Written without a branch: games of a batch are at different decisions, and the processor would often guess wrong.
    """
    there = np.int64(index >= 0)
    # Entry 0, which is written last, takes what is not there. Of an unsigned index numba need not ask whether it counts
    # from the end.
    out[row, np.uint64((start + index) * there)] = there


@inlined
def observe(state, seat, out, row):
    """Write what ``seat`` may know into ``out[row]`` (int16)."""
    land = land_of(state)
    for k in range(size_of(land)):
        out[row, k] = 0
    observe_decision(state, seat, out, row)
    observe_table(state, seat, out, row)
    observe_cities(state, seat, out, row)
    hexes, crossroads = num_hexes(land), num_crossroads(land)
    write_one_hot(out, row, _BOARD, np.int64(state.legion))
    target = np.int64(state.target) if state.stage == STAGE_FARE else np.int64(NONE)
    write_one_hot(out, row, _BOARD + hexes, target)
    figures = _BOARD + hexes + crossroads
    other = np.int64(seat)
    for k in range(state.num_players):
        observe_seat(state, other, out, row, _SEATS + k * _SEAT_WIDTH)
        for tribe in range(NUM_TRIBES):
            write_one_hot(out, row, figures + (NUM_TRIBES * k + tribe) * crossroads, np.int64(state.at[other, tribe]))
        other = next_seat(state, other)
    out[row, _FOUR_PLAYERS] = np.int64(state.num_players == MAX_SEATS)


@inlined
def observe_decision(state, seat, out, row):
    asks = (state.stage >= FIRST_DECISION) & (state.stage < STAGE_OVER)
    none = np.int64(NONE)
    write_one_hot(out, row, _PHASE, np.int64(state.phase) - 1)
    write_one_hot(out, row, _FIRST, seats_from(state, seat, state.first))
    write_one_hot(out, row, _ACTIVE, seats_from(state, seat, state.active))
    write_one_hot(out, row, _TO_ACT, seats_from(state, seat, state.seat) if asks else none)
    write_one_hot(out, row, _DECISION, np.int64(state.stage) - FIRST_DECISION if asks else none)
    if state.offer >= 0:
        offer = np.int64(state.offer)
        out[row, _OFFERED + OFFERED[offer]] = 1
        out[row, _ASKED_FOR + ASKED[offer]] = 1
        out[row, _NUM_OFFERED_AT] = NUM_OFFERED[offer]
        out[row, _NUM_ASKED_FOR] = NUM_ASKED[offer]
    out[row, _FINAL] = state.final
    out[row, _MOVED] = state.moved
    out[row, _CARD_PLAYED] = state.card_played


@inlined
def observe_table(state, seat, out, row):
    out[row, _PLAYER_TRADE] = state.player_trade
    out[row, _ROUND] = shown(state.round_number)
    out[row, _ROUNDS_LEFT] = shown(np.int64(state.max_rounds) - np.int64(state.round_number))
    out[row, _OFFERS] = shown(state.offers)
    out[row, _OFFERS_LEFT] = shown(np.int64(state.max_offers) - np.int64(state.offers)) * state.player_trade
    for k in range(_NUM_NUMBERS):
        out[row, _MARKERS + k] = (np.int64(state.markers) >> np.int64(k + 2)) & np.int64(1)
    for kind in range(NUM_BANK):
        out[row, _BANK + kind] = state.bank[kind]
    for kind in range(NUM_PASTURE):
        out[row, _PILE + kind] = state.pile[kind]
        out[row, _DISCARD + kind] = state.discard[kind]
    out[row, _DEVELOPMENT_SIZE] = state.deck_size
    land = land_of(state)
    for kind in range(NUM_DEVELOPMENT):
        # Not from the deck, which is no part of a private view.
        unseen = copies_of_development(land, kind) - np.int64(state.development[seat, kind])
        for other in range(state.num_players):
            unseen -= state.played[other, kind]
        out[row, _UNSEEN + kind] = unseen
        out[row, _DEVELOPMENT + kind] = state.development[seat, kind]
    for province in range(NUM_PROVINCES):
        for counter in range(NUM_COUNTERS):
            out[row, _COUNTERS + NUM_COUNTERS * province + counter] = state.counters[province, counter]
    write_one_hot(out, row, _DIPLOMACY, seats_from(state, seat, state.diplomacy))


@inlined
def observe_cities(state, seat, out, row):
    for city in range(NUM_CITIES):
        base = _CITIES + _CITY_WIDTH * city
        owner = state.owner[city]
        out[row, base] = state.has_counter[city]
        out[row, base + 1] = np.int64(owner == NEUTRAL)
        if owner >= 0:
            out[row, base + 2 + NUM_TRIBES * seats_from(state, seat, owner) + np.int64(state.tribe[city])] = 1


@inlined
def observe_seat(state, seat, out, row, base):
    out[row, base + _GOLD] = shown(state.gold[seat])
    out[row, base + _POINTS] = state.points[seat]
    out[row, base + _HELD] = state.development_size[seat]
    out[row, base + _SUBSTITUTED] = state.substituted[seat]
    for kind in range(NUM_RESOURCES):
        out[row, base + _HAND + kind] = state.hand[seat, kind]
    for kind in range(NUM_DEVELOPMENT):
        out[row, base + _PLAYED + kind] = state.played[seat, kind]
    for kind in range(NUM_SUPPLIES):
        out[row, base + _RESERVE + kind] = state.reserve[seat, kind]
    for tribe in range(NUM_TRIBES):
        out[row, base + _KINGDOM + tribe] = state.kingdom[seat, tribe]
        out[row, base + _ARMY + tribe] = state.army[seat, tribe]
        out[row, base + _WAGONS + tribe] = state.wagons[seat, tribe]
        for province in range(NUM_PROVINCES):
            out[row, base + _BOX + NUM_PROVINCES * tribe + province] = state.box[seat, tribe, province]


@inlined
def observe_everything(state, out, row):
    """Write the full state, hidden cards included, into ``out[row]`` (int16)."""
    observe(state, 0, out, row)
    base = size_of(land_of(state))
    for kind in range(NUM_DEVELOPMENT):
        for seat in range(1, MAX_SEATS):
            out[row, base + NUM_DEVELOPMENT * (seat - 1) + kind] = state.development[seat, kind]
        out[row, base + NUM_DEVELOPMENT * (MAX_SEATS - 1) + kind] = state.deck[kind]
