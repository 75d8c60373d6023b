"""The order of play: which phase follows which, and who is asked (RULES 4.13, 4.14).

`play_phase` and `choose` are the whole rulebook; `romans_env.engine.rule_steps` plays on by them.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.romans_go_home import attack, fort_effects, planning
from romans_env.romans_go_home import state as game_state
from romans_env.romans_go_home.state import State

CHANCE = -2
"""That of `romans_env.core.protocol`."""


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
def open_decision(state: State):
    """Play on, phase by phase, to the next decision, and put its legal actions into the record; none at the end."""
    legal = np.int64(0)
    while legal == 0 and state.phase != game_state.PHASE_GAME_OVER:
        legal = play_phase(state)
    state.legal = legal


@inlined
def begin(state: State):
    """Go up to the deal, which is all chance of a game."""
    state.seat = CHANCE


@inlined
def answer(state: State, outcome):
    """Start the game whose deal is in the record."""
    planning.start_game(state)


@inlined
def current_player(state: State):
    """Return the seat that decides, or GAME_OVER or CHANCE of `romans_env.core.protocol`."""
    return np.int64(state.seat)


@inlined
def num_players(state: State):
    """Return how many play."""
    return state.num_players
