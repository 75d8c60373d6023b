"""What a seat may know (STRUGGLE 9.3): everything except its rivals' development cards and the deck.

`hide` turns a record into a redacted record by overwriting everything that one seat may not know. Views, positions
for a seat and determinizations are made from such a record, never from the full state, so they cannot leak.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle.actions import forbid_all
from romans_env.struggle.geography import copies_of_development, land_of
from romans_env.struggle.material import MAX_SEATS, NUM_DEVELOPMENT
from romans_env.struggle.state import State


@inlined
def hide(state: State, viewer):
    """Overwrite everything in the record that the seat ``viewer`` may not know."""
    for kind in range(NUM_DEVELOPMENT):
        state.deck[kind] = 0
    for seat in range(MAX_SEATS):
        if seat != viewer:
            for kind in range(NUM_DEVELOPMENT):
                state.development[seat, kind] = 0
    # A rival's legal actions depend on its hidden cards.
    if state.seat != viewer:
        forbid_all(state)
    state.viewer = viewer


@inlined
def num_unseen(view, viewer, kind):
    """Return the number of development cards of a kind that the viewer does not see."""
    unseen = copies_of_development(land_of(view), kind) - np.int64(view.development[viewer, kind])
    for seat in range(view.num_players):
        unseen -= view.played[seat, kind]
    return unseen
