"""The worth of a hand of cards and gold, if it is spent on the best purchases.

All trades, exchanges, purchases and rests are scored by it (STRUGGLE 5.1 to 5.3).
"""

from __future__ import annotations

import numpy as np

from romans_agents.struggle import styles
from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle.material import CATTLE, GRAIN, HORSE, NUM_RESOURCES, NUM_TRIBES, ORE, PRICE_OF_CARD, WAGON
from romans_env.struggle.points import num_colours
from romans_env.struggle.state import State

MOST = 3
"""The most armies, and the most wagons, of a plan of purchases."""
_LEVELS = 6
"""Number of army sizes that have different weights."""
_FULL = 4
"""Number of a tribe's cities and wagons together from which on another wagon is worth half (STRUGGLE 7.1)."""
_ARMIES, _WAGONS, _CARD, _GOODS, _GOLD, _FALLS = 0, 4, 8, 9, 13, 14
NUM_WORTHS = _FALLS + 16
"""Number of a seat's worths: of 0 to 3 armies, 0 to 3 wagons, a development card, the first card of each kind, and a
gold; then the discounted number of cards for 0 to 15 cards of a kind."""
ONE_ARMY, ONE_CARD = _ARMIES + 1, _CARD
"""Indices of the worths of an army, which is a figure for each tribe, and of a development card."""


@inlined
def worth_of_figure(state: State, seat, tribe, army, w):
    """Return the worth of the next figure for a tribe with ``army`` figures."""
    first = styles.KINGDOM_ARMY if state.kingdom[seat, tribe] != 0 else styles.ARMY
    return w[first + min(max(np.int64(army), np.int64(0)), np.int64(_LEVELS - 1))]


@inlined
def worth_of_wagon(state: State, seat, tribe, wagons, w):
    """Return the worth of the next wagon for a tribe with ``wagons`` wagons."""
    worth = w[styles.WAGON + min(max(np.int64(wagons), np.int64(0)), np.int64(3))]
    if state.kingdom[seat, tribe] != 0:
        worth *= w[styles.WAGONS_KINGDOM]
    elif num_colours(state, seat, tribe) < 2:
        worth *= w[styles.WAGONS_EARLY]
    else:
        worth *= w[styles.WAGONS_LATE]
    if np.int64(state.num_cities[seat, tribe]) + np.int64(wagons) >= _FULL:
        worth *= 0.5
    return worth


@jitted
def write_worths(state: State, seat, w, worths):
    """Write the worths of a seat: float64, shape ``(NUM_WORTHS,)``."""
    worths[_ARMIES] = 0.0
    for k in range(MOST):
        more = 0.0
        for tribe in range(NUM_TRIBES):
            if np.int64(state.reserve[seat, tribe]) > k:
                more += worth_of_figure(state, seat, tribe, np.int64(state.army[seat, tribe]) + k, w)
        worths[_ARMIES + k + 1] = worths[_ARMIES + k] + more
    worths[_WAGONS] = 0.0
    first, second = np.int64(state.wagons[seat, 0]), np.int64(state.wagons[seat, 1])
    for k in range(MOST):
        more = 0.0
        if np.int64(state.reserve[seat, WAGON]) > k:
            one = worth_of_wagon(state, seat, 0, first, w)
            other = worth_of_wagon(state, seat, 1, second, w)
            if one >= other:
                first += 1
                more = one
            else:
                second += 1
                more = other
        worths[_WAGONS + k + 1] = worths[_WAGONS + k] + more
    worths[_CARD] = w[styles.CARD]
    for kind in range(NUM_RESOURCES):
        worths[_GOODS + kind] = w[styles.GOODS + kind]
    worths[_GOLD] = w[styles.GOLD]
    total, next_one = 0.0, 1.0
    for k in range(NUM_WORTHS - _FALLS):
        worths[_FALLS + k] = total
        total += next_one
        next_one *= w[styles.FALLS]


@jitted
def worth_of_goods(worths, goods, may_replace, deck, armies, wagons):
    """Return the worth of goods if they are spent on the best plan of purchases, including the goods left over.

    Args:
        worths: the seat's worths, from `write_worths`: float64, shape ``(NUM_WORTHS,)``.
        goods: grain, ore, cattle, horses, gold: int64, shape ``(5,)``.
        may_replace: whether 3 gold may replace a card.
        deck: the number of development cards that can be drawn.
        armies: the number of armies bought since the worths were written.
        wagons: the number of wagons bought since the worths were written.
    """
    best = -1e9
    gold = goods[4]
    for replaced in range(-1, NUM_RESOURCES):
        if replaced >= 0 and (not may_replace or gold < PRICE_OF_CARD):
            break
        purse = gold - (PRICE_OF_CARD if replaced >= 0 else 0)
        grain = goods[GRAIN] + (1 if replaced == GRAIN else 0)
        ore = goods[ORE] + (1 if replaced == ORE else 0)
        cattle = goods[CATTLE] + (1 if replaced == CATTLE else 0)
        horse = goods[HORSE] + (1 if replaced == HORSE else 0)
        for army in range(min(ore, horse, MOST - armies) + 1):
            if replaced == ORE and army == 0:
                continue
            for wagon in range(min(grain, horse - army, cattle, MOST - wagons) + 1):
                if (replaced == GRAIN and wagon == 0) or (replaced == HORSE and army + wagon == 0):
                    continue
                for card in range(min(cattle - wagon, purse, deck) + 1):
                    if replaced == CATTLE and wagon + card == 0:
                        continue
                    value = worths[_ARMIES + armies + army] - worths[_ARMIES + armies]
                    value += worths[_WAGONS + wagons + wagon] - worths[_WAGONS + wagons]
                    value += card * worths[_CARD] + (purse - card) * worths[_GOLD]
                    value += left_over(worths, GRAIN, grain - wagon) + left_over(worths, ORE, ore - army)
                    value += left_over(worths, CATTLE, cattle - wagon - card)
                    value += left_over(worths, HORSE, horse - army - wagon)
                    best = max(best, value)
    return best


@inlined
def left_over(worths, kind, count):
    """Return the worth of ``count`` cards of a kind that are not used for purchases."""
    return worths[_GOODS + kind] * worths[_FALLS + min(count, NUM_WORTHS - _FALLS - 1)]


@jitted
def worth_unspent(worths, goods):
    """Return the worth of goods, int64, shape ``(5,)``, if nothing is bought."""
    value = goods[4] * worths[_GOLD]
    for kind in range(NUM_RESOURCES):
        value += left_over(worths, kind, goods[kind])
    return value


@inlined
def write_goods(state: State, seat, goods):
    """Write the goods of a seat, grain, ore, cattle, horses and gold: int64, shape ``(5,)``."""
    for kind in range(NUM_RESOURCES):
        goods[kind] = state.hand[seat, kind]
    goods[NUM_RESOURCES] = state.gold[seat]


@jitted
def hand_of(state: State, seat, w):
    """Return the worths of a seat, float64, shape ``(NUM_WORTHS,)``, and its goods, int64, shape ``(5,)``."""
    worths, goods = np.empty(NUM_WORTHS), np.empty(NUM_RESOURCES + 1, dtype=np.int64)
    write_worths(state, seat, w, worths)
    write_goods(state, seat, goods)
    return worths, goods
