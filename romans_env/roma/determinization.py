"""Determinizations: complete records sampled from a seat's private view (ROMA 9, 10.3)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.random_stream import below
from romans_env.engine.state_fields import Records
from romans_env.roma.actions import has_choice
from romans_env.roma.game_flow import open_decision
from romans_env.roma.knowledge import is_aside_open, num_hidden
from romans_env.roma.material import COPIES, DECK_SIZE, NONE, NUM_CARDS, NUM_DISCS, NUM_SEATS, UNKNOWN
from romans_env.roma.state import FIRST_DECISION, PHASE_OVER, State


@jitted
def determinize(states: Records[State], view, target, viewer, streams, row):
    """Sample a determinization of ``states[view]`` into ``states[target]``.

    The rival's hidden cards are its `known` ones and a sample of the other cards that the viewer cannot see: all
    arrangements of the single cards over the pile and the hidden places (hand, put aside, face-down discs) are equally
    likely. If the rival is to act, arrangements that leave it a single legal action are rejected and drawn again,
    because it would not have been asked (ROMA 2.4).

    Args:
        states: STATE, shape ``(n,)``; ``states[view]`` is redacted for the viewer.
        view: index of the redacted record.
        target: index of the record to overwrite, different from ``view``.
        viewer: the seat whose private view it is.
        streams: random streams, int64, shape ``(rows, 4)``.
        row: the stream to draw from.
    """
    states[target] = states[view]
    seen, state = states[view], states[target]
    cards = np.empty(DECK_SIZE, dtype=np.int64)
    hidden = num_hidden(seen, 1 - viewer)
    is_asked = seen.seat != viewer and FIRST_DECISION <= seen.phase < PHASE_OVER
    while True:
        # Each attempt lists the cards anew: the known ones must come first, so that they stay among the hidden ones.
        num_unseen = list_unseen(seen, viewer, cards)
        shuffle(cards, np.int64(seen.known_size[1 - viewer]), hidden, num_unseen, streams, row)
        shuffle(cards, np.int64(0), hidden, hidden, streams, row)
        place(seen, state, viewer, cards, hidden, num_unseen)
        if not is_asked:
            break
        open_decision(state)
        if has_choice(state):
            break


@inlined
def list_unseen(view, viewer, cards):
    """Write the cards that the viewer cannot see into ``cards``, the rival's known ones first; return their number."""
    rival = 1 - viewer
    n = np.int64(0)
    for kind in range(NUM_CARDS):
        for _ in range(view.known[rival, kind]):
            cards[n] = kind
            n += 1
    for kind in range(NUM_CARDS):
        unseen = COPIES[kind] - view.known[rival, kind] - view.discard[kind] - view.hand[viewer, kind]
        for seat in range(NUM_SEATS):
            unseen -= view.aside[seat, kind]
            for disc in range(NUM_DISCS):
                unseen -= np.int64(view.discs[seat, disc] == kind)
        for _ in range(unseen):
            cards[n] = kind
            n += 1
    return n


@inlined
def shuffle(cards, first, last, end, streams, i):
    """Fill ``cards[first:last]`` with cards drawn without replacement from ``cards[first:end]``."""
    for here in range(first, last):
        there = here + np.int64(below(streams, i, end - here))
        kind = cards[here]
        cards[here] = cards[there]
        cards[there] = kind


@inlined
def place(view, state: State, viewer, cards, hidden, num_unseen):
    """Put the first ``hidden`` cards where the rival's hidden cards are, and the rest into the pile.

    The hidden cards are the rival's hand, the cards that it has put aside and those that lie face-down on its discs.
    """
    rival = 1 - viewer
    state.viewer = NONE
    for kind in range(NUM_CARDS):
        state.hand[rival, kind] = 0
        state.pile[kind] = 0
    n = np.int64(0)
    for _ in range(view.hand_size[rival]):
        state.hand[rival, cards[n]] += 1
        n += 1
    if not is_aside_open(view):
        for kind in range(NUM_CARDS):
            state.aside[rival, kind] = 0
        for _ in range(view.aside_size[rival]):
            state.aside[rival, cards[n]] += 1
            n += 1
    for disc in range(NUM_DISCS):
        if view.discs[rival, disc] == UNKNOWN:
            state.discs[rival, disc] = cards[n]
            n += 1
    for k in range(hidden, num_unseen):
        state.pile[cards[k]] += 1
