"""Scores of building, exchange and trade (STRUGGLE 5.1, 5.2): the change in the worth of the hand."""

from __future__ import annotations

import numpy as np

from romans_agents.struggle import purchases, styles
from romans_agents.struggle.tribe_turns import worth_of_a_pasture_card
from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle import material
from romans_env.struggle.actions import ACCEPT, ARMY, CARD, OFFER, PLAY_DIPLOMACY, PLAY_TREASURE, WAGONS
from romans_env.struggle.general import holds
from romans_env.struggle.material import CATTLE, GOLD, GRAIN, HORSE, ORE, PRICE_OF_CARD
from romans_env.struggle.state import State
from romans_env.struggle.trade import ASKED, NUM_ASKED, NUM_OFFERED, OFFERED

_PASTURE = material.NUM_BANK
_SPENT = np.array([GRAIN, GRAIN, ORE, ORE, CATTLE, CATTLE, CATTLE, HORSE, HORSE, HORSE], dtype=np.int64)
_GOT = np.array([ORE, _PASTURE, GRAIN, _PASTURE, GRAIN, ORE, _PASTURE, GRAIN, ORE, _PASTURE], dtype=np.int64)
"""The resources spent and received by the `bank` actions, in the order of their ids (STRUGGLE 8.2)."""
_ARMY_CARDS = np.array([ORE, HORSE], dtype=np.int64)
_WAGON_CARDS = np.array([HORSE, GRAIN, CATTLE], dtype=np.int64)
_CARD_CARDS = np.array([CATTLE], dtype=np.int64)
_WIDTH_OF_WAGON = 1 + len(_WAGON_CARDS)
_POINTS_OF_A_LEADER = 8
"""The scripted agents do not trade with an opponent that has at least this many points."""


@inlined
def take_price(goods, cards, choice):
    """Subtract a price from goods, int64, shape ``(5,)``: all its cards, or 3 gold instead of card ``choice - 1``."""
    for k in range(len(cards)):
        if choice == k + 1:
            goods[GOLD] -= PRICE_OF_CARD
        else:
            goods[cards[k]] -= 1


@jitted
def write_build_scores(state: State, w, actions, count, scores):
    """Write the scores of the legal actions of `build`; an action of the best plan of purchases has score 0.

    Args:
        state: the record.
        w: the weights of a style, float64.
        actions: ids of the legal actions, int64, shape ``(count,)`` or longer.
        count: the number of legal actions.
        scores: written, in resource cards: float64, shape ``(count,)`` or longer.
    """
    seat = np.int64(state.active)
    worths = np.empty((material.MAX_SEATS, purchases.NUM_WORTHS))
    goods = np.empty((material.MAX_SEATS, material.NUM_RESOURCES + 1), dtype=np.int64)
    now = np.empty(material.MAX_SEATS)
    deck = np.int64(state.deck_size)
    knows_rivals = False
    purchases.write_worths(state, seat, w, worths[seat])
    purchases.write_goods(state, seat, goods[seat])
    may_replace = state.substituted[seat] == 0
    own = goods[seat]
    now[seat] = purchases.worth_of_goods(worths[seat], own, may_replace, deck, 0, 0)
    for k in range(count):
        action = actions[k]
        if action < ARMY:
            after = worth_of_exchange(state, worths[seat], own, may_replace, action)
            scores[k] = after - now[seat] - w[styles.BANK_GAIN]
        elif action < WAGONS:
            choice = action - ARMY
            take_price(own, _ARMY_CARDS, choice)
            after = purchases.worth_of_goods(worths[seat], own, may_replace and choice == 0, deck, 1, 0)
            scores[k] = worths[seat, purchases.ONE_ARMY] + after - now[seat]
            purchases.write_goods(state, seat, own)
        elif action < CARD:
            tribe, choice = (action - WAGONS) // _WIDTH_OF_WAGON, (action - WAGONS) % _WIDTH_OF_WAGON
            take_price(own, _WAGON_CARDS, choice)
            after = purchases.worth_of_goods(worths[seat], own, may_replace and choice == 0, deck, 0, 1)
            bought = purchases.worth_of_wagon(state, seat, tribe, np.int64(state.wagons[seat, tribe]), w)
            scores[k] = bought + after - now[seat]
            purchases.write_goods(state, seat, own)
        elif action < OFFER:
            choice = action - CARD
            take_price(own, _CARD_CARDS, choice)
            own[GOLD] -= 1
            after = purchases.worth_of_goods(worths[seat], own, may_replace and choice == 0, deck - 1, 0, 0)
            scores[k] = worths[seat, purchases.ONE_CARD] + after - now[seat]
            purchases.write_goods(state, seat, own)
        elif action < ACCEPT:
            offer = action - OFFER
            gain = gain_of_trade(worths[seat], own, now[seat], may_replace, deck, offer, False)
            if gain > w[styles.OFFER_GAIN] and not knows_rivals:
                knows_rivals = True
                for rival in range(state.num_players):
                    if rival != seat:
                        purchases.write_worths(state, rival, w, worths[rival])
                        purchases.write_goods(state, rival, goods[rival])
                        now[rival] = purchases.worth_of_goods(worths[rival], goods[rival], True, deck, 0, 0)
            scores[k] = min(gain, 0.0) - 1.0
            if gain > w[styles.OFFER_GAIN]:
                for rival in range(state.num_players):
                    if rival != seat and holds(state, rival, ASKED[offer], NUM_ASKED[offer]):
                        theirs = gain_of_trade(worths[rival], goods[rival], now[rival], True, deck, offer, True)
                        if would_accept(state, seat, theirs, gain, w) and may_trade_with(state, rival):
                            scores[k] = max(scores[k], gain - w[styles.OFFER_GAIN] - w[styles.RIVAL] * theirs)
        elif action == PLAY_DIPLOMACY:
            scores[k] = w[styles.PLAY_DIPLOMACY_WORTH]
        elif action == PLAY_TREASURE:
            scores[k] = w[styles.PLAY_TREASURE_WORTH]
        else:
            scores[k] = purchases.worth_unspent(worths[seat], own) - now[seat]


