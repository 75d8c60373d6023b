"""The observation: what a seat may know (STRUGGLE 9.3), as a flat int16 vector.

`slices_of` describes the layout for a board; offsets, bounds and the documentation page are derived from it. It is the
same for three and four players. Seats are numbered relative to the observing seat: ``seat_0`` is that seat, ``seat_k``
the k-th seat clockwise from it; with three players ``seat_3`` is zeros. A one-hot slice is all zeros if there is
nothing to show.

The observation is sufficient: it holds everything the seat may know that still matters, so a policy needs no memory.
It leaves out the board itself, which is a setting and the same in all games of an environment.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined
from romans_env.engine import observation_layout
from romans_env.struggle.actions import GOODS
from romans_env.struggle.board import Board
from romans_env.struggle.general import next_seat
from romans_env.struggle.geography import land_of, num_crossroads, num_hexes
from romans_env.struggle.knowledge import num_unseen
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
from romans_env.struggle.state import DECISION_KINDS, FIRST_DECISION, STAGE_FARE, STAGE_OVER, State
from romans_env.struggle.trade import ASKED, NUM_ASKED, NUM_OFFERED, OFFERED

LARGEST = np.iinfo(np.int16).max
"""Gold, rounds and offers are unbounded in the rules; their entries are clipped to this value."""
MAX_POINTS = NUM_CITIES + 8 + DECK_SIZE
"""Upper bound: cities, special cards and culture cards (STRUGGLE 7.1, 7.3)."""
_NUM_OFFERED = 2
_COPIES = tuple(COPIES.tolist())
_NUM_NUMBERS = SUMS - 2
_OWNERS = MAX_SEATS * NUM_TRIBES
_CITY_WIDTH = 2 + _OWNERS

_LAYOUT: tuple[observation_layout.Row, ...] = (
    ("four_players", 1, 1, "1 with four players, 0 with three"),
    ("player_trade", 1, 1, "1 if seats may make offers to each other (STRUGGLE 5.2)"),
    ("round", 1, LARGEST, "round, from 1"),
    ("rounds_left", 1, LARGEST, "largest possible number of rounds after this one"),
    ("phase", 4, 1, "phase, one-hot (3.3)"),
    ("first", MAX_SEATS, 1, "the first player, one-hot"),
    ("active", MAX_SEATS, 1, "the seat whose turn it is, one-hot; in phase 1 the first player"),
    ("to_act", MAX_SEATS, 1, "the seat to act, one-hot"),
    ("decision", len(DECISION_KINDS), 1, f"the kind of decision, one-hot: {', '.join(DECISION_KINDS)} (8.1)"),
    ("offered", len(GOODS), 1, f"the good a of the offer being answered, one-hot: {', '.join(GOODS)} (5.2)"),
    ("asked_for", len(GOODS), 1, "the good b of that offer, one-hot"),
    ("num_offered", 1, _NUM_OFFERED, "the number m of that offer"),
    ("num_asked_for", 1, _NUM_OFFERED, "the number n of that offer"),
    ("markers", _NUM_NUMBERS, 1, "which numbers from 2 to 12 bear a marker (4.1)"),
    ("final", 1, 1, "1 if the game is final (7.2)"),
    ("moved", 1, 1, "1 if the tribe has moved in this turn (9.1)"),
    ("card_played", 1, 1, "1 if a development card was played in this turn"),
    ("offers", 1, LARGEST, "offers made in this turn"),
    ("offers_left", 1, LARGEST, "offers that may still be made in this turn"),
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
    ("diplomacy", MAX_SEATS, 1, "the holder of the Diplomacy card, one-hot (7.1)"),
    (
        "cities",
        NUM_CITIES * _CITY_WIDTH,
        1,
        "for each city: 1 if it has its counter, 1 if neutral, then the owner, one-hot: the two tribes of each seat",
    ),
)
_SEAT_LAYOUT: tuple[observation_layout.Row, ...] = (
    ("gold", 1, LARGEST, "gold"),
    ("points", 1, MAX_POINTS, "points (7.1); after the end, those of 7.3"),
    ("hand", NUM_RESOURCES, _COPIES, f"resource cards: {', '.join(RESOURCES)}"),
    ("development_size", 1, DECK_SIZE, "development cards in hand"),
    ("played", NUM_DEVELOPMENT, DECK_SIZE, "development cards played, by kind"),
    ("substituted", 1, 1, "1 if it paid 3 gold instead of a card in this round (5.1)"),
    ("reserve", NUM_SUPPLIES, (FIGURES, FIGURES, WAGONS), "the reserve: horsemen, warriors, wagons (1.2)"),
    ("kingdom", NUM_TRIBES, 1, "1 for each tribe with a kingdom"),
    ("army", NUM_TRIBES, FIGURES, "army in the box of each tribe"),
    ("wagons", NUM_TRIBES, WAGONS, "wagons in the box of each tribe"),
    ("counters", NUM_TRIBES * NUM_PROVINCES, MOST_OF_A_COLOUR, "plunder counters in the box of each tribe, by colour"),
)


def slices_of(board: Board) -> tuple[observation_layout.Slice, ...]:
    """Return the layout of observations for a board: one row per slice, in order, without gaps."""
    hexes, crossroads, seats = len(board.hexes), len(board.crossroads), [f"seat_{seat}" for seat in range(MAX_SEATS)]
    return observation_layout.slices_in_order(
        (
            *_LAYOUT,
            *observation_layout.repeated(seats, _SEAT_LAYOUT),
            ("legion", hexes, 1, "the legionnaire's hex, one-hot"),
            ("target", crossroads, 1, "the crossroads to which the fare is asked, one-hot (5.4)"),
            *(
                (f"{seat}.{tribe}_at", crossroads, 1, f"the crossroads of the {tribe} figure, one-hot")
                for seat in seats
                for tribe in TRIBES
            ),
        )
    )


def global_bounds_of(
    slices: tuple[observation_layout.Slice, ...],
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """Return the lower and upper bounds of the global state: two int16 arrays, shape ``(global_state_size,)``.

    The global state is the observation of ``player_0``, then the other seats' development cards and the deck.
    """
    low, high = observation_layout.bounds_of(slices, np.int16)
    hidden = np.full(MAX_SEATS * NUM_DEVELOPMENT, DECK_SIZE, dtype=np.int16)
    return np.concatenate([low, np.zeros_like(hidden)]), np.concatenate([high, hidden])


_AT = observation_layout.starts_of(_LAYOUT)
_SEAT = observation_layout.starts_of(_SEAT_LAYOUT)
_BOARD = _AT.end + MAX_SEATS * _SEAT.end
"""The first of the entries whose number depends on the board."""


@inlined
def size_of(land):
    """Return the number of entries of an observation."""
    return _BOARD + num_hexes(land) + (1 + MAX_SEATS * NUM_TRIBES) * num_crossroads(land)


@inlined
def shown(number):
    """Return an unbounded number clipped to LARGEST."""
    return min(np.int64(number), np.int64(LARGEST))


@inlined
def seats_from(state: State, seat, other):
    """Return how many seats clockwise ``other`` is from ``seat``; -1 if ``other`` is NONE."""
    seats = np.int64(other) - np.int64(seat)
    seats += state.num_players * np.int64(seats < 0)
    return seats if other >= 0 else np.int64(NONE)


@inlined
def observe(state: State, seat, out, row):
    """Write what ``seat`` may know into ``out[row]``; ``out`` is int16, shape ``(rows, observation_size)``."""
    land = land_of(state)
    for k in range(size_of(land)):
        out[row, k] = 0
    observe_decision(state, seat, out, row)
    observe_table(state, seat, out, row)
    observe_cities(state, seat, out, row)
    hexes, crossroads = num_hexes(land), num_crossroads(land)
    observation_layout.write_one_hot(out, row, _BOARD, np.int64(state.legion), True)
    observation_layout.write_one_hot(out, row, _BOARD + hexes, np.int64(state.target), state.stage == STAGE_FARE)
    figures = _BOARD + hexes + crossroads
    other = np.int64(seat)
    for k in range(state.num_players):
        observe_seat(state, other, out, row, _AT.end + k * _SEAT.end)
        for tribe in range(NUM_TRIBES):
            observation_layout.write_one_hot(
                out, row, figures + (NUM_TRIBES * k + tribe) * crossroads, np.int64(state.at[other, tribe]), True
            )
        other = next_seat(state, other)
    out[row, _AT.four_players] = np.int64(state.num_players == MAX_SEATS)


@inlined
def observe_decision(state: State, seat, out, row):
    """Write the clock and the decision to be made."""
    asks = (state.stage >= FIRST_DECISION) & (state.stage < STAGE_OVER)
    observation_layout.write_one_hot(out, row, _AT.phase, np.int64(state.phase) - 1, True)
    observation_layout.write_one_hot(out, row, _AT.first, seats_from(state, seat, state.first), True)
    observation_layout.write_one_hot(out, row, _AT.active, seats_from(state, seat, state.active), True)
    observation_layout.write_one_hot(out, row, _AT.to_act, seats_from(state, seat, state.seat), asks)
    observation_layout.write_one_hot(out, row, _AT.decision, np.int64(state.stage) - FIRST_DECISION, asks)
    if state.offer >= 0:
        offer = np.int64(state.offer)
        out[row, _AT.offered + OFFERED[offer]] = 1
        out[row, _AT.asked_for + ASKED[offer]] = 1
        out[row, _AT.num_offered] = NUM_OFFERED[offer]
        out[row, _AT.num_asked_for] = NUM_ASKED[offer]
    out[row, _AT.final] = state.final
    out[row, _AT.moved] = state.moved
    out[row, _AT.card_played] = state.card_played


@inlined
def observe_table(state: State, seat, out, row):
    """Write what the seats share, and the observing seat's development cards."""
    out[row, _AT.player_trade] = state.player_trade
    out[row, _AT.round] = shown(state.round_number)
    out[row, _AT.rounds_left] = shown(np.int64(state.max_rounds) - np.int64(state.round_number))
    out[row, _AT.offers] = shown(state.offers)
    out[row, _AT.offers_left] = shown(np.int64(state.max_offers) - np.int64(state.offers)) * state.player_trade
    for k in range(_NUM_NUMBERS):
        out[row, _AT.markers + k] = (np.int64(state.markers) >> np.int64(k + 2)) & np.int64(1)
    for kind in range(NUM_BANK):
        out[row, _AT.bank + kind] = state.bank[kind]
    for kind in range(NUM_PASTURE):
        out[row, _AT.pasture_pile + kind] = state.pile[kind]
        out[row, _AT.pasture_discard + kind] = state.discard[kind]
    out[row, _AT.development_size] = state.deck_size
    for kind in range(NUM_DEVELOPMENT):
        # Not derived from the deck, which is redacted in a private view.
        out[row, _AT.unseen + kind] = num_unseen(state, seat, kind)
        out[row, _AT.development + kind] = state.development[seat, kind]
    for province in range(NUM_PROVINCES):
        for counter in range(NUM_COUNTERS):
            out[row, _AT.counters + NUM_COUNTERS * province + counter] = state.counters[province, counter]
    observation_layout.write_one_hot(out, row, _AT.diplomacy, seats_from(state, seat, state.diplomacy), True)


