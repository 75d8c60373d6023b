"""Plans: the line for the slots of the wall and, after it, the warrior set aside (RULES 3.1).

A plan is an array of seven kinds of warriors: those of the line by slot, then the one set aside, ``order[line_size]``.
(On a small table the rest is not used.) Cards that are to be arranged from some slot on are kept likewise: the slots
first, then what is left over.
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
"""The value of a warrior in a fight for a fort, by kind: strength, and what its effect adds."""


@inlined
def gather(state: State, seat, cards, first, laid):
    """Write the deciding seat's cards of this plan, those laid from ``first`` on, then its hand; return how many."""
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
    """Play a plan of the deciding seat to its end, from wherever in it the seat stands.

    Its cards begin with that of slot ``first``.
    """
    if state.phase == PHASE_DISCARD:
        apply(state, DISCARD + order[state.line_size])
    while state.phase == PHASE_PLACE and state.seat == seat:
        apply(state, PLACE + order[state.slot - first])


@inlined
def match(cards, num_cards, ratings, values, first, num_slots):
    """Arrange ``cards`` in place: the best-rated into the slot of the highest value, and so on.

    One left over is the worst. Among equals stronger kinds come first, and slots further left.

    Args:
        cards: arranged.
        num_cards: how many of them count.
        ratings: of the cards, in their order; sorted with them.
        values: by slot.
        first: the first slot.
        num_slots: how many slots.
    """
    for a in range(num_cards):
        for b in range(a + 1, num_cards):
            if ratings[b] > ratings[a] or (ratings[b] == ratings[a] and cards[b] > cards[a]):
                ratings[a], ratings[b] = ratings[b], ratings[a]
                cards[a], cards[b] = cards[b], cards[a]
    for a in range(num_slots):
        # The card for slot a is the one whose rank is that of the slot; those before it have been taken out.
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
    """`match` by printed strength, but Filchy, who captures nothing (RULES 4.4), is for the slot of the lowest value.

    Where a warrior is left over it is the weakest of the others.
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
    """Stronger warriors to more valuable forts."""
    values = np.empty(LINE_SIZE)
    for slot in range(first, state.line_size):
        values[slot] = fort_value(state, seat, state.wall[slot])
    match_by_strength(cards, num_cards, values, first, state.line_size - first)


@inlined
def sample_index(weights, streams, i):
    """Draw an index in proportion to the weights."""
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
    """Draw a number around 0 with standard deviation 1, never beyond 3."""
    return (uniform(streams, i) + uniform(streams, i) + uniform(streams, i) - 1.5) * 2.0


@jitted
def arrange_loosely(state: State, seat, cards, num_cards, first, streams, i):
    """Better warriors to better forts, both judged with errors: how somebody may well plan."""
    ratings = np.empty(HAND_SIZE)
    values = np.empty(LINE_SIZE)
    for k in range(num_cards):
        ratings[k] = RATINGS[cards[k]] + 1.5 * noise(streams, i)
    for slot in range(first, state.line_size):
        values[slot] = fort_value(state, seat, state.wall[slot]) + 1.5 * noise(streams, i)
    match(cards, num_cards, ratings, values, first, state.line_size - first)