@jitted
def worth_of_exchange(state: State, worths, goods, may_replace, action):
    """Return the worth of goods after an exchange of three cards for one of another kind at the bank."""
    got = _GOT[action]
    goods[_SPENT[action]] -= PRICE_OF_CARD
    if got == _PASTURE:
        value = worth_of_a_pasture_card(state, worths, goods, may_replace)
    else:
        goods[got] += 1
        value = purchases.worth_of_goods(worths, goods, may_replace, np.int64(state.deck_size), 0, 0)
        goods[got] -= 1
    goods[_SPENT[action]] += PRICE_OF_CARD
    return value


@jitted
def gain_of_trade(worths, goods, now, may_replace, deck, offer, is_asked):
    """Return the gain of a trade for a seat.

    Args:
        worths: the seat's worths, from `purchases.write_worths`.
        goods: the seat's goods, int64, shape ``(5,)``.
        now: the worth of the goods before the trade.
        may_replace: whether 3 gold may replace a card.
        deck: the number of development cards that can be drawn.
        offer: the number of the offer.
        is_asked: whether the seat answers the offer; otherwise it makes the offer.
    """
    sign = np.int64(-1 if is_asked else 1)
    goods[OFFERED[offer]] -= sign * NUM_OFFERED[offer]
    goods[ASKED[offer]] += sign * NUM_ASKED[offer]
    value = purchases.worth_of_goods(worths, goods, may_replace, deck, 0, 0)
    goods[OFFERED[offer]] += sign * NUM_OFFERED[offer]
    goods[ASKED[offer]] -= sign * NUM_ASKED[offer]
    return value - now


@inlined
def would_accept(state: State, asker, gain, gain_of_asker, w):
    """Return whether a seat accepts an offer, given its own gain and the gain of the asking seat."""
    return (gain - w[styles.RIVAL] * gain_of_asker > w[styles.LEAST_GAIN]) & may_trade_with(state, asker)


@inlined
def may_trade_with(state: State, rival):
    """Return whether an opponent is far enough from winning to trade with it."""
    return state.points[rival] < _POINTS_OF_A_LEADER


@jitted
def write_answer_scores(state: State, w, actions, count, scores):
    """Write the scores of the legal actions of `answer`: 1 for the better one, 0 for the other.

    Args:
        state: the record.
        w: the weights of a style, float64.
        actions: ids of the legal actions, int64, shape ``(count,)`` or longer.
        count: the number of legal actions.
        scores: written: float64, shape ``(count,)`` or longer.
    """
    seat, asker = np.int64(state.seat), np.int64(state.active)
    offer, deck = np.int64(state.offer), np.int64(state.deck_size)
    worths, goods = purchases.hand_of(state, seat, w)
    now = purchases.worth_of_goods(worths, goods, True, deck, 0, 0)
    gain = gain_of_trade(worths, goods, now, True, deck, offer, True)
    worths, goods = purchases.hand_of(state, asker, w)
    may_replace = state.substituted[asker] == 0
    before = purchases.worth_of_goods(worths, goods, may_replace, deck, 0, 0)
    gain_of_asker = gain_of_trade(worths, goods, before, may_replace, deck, offer, False)
    accepts = would_accept(state, asker, gain, gain_of_asker, w)
    for k in range(count):
        scores[k] = 1.0 if (actions[k] == ACCEPT) == accepts else 0.0
