"""The order of play: which phase follows which, and which seat acts (RULES 4.13, 4.14).

`play_phase` and `choose` dispatch to all the rules; `romans_env.engine.rule_steps` runs a game with them.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.romans_go_home import attack, fort_effects, planning
from romans_env.romans_go_home import state as game_state
from romans_env.romans_go_home.state import State

CHANCE = -2
"""Same value as in `romans_env.core.protocol`."""


@inlined
def play_phase(state: State):
    """Play the current phase until it asks for a decision or is done.

    Returns:
        The legal actions of the seat to act as a bit set, int64; 0 if the phase is done.
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
    """Play the action that the seat to act chose; it must be legal."""
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
    """Play phase by phase to the next decision and write its legal actions into the record; none if the game ends."""
    legal = np.int64(0)
    while legal == 0 and state.phase != game_state.PHASE_GAME_OVER:
        legal = play_phase(state)
    state.legal = legal


@inlined
def begin(state: State):
    """Prepare the record for the deal, the only chance event of a game."""
    state.seat = CHANCE


@inlined
def answer(state: State, outcome):
    """Start the game with the deal in the record."""
    planning.start_game(state)


@inlined
def current_player(state: State):
    """Return the seat to act, or GAME_OVER or CHANCE of `romans_env.core.protocol`."""
    return np.int64(state.seat)


@inlined
def num_players(state: State):
    """Return the number of players."""
    return state.num_players
