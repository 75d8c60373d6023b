"""The consul, which makes a die show one more or one less (ROMA 6.6)."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined
from romans_env.roma.actions import DIE, MINUS, PLUS, allow
from romans_env.roma.general import finish_effect
from romans_env.roma.material import NUM_FACES
from romans_env.roma.state import PHASE_SIGN, State


@inlined
def open_consul_die(state: State):
    """Allow any unused die (ROMA 6.6)."""
    for face in range(NUM_FACES):
        if state.dice[face] > 0:
            allow(state, DIE + face)


@inlined
def choose_consul_die(state: State, action):
    """Choose the die to change; `plus` or `minus` is asked next (ROMA 6.6)."""
    state.value = action - DIE + 1
    state.phase = PHASE_SIGN


@inlined
def open_sign(state: State):
    """Allow `plus` for a die below 6 and `minus` for a die above 1 (ROMA 6.6)."""
    if state.value < NUM_FACES:
        allow(state, PLUS)
    if state.value > 1:
        allow(state, MINUS)


@inlined
def choose_sign(state: State, action):
    """Change the die (ROMA 6.6)."""
    face = state.value - 1
    state.dice[face] -= 1
    if action == PLUS:
        state.dice[face + 1] += 1
    else:
        state.dice[face - 1] += 1
    finish_effect(state)
