"""Loops over many games at once: attacks played out by scripted players, and the plans of those."""

from __future__ import annotations

import numpy as np

from romans_agents.loops.codes import RANDOM
from romans_agents.romans_go_home.heuristic_value import expected_returns
from romans_agents.romans_go_home.heuristics import tactical_action
from romans_agents.romans_go_home.rounds.compiled.record_loops import lay_everything
from romans_agents.romans_go_home.styles import planned_order
from romans_env.compiling.decorators import cached_jit, inlined, jitted
from romans_env.engine.state_fields import Records
from romans_env.romans_go_home.actions import REORDER
from romans_env.romans_go_home.knowledge import hide
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import PHASE_GAME_OVER, PHASE_ZVORD, State
from romans_env.romans_go_home.step import apply, random_action


@jitted
def lay_anew(agent_code, state: State, seat):
    """Let a scripted player lay its hidden warriors anew (RULES 4.10), all at a stretch."""
    order = np.empty(HAND_SIZE, dtype=np.int64)
    first, turn = np.int64(state.slot), np.int64(state.turn)
    planned_order(agent_code, state, seat, order, turn)
    for slot in range(first, state.line_size):
        if state.phase == PHASE_ZVORD and state.seat == seat and state.slot == slot:
            apply(state, REORDER + order[slot - turn])


@inlined
def play_attack(states: Records[State], k, codes, streams):
    """Play on to the end of the round, with a scripted player or `random` on each seat."""
    state = states[k]
    round_index = state.round_index
    while state.phase != PHASE_GAME_OVER and state.round_index == round_index:
        seat = np.int64(state.seat)
        if codes[seat] == RANDOM:
            apply(state, random_action(states, k, streams, 0))
        elif state.phase == PHASE_ZVORD:
            lay_anew(codes[seat], state, seat)
        else:
            apply(state, tactical_action(state, seat))


@cached_jit(nogil=True)
def play_out_rounds(states: Records[State], plans, codes, streams, returns):
    """Play every game to the end of its round.

    Args:
        states: at the start of a round where plans are given, else in the attack; played in place.
        plans: of all players, laid first: int8, shape (n, players, 7); of no games, none are laid.
        codes: of the scripted player, or `random`, that decides for each seat in the attack: int64, shape (players,).
        streams: of chance, moved on: int64, shape (1, 4).
        returns: written: every player's return, true or expected (`expected_returns`): float64, shape (n, 4).
    """
    for k in range(states.shape[0]):
        if plans.shape[0] > 0:
            lay_everything(states[k], plans[k])
        # Laying the plans may have been all there was to the round.
        if states[k].turn > 0:
            play_attack(states, k, codes, streams)
        expected_returns(states[k], returns[k])


@cached_jit(nogil=True)
def scripted_plans(agent_code, states: Records[State], plans):
    """Write the plan that a scripted player lays in every game, where its seat is to set a warrior aside.

    Args:
        agent_code: its code.
        states: full states, shape (n,); they are redacted.
        plans: written: int8, shape (n, 7).
    """
    plan = np.zeros(HAND_SIZE, dtype=np.int64)
    for k in range(states.shape[0]):
        seat = np.int64(states[k].seat)
        hide(states[k], seat)
        planned_order(agent_code, states[k], seat, plan, np.int64(0))
        for n in range(HAND_SIZE):
            plans[k, n] = plan[n]
