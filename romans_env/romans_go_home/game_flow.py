"""The order of play: which phase follows which, and who is asked (RULES 4.13, 4.14).

`play_phase` and `choose` are the whole rulebook; `apply` plays an action and runs on to the next real choice.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, ir_inlined, jitted
from romans_env.romans_go_home.actions import has_choice, lowest
from romans_env.romans_go_home.attack import (
    choose_axx,
    choose_charm,
    choose_horsie,
    choose_take,
    choose_zvord,
    open_axx,
    open_charm,
    open_horsie,
    open_take,
    open_zvord,
    resolve_capture,
    reveal,
)
from romans_env.romans_go_home.fort_effects import (
    choose_signal,
    choose_tax,
    choose_unwary,
    end_turn,
    open_signal,
    open_tax,
    open_unwary,
)
from romans_env.romans_go_home.planning import choose_discard, choose_place, open_discard, open_place, start_game
from romans_env.romans_go_home.state import (
    PHASE_AXX,
    PHASE_CAPTURE,
    PHASE_CHARM,
    PHASE_DISCARD,
    PHASE_GAME_OVER,
    PHASE_HORSIE,
    PHASE_PLACE,
    PHASE_REVEAL,
    PHASE_SIGNAL,
    PHASE_TAKE,
    PHASE_TAX,
    PHASE_TURN_END,
    PHASE_UNWARY,
    PHASE_ZVORD,
)


@inlined
def play_phase(state):
    """Play the current phase as far as it goes without a decision.

    Returns:
        The legal actions of the seat that must decide, as a bit set; empty when the phase is done.
    """
    legal = np.int64(0)
    phase = state.phase
    if phase == PHASE_DISCARD:
        legal = open_discard(state)
    elif phase == PHASE_PLACE:
        legal = open_place(state)
    elif phase == PHASE_REVEAL:
        reveal(state)
    elif phase == PHASE_CHARM:
        legal = open_charm(state)
    elif phase == PHASE_CAPTURE:
        resolve_capture(state)
    elif phase == PHASE_TAKE:
        legal = open_take(state)
    elif phase == PHASE_AXX:
        legal = open_axx(state)
    elif phase == PHASE_HORSIE:
        legal = open_horsie(state)
    elif phase == PHASE_ZVORD:
        legal = open_zvord(state)
    elif phase == PHASE_UNWARY:
        legal = open_unwary(state)
    elif phase == PHASE_SIGNAL:
        legal = open_signal(state)
    elif phase == PHASE_TAX:
        legal = open_tax(state)
    elif phase == PHASE_TURN_END:
        end_turn(state)
    return legal


@inlined
def choose(state, action):
    """Do what the deciding seat chose; the action must be legal."""
    phase = state.phase
    if phase == PHASE_DISCARD:
        choose_discard(state, action)
    elif phase == PHASE_PLACE:
        choose_place(state, action)
    elif phase == PHASE_CHARM:
        choose_charm(state, action)
    elif phase == PHASE_TAKE:
        choose_take(state, action)
    elif phase == PHASE_AXX:
        choose_axx(state, action)
    elif phase == PHASE_HORSIE:
        choose_horsie(state, action)
    elif phase == PHASE_ZVORD:
        choose_zvord(state, action)
    elif phase == PHASE_UNWARY:
        choose_unwary(state, action)
    elif phase == PHASE_SIGNAL:
        choose_signal(state, action)
    elif phase == PHASE_TAX:
        choose_tax(state, action)


@inlined
def run_turn(state):
    """Play on to the next decision with two or more legal actions (RULES 4.14), or to the end of the turn.

    The phases stand in the order in which a round passes through them, so that one pass plays a turn: the compiler then
    sees which phase follows, where a loop over `play_phase` would look the phase up every time.

    Returns:
        The legal actions, as a bit set; empty when nobody has to decide any more in the turn.
    """
    while state.phase == PHASE_DISCARD:
        legal = open_discard(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            choose_discard(state, lowest(legal))
    while state.phase == PHASE_PLACE:
        legal = open_place(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            choose_place(state, lowest(legal))
    if state.phase == PHASE_REVEAL:
        reveal(state)
    while state.phase == PHASE_CHARM:
        legal = open_charm(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            choose_charm(state, lowest(legal))
    if state.phase == PHASE_CAPTURE:
        resolve_capture(state)
    while state.phase == PHASE_TAKE:
        legal = open_take(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            choose_take(state, lowest(legal))
    while state.phase == PHASE_AXX:
        legal = open_axx(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            choose_axx(state, lowest(legal))
    while state.phase == PHASE_HORSIE:
        legal = open_horsie(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            choose_horsie(state, lowest(legal))
    while state.phase == PHASE_ZVORD:
        legal = open_zvord(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            choose_zvord(state, lowest(legal))
    while state.phase == PHASE_UNWARY:
        legal = open_unwary(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            choose_unwary(state, lowest(legal))
    while state.phase == PHASE_SIGNAL:
        legal = open_signal(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            choose_signal(state, lowest(legal))
    while state.phase == PHASE_TAX:
        legal = open_tax(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            choose_tax(state, lowest(legal))
    if state.phase == PHASE_TURN_END:
        end_turn(state)
    return np.int64(0)


@jitted
def run_to_choice(state):
    """Play on to the next decision with two or more legal actions, or to the end of the game."""
    legal = np.int64(0)
    while legal == 0 and state.phase != PHASE_GAME_OVER:
        legal = run_turn(state)
    state.legal = legal


@jitted
def apply(state, action):
    """Play one action, which must be legal, and run on."""
    choose(state, action)
    run_to_choice(state)


@ir_inlined
def begin(state):
    """Start a game whose deal is in the record, and run to its first decision."""
    start_game(state)
    run_to_choice(state)


@inlined
def comes_next(state):
    """Return the seat that decides, or GAME_OVER or CHANCE of `romans_env.protocol`."""
    return np.int64(state.seat)