@inlined
def observe_cities(state: State, seat, out, row):
    """Write the counter and the owner of each city."""
    for city in range(NUM_CITIES):
        base = _AT.cities + _CITY_WIDTH * city
        owner = state.owner[city]
        out[row, base] = state.has_counter[city]
        out[row, base + 1] = np.int64(owner == NEUTRAL)
        if owner >= 0:
            out[row, base + 2 + NUM_TRIBES * seats_from(state, seat, owner) + np.int64(state.tribe[city])] = 1


@inlined
def observe_seat(state: State, seat, out, row, base):
    """Write the public information on a seat, starting at entry ``base``."""
    out[row, base + _SEAT.gold] = shown(state.gold[seat])
    out[row, base + _SEAT.points] = state.points[seat]
    out[row, base + _SEAT.development_size] = state.development_size[seat]
    out[row, base + _SEAT.substituted] = state.substituted[seat]
    for kind in range(NUM_RESOURCES):
        out[row, base + _SEAT.hand + kind] = state.hand[seat, kind]
    for kind in range(NUM_DEVELOPMENT):
        out[row, base + _SEAT.played + kind] = state.played[seat, kind]
    for kind in range(NUM_SUPPLIES):
        out[row, base + _SEAT.reserve + kind] = state.reserve[seat, kind]
    for tribe in range(NUM_TRIBES):
        out[row, base + _SEAT.kingdom + tribe] = state.kingdom[seat, tribe]
        out[row, base + _SEAT.army + tribe] = state.army[seat, tribe]
        out[row, base + _SEAT.wagons + tribe] = state.wagons[seat, tribe]
        for province in range(NUM_PROVINCES):
            out[row, base + _SEAT.counters + NUM_PROVINCES * tribe + province] = state.box[seat, tribe, province]


@inlined
def observe_everything(state: State, out, row):
    """Write the full state into ``out[row]``; ``out`` is int16, shape ``(rows, global_state_size)``."""
    observe(state, 0, out, row)
    base = size_of(land_of(state))
    for kind in range(NUM_DEVELOPMENT):
        for seat in range(1, MAX_SEATS):
            out[row, base + NUM_DEVELOPMENT * (seat - 1) + kind] = state.development[seat, kind]
        out[row, base + NUM_DEVELOPMENT * (MAX_SEATS - 1) + kind] = state.deck[kind]
