"""Phase 2 (STRUGGLE 5.1): the bank, armies, wagons and development cards."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle import actions, general
from romans_env.struggle.development import may_play, play_card, play_treasure
from romans_env.struggle.legionnaire import expect_legionnaire
from romans_env.struggle.material import (
    CATTLE,
    DIPLOMACY,
    GRAIN,
    HORSE,
    NONE,
    NUM_BANK,
    NUM_TRIBES,
    ORE,
    PRICE_OF_CARD,
    TREASURE,
    WAGON,
)
from romans_env.struggle.points import award_diplomacy
from romans_env.struggle.rounds import end_turn
from romans_env.struggle.state import STAGE_BANK_PASTURE, STAGE_BUILD, STAGE_BUY_CARD, State
from romans_env.struggle.trade import make_offer, open_offers

_PASTURE = NUM_BANK
"""In the `bank` actions: the number that stands for a pasture card."""
_SPENT = np.array([GRAIN, GRAIN, ORE, ORE, CATTLE, CATTLE, CATTLE, HORSE, HORSE, HORSE], dtype=np.int64)
_GOT = np.array([ORE, _PASTURE, GRAIN, _PASTURE, GRAIN, ORE, _PASTURE, GRAIN, ORE, _PASTURE], dtype=np.int64)
"""The kinds a and b of the `bank` actions."""
_ARMY_CARDS = np.array([ORE, HORSE], dtype=np.int64)
_WAGON_CARDS = np.array([HORSE, GRAIN, CATTLE], dtype=np.int64)
_CARD_CARDS = np.array([CATTLE], dtype=np.int64)
"""The cards of each price, in the order of the actions that replace a card by gold."""
_PRICE_IN_GOLD = 1
"""Gold in the price of a development card."""
_WIDTH_OF_WAGON = 1 + len(_WAGON_CARDS)


@inlined
def open_build(state: State):
    """Add the legal actions of the building phase (STRUGGLE 5.1)."""
    seat = state.active
    for k in range(len(_SPENT)):
        if state.hand[seat, _SPENT[k]] >= PRICE_OF_CARD:
            # Pasture cards that are spent can be drawn again at once. Spent grain and ore do not matter here, because
            # a kind is never exchanged for itself.
            got = _GOT[k]
            left = general.pasture_left(state) + np.int64(_SPENT[k] >= NUM_BANK)
            actions.allow_if(state, actions.BANK + k, left > 0 if got == _PASTURE else state.bank[got] > 0)
    has_figure = np.int64(state.reserve[seat, 0]) + np.int64(state.reserve[seat, 1]) > 0
    open_price(state, actions.ARMY, _ARMY_CARDS, 0, has_figure)
    for tribe in range(NUM_TRIBES):
        open_price(state, actions.WAGONS + _WIDTH_OF_WAGON * tribe, _WAGON_CARDS, 0, state.reserve[seat, WAGON] > 0)
    open_price(state, actions.CARD, _CARD_CARDS, _PRICE_IN_GOLD, state.deck_size > 0)
    open_offers(state)
    actions.allow_if(state, actions.PLAY_DIPLOMACY, may_play(state, DIPLOMACY))
    actions.allow_if(state, actions.PLAY_TREASURE, may_play(state, TREASURE))
    actions.allow(state, actions.END)


@inlined
def open_price(state: State, action, cards, gold, is_there):
    """Allow an action for its price, and its variants that pay 3 gold instead of one card.

    Args:
        state: the record.
        action: the action for the plain price; the variants follow in the order of ``cards``.
        cards: kinds of cards in the price, one of each.
        gold: gold in the price.
        is_there: whether the item is available.
    """
    seat = state.active
    lacking = np.int64(0)
    lacked = np.int64(NONE)
    for k in range(len(cards)):
        if state.hand[seat, cards[k]] == 0:
            lacking += 1
            lacked = np.int64(k)
    purse = np.int64(state.gold[seat])
    actions.allow_if(state, action, is_there & (lacking == 0) & (purse >= gold))
    can_replace = is_there & (state.substituted[seat] == 0) & (purse >= gold + PRICE_OF_CARD)
    for k in range(len(cards)):
        actions.allow_if(state, action + 1 + k, can_replace & ((lacking == 0) | ((lacking == 1) & (lacked == k))))


@inlined
def pay_price(state: State, cards, gold, choice):
    """Pay a price; ``choice`` is 0, or 1 + the index of the card that gold replaces."""
    seat = state.active
    for k in range(len(cards)):
        if choice == k + 1:
            state.gold[seat] -= PRICE_OF_CARD
            state.substituted[seat] = 1
        else:
            general.spend(state, seat, cards[k], 1)
    state.gold[seat] -= gold


@inlined
def choose_build(state: State, action):
    """Play the player's action (STRUGGLE 5.1)."""
    if action < actions.ARMY:
        exchange(state, action - actions.BANK)
    elif action < actions.WAGONS:
        build_army(state, action - actions.ARMY)
    elif action < actions.CARD:
        build_wagon(state, action - actions.WAGONS)
    elif action < actions.OFFER:
        pay_price(state, _CARD_CARDS, _PRICE_IN_GOLD, action - actions.CARD)
        general.expect_development_card(state, STAGE_BUY_CARD)
    elif action < actions.ACCEPT:
        make_offer(state, action - actions.OFFER)
    elif action == actions.PLAY_DIPLOMACY:
        play_card(state, DIPLOMACY)
        award_diplomacy(state, np.int64(state.active))
        expect_legionnaire(state)
    elif action == actions.PLAY_TREASURE:
        play_treasure(state)
    else:
        end_turn(state)


@inlined
def exchange(state: State, k):
    """Exchange three cards of one kind for one of another."""
    general.spend(state, state.active, _SPENT[k], PRICE_OF_CARD)
    if _GOT[k] == _PASTURE:
        general.expect_pasture_card(state, state.active, STAGE_BANK_PASTURE)
    else:
        general.take_from_bank(state, state.active, _GOT[k], 1)


@inlined
def build_army(state: State, choice):
    """Pay for an army: one figure of each kind left in the reserve goes into its tribe's box."""
    pay_price(state, _ARMY_CARDS, 0, choice)
    for tribe in range(NUM_TRIBES):
        if state.reserve[state.active, tribe] > 0:
            general.enlist(state, state.active, tribe)


@inlined
def build_wagon(state: State, choice):
    """Pay for a wagon, which goes into a tribe's box."""
    pay_price(state, _WAGON_CARDS, 0, choice % _WIDTH_OF_WAGON)
    state.reserve[state.active, WAGON] -= 1
    state.wagons[state.active, choice // _WIDTH_OF_WAGON] += 1


@inlined
def add_exchanged_card(state: State, kind):
    """Add the pasture card obtained for three cards to the hand."""
    general.add_pasture_card(state, kind)
    state.stage = STAGE_BUILD


@inlined
def add_bought_card(state: State, kind):
    """Add the bought development card to the hand."""
    general.add_development_card(state, kind)
    state.stage = STAGE_BUILD
