"""Trade between seats (STRUGGLE 5.2): offers, and the rivals' answers."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle.actions import ACCEPT, DECLINE, GOODS, OFFER_WORD, RATIOS, allow
from romans_env.struggle.general import hand_over, holds, next_seat
from romans_env.struggle.material import GOLD, NONE
from romans_env.struggle.state import STAGE_ANSWER, STAGE_BUILD, State

_PAIRS = [(a, b) for a in range(len(GOODS)) for b in range(len(GOODS)) if a != b]
OFFERED = np.array([a for a, _ in _PAIRS for _ in RATIOS], dtype=np.int64)
ASKED = np.array([b for _, b in _PAIRS for _ in RATIOS], dtype=np.int64)
NUM_OFFERED = np.array([int(ratio[0]) for _ in _PAIRS for ratio in RATIOS], dtype=np.int64)
NUM_ASKED = np.array([int(ratio[-1]) for _ in _PAIRS for ratio in RATIOS], dtype=np.int64)
"""The goods a and b and the numbers m and n of each offer, in the order of the actions."""
_NUM_OFFERS = len(OFFERED)


@inlined
def wealth(state: State, seat, count):
    """Return the goods of which a seat has at least ``count``, as bits."""
    bits = np.int64(state.gold[seat] >= count) << GOLD
    for kind in range(GOLD):
        bits |= np.int64(state.hand[seat, kind] >= count) << np.int64(kind)
    return bits


@inlined
def open_offers(state: State):
    """Allow the offers that the player can pay for and that some rival could accept."""
    if state.player_trade == 0 or state.offers >= state.max_offers:
        return
    own_one, own_two = wealth(state, state.active, 1), wealth(state, state.active, 2)
    theirs_one, theirs_two = np.int64(0), np.int64(0)
    for seat in range(state.num_players):
        if seat != state.active:
            theirs_one |= wealth(state, seat, 1)
            theirs_two |= wealth(state, seat, 2)
    bits = np.int64(0)
    for offer in range(_NUM_OFFERS):
        own = own_one if NUM_OFFERED[offer] == 1 else own_two
        theirs = theirs_one if NUM_ASKED[offer] == 1 else theirs_two
        bits |= ((own >> OFFERED[offer]) & (theirs >> ASKED[offer]) & np.int64(1)) << np.int64(offer)
    state.legal[OFFER_WORD] = bits


@inlined
def make_offer(state: State, offer):
    """Make an offer; the rivals who have the goods asked for answer it, clockwise from the player."""
    state.offers += 1
    state.offer = offer
    ask_next(state, state.active)


@jitted
def ask_next(state: State, seat):
    """Ask the next rival after a seat; after the last one, the player goes on."""
    seat = next_seat(state, seat)
    while seat != state.active and not holds(state, seat, ASKED[state.offer], NUM_ASKED[state.offer]):
        seat = next_seat(state, seat)
    state.seat = seat
    if seat == state.active:
        close_offer(state)
    else:
        state.stage = STAGE_ANSWER


@inlined
def close_offer(state: State):
    """Close the offer; the player goes on building."""
    state.offer = NONE
    state.seat = state.active
    state.stage = STAGE_BUILD


@inlined
def open_answer(state: State):
    """Allow accepting and declining the offer."""
    allow(state, ACCEPT)
    allow(state, DECLINE)


@inlined
def choose_answer(state: State, action):
    """Exchange the goods, or ask the next rival."""
    if action == ACCEPT:
        offer = np.int64(state.offer)
        hand_over(state, state.active, state.seat, OFFERED[offer], NUM_OFFERED[offer])
        hand_over(state, state.seat, state.active, ASKED[offer], NUM_ASKED[offer])
        close_offer(state)
    else:
        ask_next(state, state.seat)
