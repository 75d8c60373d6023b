"""Neutral clans (RULES 6): the choices they make by rule."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined
from romans_env.romans_go_home.actions import lowest
from romans_env.romans_go_home.material import NONE, NUM_FORTS, POINTS
from romans_env.romans_go_home.state import State


@inlined
def is_neutral(state: State, seat):
    """Return whether a seat belongs to a neutral clan; neutral seats come after the players (RULES 1.3)."""
    return seat >= state.num_players


@inlined
def weakest_action(legal):
    """Return the action that loses the weakest warrior; kinds, and so actions, ascend by strength (RULES 6.2)."""
    return lowest(legal)


@inlined
def lowest_fort(state: State, seat, spared):
    """Return a clan's lowest-valued fort (RULES 6.3).

    One copy of ``spared`` does not count, unless it is the clan's only fort.
    """
    lowest_found = NONE
    for fort in range(NUM_FORTS):
        copies = state.forts[seat, fort] - (1 if fort == spared else 0)
        if copies > 0 and (lowest_found == NONE or POINTS[fort] < POINTS[lowest_found]):
            lowest_found = fort
    return spared if lowest_found == NONE else lowest_found
