"""Plans: the warriors laid at the slots of the wall, followed by the warrior set aside (RULES 3.1).

A plan is an integer array, shape ``(7,)``, of kinds of warriors: the line by slot, then the warrior set aside at index
``line_size`` (further entries are unused on small tables). Cards that are arranged from a later slot on have the same
form: those for the slots first, then the card left over.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.heuristic_value import fort_value
from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.random_stream import uniform
from romans_env.romans_go_home.actions import DISCARD, PLACE
from romans_env.romans_go_home.material import FILCHY, HAND_SIZE, LINE_SIZE, NUM_WARRIORS, STRENGTH
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, State
from romans_env.romans_go_home.step import apply

RATINGS = np.array([4.5, 4.0, 3.5, 5.0, 5.5, 2.0, 6.5, 9.0])
"""The value of each kind of warrior in a fight for a fort: its strength plus the value of its effect."""


@inlined
def gather(state: State, seat, cards, first, laid):
    """Write the cards of the planning seat: those in slots ``first`` to ``laid - 1``, then its hand.

    Args:
        state: the record.
        seat: the planning seat.
        cards: written: int64, shape ``(HAND_SIZE,)``.
        first: the first slot.
        laid: the first slot that is still empty.

    Returns:
        The number of cards.
    """
    count = 0
    for slot in range(first, laid):
        cards[count] = state.line[seat, slot]
        count += 1
    for warrior in range(NUM_WARRIORS):
        for _ in range(state.hand[seat, warrior]):
            cards[count] = warrior
            count += 1
    return count


@inlined
def lay_plan(state: State, seat, order, first):
    """Play the remaining actions of the planning seat's plan; ``order[0]`` is the card of slot ``first``."""
    if state.phase == PHASE_DISCARD:
        apply(state, DISCARD + order[state.line_size])
    while state.phase == PHASE_PLACE and state.seat == seat:
        apply(state, PLACE + order[state.slot - first])


@inlined
def match(cards, num_cards, ratings, values, first, num_slots):
    """Arrange cards in place by rank: the card with the best rating goes to the slot with the highest value, and so on.

    A card left over is the worst. Ties go to stronger kinds and to slots further left.

    Args:
        cards: the cards, int64, shape ``(num_cards,)`` or longer; arranged in place.
        num_cards: the number of cards.
        ratings: the ratings of the cards, in the same order, float64; sorted in place.
        values: the values of the slots, indexed by slot, float64.
        first: the first slot.
        num_slots: the number of slots.
    """
    for a in range(num_cards):
        for b in range(a + 1, num_cards):
            if ratings[b] > ratings[a] or (ratings[b] == ratings[a] and cards[b] > cards[a]):
                ratings[a], ratings[b] = ratings[b], ratings[a]
                cards[a], cards[b] = cards[b], cards[a]
    for a in range(num_slots):
        # The slot gets the card of its rank among the remaining slots and cards.
        rank = 0
        for b in range(a + 1, num_slots):
            if values[first + b] > values[first + a]:
                rank += 1
        card = cards[a + rank]
        for k in range(a + rank, a, -1):
            cards[k] = cards[k - 1]
        cards[a] = card


@inlined
def match_by_strength(cards, num_cards, values, first, num_slots):
    """Arrange cards by `match` with their printed strengths as ratings.

    Filchy, who cannot capture (RULES 4.4), goes to the slot with the lowest value. A warrior left over is the weakest
    of the others.
    """
    ratings = np.empty(HAND_SIZE)
    weakest = 0
    for k in range(num_cards):
        ratings[k] = 0.5 if cards[k] == FILCHY else float(STRENGTH[cards[k]])
        if cards[weakest] == FILCHY or (cards[k] != FILCHY and cards[k] < cards[weakest]):
            weakest = k
    if num_cards > num_slots:
        ratings[weakest] = 0.0
    match(cards, num_cards, ratings, values, first, num_slots)


@inlined
def match_by_value(state: State, seat, cards, num_cards, first):
    """Arrange cards in place, with stronger warriors on more valuable forts."""
    values = np.empty(LINE_SIZE)
    for slot in range(first, state.line_size):
        values[slot] = fort_value(state, seat, state.wall[slot])
    match_by_strength(cards, num_cards, values, first, state.line_size - first)


@inlined
def sample_index(weights, streams, i):
    """Draw an index with probability proportional to its weight; weights are float64, shape ``(n,)``, at least 0."""
    rest = uniform(streams, i) * weights.sum()
    chosen = np.int64(0)
    for k in range(weights.shape[0]):
        if weights[k] > 0.0:
            chosen = np.int64(k)
            rest -= weights[k]
            if rest < 0.0:
                break
    return chosen


@inlined
def noise(streams, i):
    """Draw a random number with mean 0 and standard deviation 1, between -3 and 3."""
    return (uniform(streams, i) + uniform(streams, i) + uniform(streams, i) - 1.5) * 2.0


@jitted
def arrange_loosely(state: State, seat, cards, num_cards, first, streams, i):
    """Arrange cards in place as a plausible player might: better warriors on better forts, with errors in both ratings.

    Args:
        state: the record.
        seat: the planning seat.
        cards: the cards, int64, shape ``(num_cards,)`` or longer.
        num_cards: the number of cards.
        first: the first slot.
        streams: random streams, int64, shape ``(k, 4)``; row ``i`` is advanced.
        i: the row of the stream.
    """
    ratings = np.empty(HAND_SIZE)
    values = np.empty(LINE_SIZE)
    for k in range(num_cards):
        ratings[k] = RATINGS[cards[k]] + 1.5 * noise(streams, i)
    for slot in range(first, state.line_size):
        values[slot] = fort_value(state, seat, state.wall[slot]) + 1.5 * noise(streams, i)
    match(cards, num_cards, ratings, values, first, state.line_size - first)
