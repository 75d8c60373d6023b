"""The action space (STRUGGLE 8.2), and sets of actions.

The first 186 ids are the same for all boards; a `legion` action for each hex and a `move` action for each crossroads
follow.

A set of the first 186 actions is LEGAL_WORDS integers of 64 bits, one bit per action; no word uses its sign bit. The
legionnaire and a tribe may go to nearly any place, so the legal hexes or crossroads are not stored but computed from
the board on demand: ``state.places`` says which of the two are open.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.compiling.tables import entry
from romans_env.core.action_blocks import Block, blocks_in_order
from romans_env.engine.bits import lowest, nth_bit, num_bits
from romans_env.engine.random_stream import below
from romans_env.struggle.board import Board
from romans_env.struggle.geography import UNREACHABLE, fares_from, is_empire, land_of, num_crossroads, num_hexes
from romans_env.struggle.material import GRAIN, MAX_GRAIN_PAID, NUM_CITIES, NUM_FARES, NUM_TRIBES, RESOURCES
from romans_env.struggle.state import CROSSROADS, HEXES, LEGAL_WORDS, NO_PLACES, State

GOODS = (*RESOURCES, "gold")
"""The goods that seats trade (STRUGGLE 5.2)."""
RATIOS = ("1-1", "2-1", "1-2")
"""The ratios m-n of an offer."""
RESTS = ("gold", "grain", "ore", "pasture")
"""The gains of a resting tribe (STRUGGLE 5.3)."""


_PRICE = "or 3 gold instead of one card of the price"


def blocks_of(board: Board) -> tuple[Block, ...]:
    """Return the blocks of the action space for a board, with its cities, hexes and crossroads."""
    bank = [f"{a}:{b}" for a in RESOURCES for b in ("grain", "ore", "pasture") if a != b]
    offers = [f"{a}:{b}:{ratio}" for a in GOODS for b in GOODS if a != b for ratio in RATIOS]
    names = tuple(city.name for city in board.cities)
    layout: tuple[tuple[str, Sequence[str], str], ...] = (
        ("bank", bank, "spend three cards of a kind for one of another (5.1)"),
        ("army", ("", "ore", "horse"), f"a figure of each kind for 1 ore and 1 horse, {_PRICE} (5.1)"),
        (
            "wagon",
            [f"{tribe}{card}" for tribe in ("horseman", "warrior") for card in ("", ":horse", ":grain", ":cattle")],
            f"a wagon for the tribe for 1 horse, 1 grain and 1 cattle, {_PRICE} (5.1)",
        ),
        ("card", ("", "cattle"), f"a development card for 1 cattle and 1 gold, {_PRICE} (5.1)"),
        ("offer", offers, "m of one good for n of another, to the rivals (5.2)"),
        ("accept", ("",), "accept the offer (5.2)"),
        ("decline", ("",), "decline the offer (5.2)"),
        ("play", ("diplomacy", "great_warrior", "treasure"), "play this development card (6)"),
        ("rest", RESTS, "rest: 2 gold, or a card (5.3)"),
        ("end", ("",), "end the turn (5.1, 5.3)"),
        ("rob", ("+1", "+2", "+3"), "rob the rival k seats further on (4.4)"),
        ("pay", [str(grain) for grain in range(NUM_FARES)], "pay g land arrows in grain (5.4)"),
        ("plunder", names, "plunder the city (5.5)"),
        ("conquer", names, "conquer the city (5.6, 5.7)"),
        ("legion", [str(one.id) for one in board.hexes], "move the legionnaire to the hex (4.4)"),
        ("move", [str(one.id) for one in board.crossroads], "move the tribe to the crossroads (5.4)"),
    )
    return blocks_in_order(layout)


(BANK, ARMY, WAGONS, CARD, OFFER, ACCEPT, DECLINE, PLAY, REST, END, ROB, PAY, PLUNDER, CONQUER, LEGION) = (
    np.int64(first) for first in (0, 10, 13, 21, 23, 83, 84, 85, 88, 92, 93, 96, 106, 146, 186)
)
"""The first id of each block; `move` comes after the hexes (`first_move`)."""
PLAY_DIPLOMACY, PLAY_GREAT_WARRIOR, PLAY_TREASURE = PLAY, PLAY + 1, PLAY + 2
NUM_FIXED = int(LEGION)
"""Number of actions that all boards share."""

_STARTS = (int(BANK), int(OFFER), int(ACCEPT), int(PLUNDER), int(CONQUER), NUM_FIXED)
"""The first action of each word, and the number of shared actions."""
START = np.array(_STARTS, dtype=np.int64)
_WORD_OF = np.array([word for word in range(LEGAL_WORDS) for _ in range(_STARTS[word], _STARTS[word + 1])], np.int64)
_BIT_OF = np.array([1 << (action - _STARTS[_WORD_OF[action]]) for action in range(NUM_FIXED)], dtype=np.int64)
OFFER_WORD, PLUNDER_WORD, CONQUER_WORD = 1, 3, 4


@inlined
def first_move(land):
    """Return the id of the first `move` action; the `legion` actions come before it."""
    return LEGION + num_hexes(land)


@inlined
def num_actions(state: State):
    """Return the size of the action space on the board."""
    land = land_of(state)
    return first_move(land) + num_crossroads(land)


@inlined
def forbid_all(state: State):
    """Empty the set of legal actions."""
    for word in range(LEGAL_WORDS):
        state.legal[word] = 0
    state.places = NO_PLACES


@inlined
def allow(state: State, action):
    """Add an action that all boards share to the set of legal actions."""
    state.legal[_WORD_OF[action]] |= _BIT_OF[action]


@inlined
def allow_if(state: State, action, condition):
    """Add an action that all boards share to the set of legal actions if a condition holds."""
    state.legal[_WORD_OF[action]] |= _BIT_OF[action] * np.int64(condition)


# -- places on the board


@inlined
def may_stand(state: State, place):
    """Return whether the legionnaire may go to a hex (STRUGGLE 4.4)."""
    return is_empire(land_of(state), place) & (place != state.legion)


@inlined
def has_figure(state: State, place):
    """Return whether a figure of any tribe stands on a crossroads."""
    found = False
    for seat in range(state.num_players):
        for tribe in range(NUM_TRIBES):
            found |= state.at[seat, tribe] == place
    return found


@inlined
def fares_of(state: State):
    """Return the start of the tribe's fares in the board's table, for as much grain as it can pay (STRUGGLE 5.4)."""
    seat = state.active
    grain = min(np.int64(state.hand[seat, GRAIN]), np.int64(MAX_GRAIN_PAID))
    return fares_from(land_of(state), np.int64(state.at[seat, state.phase - 3]), grain)


@inlined
def purse_of(state: State):
    """Return the gold of the seat whose turn it is, capped below UNREACHABLE so that it compares with fares."""
    return min(np.int64(state.gold[state.active]), np.int64(UNREACHABLE - 1))


@inlined
def may_move_to(state: State, place):
    """Return whether the tribe whose turn it is can move to a crossroads and pay the cheapest fare (STRUGGLE 5.4)."""
    land = land_of(state)
    return (entry(land, fares_of(state) + place) <= purse_of(state)) & (not has_figure(state, place))


@jitted
def num_places(state: State):
    """Return the number of legal hexes or crossroads."""
    count = np.int64(0)
    if state.places == HEXES:
        for place in range(num_hexes(land_of(state))):
            count += np.int64(may_stand(state, place))
    elif state.places == CROSSROADS:
        land, fares, gold = land_of(state), fares_of(state), purse_of(state)
        for place in range(num_crossroads(land)):
            count += np.int64(entry(land, fares + place) <= gold)
        for seat in range(state.num_players):
            for tribe in range(NUM_TRIBES):
                count -= np.int64(entry(land, fares + np.int64(state.at[seat, tribe])) <= gold)
    return count


@jitted
def nth_place(state: State, n):
    """Return the id of the n-th legal action for a hex or a crossroads, counted from 0."""
    land = land_of(state)
    place = np.int64(-1)
    if state.places == HEXES:
        while n >= 0:
            place += 1
            n -= np.int64(may_stand(state, place))
        return LEGION + place
    fares, gold = fares_of(state), purse_of(state)
    while n >= 0:
        place += 1
        if entry(land, fares + place) <= gold and not has_figure(state, place):
            n -= 1
    return first_move(land) + place


# -- sets


@inlined
def allows(state: State, action):
    """Return whether an action is legal; ``action`` is in the action space."""
    if action < NUM_FIXED:
        return state.legal[_WORD_OF[action]] & _BIT_OF[action] != 0
    place = action - LEGION
    hexes = num_hexes(land_of(state))
    if place < hexes:
        return state.places == HEXES and may_stand(state, place)
    return state.places == CROSSROADS and may_move_to(state, place - hexes)


@inlined
def has_choice(state: State):
    """Return whether two or more actions are legal."""
    words = np.int64(0)
    more = np.int64(0)
    for word in range(LEGAL_WORDS):
        bits = state.legal[word]
        words += np.int64(bits != 0)
        more |= bits & (bits - np.int64(1))
    if (words > 1) | (more != 0):
        return True
    return state.places != NO_PLACES and words + num_places(state) > 1


@inlined
def only_action(state: State):
    """Return the only legal action; exactly one must be legal."""
    for word in range(LEGAL_WORDS):
        if state.legal[word] != 0:
            return START[word] + lowest(state.legal[word])
    return nth_place(state, np.int64(0))


@inlined
def random_action(state: State, streams, i):
    """Draw a legal action uniformly from the random stream ``streams[i]``."""
    total = np.int64(0)
    for word in range(LEGAL_WORDS):
        total += num_bits(state.legal[word])
    n = below(streams, i, total + num_places(state))
    if n >= total:
        return nth_place(state, n - total)
    place = 0
    here = num_bits(state.legal[0])
    while n >= here:
        n -= here
        place += 1
        here = num_bits(state.legal[place])
    return START[place] + nth_bit(state.legal[place], n)


@inlined
def write_mask(state: State, masks, row):
    """Write the action mask into ``masks[row]``; ``masks`` is int8, shape ``(rows, num_actions)``."""
    for word in range(LEGAL_WORDS):
        bits = state.legal[word]
        for action in range(START[word], START[word + 1]):
            masks[row, action] = bits & np.int64(1)
            bits >>= np.int64(1)
    land = land_of(state)
    hexes, crossroads = num_hexes(land), num_crossroads(land)
    if state.places == HEXES:
        for place in range(hexes):
            masks[row, LEGION + place] = may_stand(state, place)
    else:
        for place in range(hexes):
            masks[row, LEGION + place] = 0
    first = LEGION + hexes
    if state.places == CROSSROADS:
        fares, gold = fares_of(state), purse_of(state)
        for place in range(crossroads):
            masks[row, first + place] = entry(land, fares + place) <= gold
        for seat in range(state.num_players):
            for tribe in range(NUM_TRIBES):
                masks[row, first + np.int64(state.at[seat, tribe])] = 0
    else:
        for place in range(crossroads):
            masks[row, first + place] = 0


@inlined
def write_actions(state: State, out):
    """Write the legal action ids into ``out``, ascending, and return their number."""
    count = np.int64(0)
    for word in range(LEGAL_WORDS):
        bits = state.legal[word]
        while bits != 0:
            out[count] = START[word] + lowest(bits)
            count += 1
            bits &= bits - np.int64(1)
    land = land_of(state)
    hexes = num_hexes(land)
    if state.places == HEXES:
        for place in range(hexes):
            if may_stand(state, place):
                out[count] = LEGION + place
                count += 1
    elif state.places == CROSSROADS:
        fares, gold = fares_of(state), purse_of(state)
        for place in range(num_crossroads(land)):
            if entry(land, fares + place) <= gold and not has_figure(state, place):
                out[count] = LEGION + hexes + place
                count += 1
    return count


assert _STARTS[4] - _STARTS[3] == NUM_CITIES
