"""The order of play: which phase follows which, and who is asked (RULES 4.13, 4.14).

`play_phase` and `choose` are the whole rulebook; `apply` plays an action and runs on to the next real choice.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, ir_inlined, jitted
from romans_env.romans_go_home import attack, fort_effects, planning
from romans_env.romans_go_home import state as game_state
from romans_env.romans_go_home.actions import has_choice, lowest
from romans_env.romans_go_home.state import State


@inlined
def play_phase(state: State):
    """Play the current phase as far as it goes without a decision.

    Returns:
        The legal actions of the seat that must decide, as a bit set; empty when the phase is done.
    """
    legal = np.int64(0)
    phase = state.phase
    if phase == game_state.PHASE_DISCARD:
        legal = planning.open_discard(state)
    elif phase == game_state.PHASE_PLACE:
        legal = planning.open_place(state)
    elif phase == game_state.PHASE_REVEAL:
        attack.reveal(state)
    elif phase == game_state.PHASE_CHARM:
        legal = attack.open_charm(state)
    elif phase == game_state.PHASE_CAPTURE:
        attack.resolve_capture(state)
    elif phase == game_state.PHASE_TAKE:
        legal = attack.open_take(state)
    elif phase == game_state.PHASE_AXX:
        legal = attack.open_axx(state)
    elif phase == game_state.PHASE_HORSIE:
        legal = attack.open_horsie(state)
    elif phase == game_state.PHASE_ZVORD:
        legal = attack.open_zvord(state)
    elif phase == game_state.PHASE_UNWARY:
        legal = fort_effects.open_unwary(state)
    elif phase == game_state.PHASE_SIGNAL:
        legal = fort_effects.open_signal(state)
    elif phase == game_state.PHASE_TAX:
        legal = fort_effects.open_tax(state)
    elif phase == game_state.PHASE_TURN_END:
        fort_effects.end_turn(state)
    return legal


@inlined
def choose(state: State, action):
    """Do what the deciding seat chose; the action must be legal."""
    phase = state.phase
    if phase == game_state.PHASE_DISCARD:
        planning.choose_discard(state, action)
    elif phase == game_state.PHASE_PLACE:
        planning.choose_place(state, action)
    elif phase == game_state.PHASE_CHARM:
        attack.choose_charm(state, action)
    elif phase == game_state.PHASE_TAKE:
        attack.choose_take(state, action)
    elif phase == game_state.PHASE_AXX:
        attack.choose_axx(state, action)
    elif phase == game_state.PHASE_HORSIE:
        attack.choose_lose(state, action)
    elif phase == game_state.PHASE_ZVORD:
        attack.choose_zvord(state, action)
    elif phase == game_state.PHASE_UNWARY:
        fort_effects.choose_unwary(state, action)
    elif phase == game_state.PHASE_SIGNAL:
        attack.choose_lose(state, action)
    elif phase == game_state.PHASE_TAX:
        fort_effects.choose_tax(state, action)


@inlined
def run_turn(state: State):
    """Play on to the next decision with two or more legal actions (RULES 4.14), or to the end of the turn.

    The phases stand in the order in which a round passes through them, so that one pass plays a turn: the compiler then
    sees which phase follows, where a loop over `play_phase` would look the phase up every time.

    Returns:
        The legal actions, as a bit set; empty when nobody has to decide any more in the turn.
    """
    while state.phase == game_state.PHASE_DISCARD:
        legal = planning.open_discard(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            planning.choose_discard(state, lowest(legal))
    while state.phase == game_state.PHASE_PLACE:
        legal = planning.open_place(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            planning.choose_place(state, lowest(legal))
    if state.phase == game_state.PHASE_REVEAL:
        attack.reveal(state)
    while state.phase == game_state.PHASE_CHARM:
        legal = attack.open_charm(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            attack.choose_charm(state, lowest(legal))
    if state.phase == game_state.PHASE_CAPTURE:
        attack.resolve_capture(state)
    while state.phase == game_state.PHASE_TAKE:
        legal = attack.open_take(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            attack.choose_take(state, lowest(legal))
    while state.phase == game_state.PHASE_AXX:
        legal = attack.open_axx(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            attack.choose_axx(state, lowest(legal))
    while state.phase == game_state.PHASE_HORSIE:
        legal = attack.open_horsie(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            attack.choose_lose(state, lowest(legal))
    while state.phase == game_state.PHASE_ZVORD:
        legal = attack.open_zvord(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            attack.choose_zvord(state, lowest(legal))
    while state.phase == game_state.PHASE_UNWARY:
        legal = fort_effects.open_unwary(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            fort_effects.choose_unwary(state, lowest(legal))
    while state.phase == game_state.PHASE_SIGNAL:
        legal = fort_effects.open_signal(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            attack.choose_lose(state, lowest(legal))
    while state.phase == game_state.PHASE_TAX:
        legal = fort_effects.open_tax(state)
        if has_choice(legal):
            return legal
        if legal != 0:
            fort_effects.choose_tax(state, lowest(legal))
    if state.phase == game_state.PHASE_TURN_END:
        fort_effects.end_turn(state)
    return np.int64(0)


@jitted
def run_to_choice(state: State):
    """Play on to the next decision with two or more legal actions, or to the end of the game."""
    legal = np.int64(0)
    while legal == 0 and state.phase != game_state.PHASE_GAME_OVER:
        legal = run_turn(state)
    state.legal = legal


@jitted
def apply(state: State, action):
    """Play one action, which must be legal, and run on."""
    choose(state, action)
    run_to_choice(state)


@ir_inlined
def begin(state: State):
    """Start a game whose deal is in the record, and run to its first decision."""
    planning.start_game(state)
    run_to_choice(state)


@inlined
def comes_next(state: State):
    """Return the seat that decides, or GAME_OVER or CHANCE of `romans_env.core.protocol`."""
    return np.int64(state.seat)
