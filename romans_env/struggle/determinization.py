"""Determinizations: complete records sampled from a seat's private view (STRUGGLE 9.3)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.random_stream import below
from romans_env.engine.state_fields import Records
from romans_env.struggle.game_flow import open_decision
from romans_env.struggle.knowledge import num_unseen
from romans_env.struggle.material import NONE, NUM_DEVELOPMENT
from romans_env.struggle.state import FIRST_DECISION, STAGE_OVER, State


@jitted
def determinize(states: Records[State], view, target, viewer, streams, row):
    """Sample a determinization of ``states[view]`` into ``states[target]``.

    The development cards that the viewer does not see are dealt to the rivals' hands, by their sizes, and to the deck;
    all arrangements of the single cards are equally likely. The pending decision stays, with the legal actions that the
    dealt cards allow.

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
    state.viewer = NONE
    left = np.int64(0)
    for kind in range(NUM_DEVELOPMENT):
        state.deck[kind] = num_unseen(seen, viewer, kind)
        left += state.deck[kind]
    for seat in range(seen.num_players):
        if seat != viewer:
            for kind in range(NUM_DEVELOPMENT):
                state.development[seat, kind] = 0
            for _ in range(seen.development_size[seat]):
                kind = draw_unseen(state, below(streams, row, left))
                left -= 1
                state.deck[kind] -= 1
                state.development[seat, kind] += 1
    if seen.seat != viewer and FIRST_DECISION <= seen.stage < STAGE_OVER:
        open_decision(state)


@inlined
def draw_unseen(state: State, n):
    """Return the kind of the n-th development card not dealt yet, counted from 0."""
    kind = np.int64(0)
    while n >= state.deck[kind]:
        n -= state.deck[kind]
        kind += 1
    return kind
