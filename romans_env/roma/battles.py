"""Battles (ROMA 5.6), for legionarius (6.7), velites (6.13), centurio (6.16) and onager (6.22)."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined
from romans_env.roma.actions import DIE, STOP, allow
from romans_env.roma.general import defence, discard_from, finish_effect, use_die
from romans_env.roma.material import CENTURIO, NUM_FACES
from romans_env.roma.state import PHASE_BATTLE, PHASE_DIE, State


@inlined
def begin_battle(state: State, disc):
    """Begin a battle against the card on the rival's disc; the battle die is the next chance event (ROMA 5.6)."""
    state.target = disc
    state.phase = PHASE_BATTLE


@inlined
def end_battle(state: State, score):
    """Resolve a battle by the die's score (ROMA 5.6); a centurio that falls short may add an action die (6.16)."""
    state.battles += 1
    if score >= defence(state, state.target):
        discard_from(state, 1 - state.seat, state.target)
        finish_effect(state)
    elif state.effect == CENTURIO:
        state.value = score
        state.phase = PHASE_DIE
    else:
        finish_effect(state)


@inlined
def open_centurio_die(state: State):
    """Allow any unused die that wins the battle, and `stop` (ROMA 6.16)."""
    lacking = defence(state, state.target) - state.value
    for face in range(NUM_FACES):
        if state.dice[face] > 0 and face + 1 >= lacking:
            allow(state, DIE + face)
    allow(state, STOP)


@inlined
def choose_centurio_die(state: State, action):
    """Use the chosen die to discard the attacked card, or stop (ROMA 6.16)."""
    if action != STOP:
        use_die(state, action - DIE)
        discard_from(state, 1 - state.seat, state.target)
    finish_effect(state)
