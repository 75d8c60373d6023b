"""Loops over many games at once: attacks played by scripted players, and plans of scripted players."""

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
    """Let a scripted player reorder all its hidden warriors at once (RULES 4.10)."""
    order = np.empty(HAND_SIZE, dtype=np.int64)
    first, turn = np.int64(state.slot), np.int64(state.turn)
    planned_order(agent_code, state, seat, order, turn)
    for slot in range(first, state.line_size):
        if state.phase == PHASE_ZVORD and state.seat == seat and state.slot == slot:
            apply(state, REORDER + order[slot - turn])


@inlined
def play_attack(states: Records[State], k, codes, streams):
    """Play game ``k`` to the end of its round, with a scripted player or `random` on each seat."""
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
        states: records, shape ``(n,)``, at the start of a round if plans are given, otherwise in the attack; played in
            place.
        plans: the plans of all players, laid first: int8, shape ``(n, players, 7)``; with shape ``(0, players, 7)``
            none are laid.
        codes: the code of the scripted player, or of `random`, that decides for each seat in the attack: int64, shape
            ``(players,)``.
        streams: a random stream: int64, shape ``(1, 4)``; advanced.
        returns: written: every player's return, actual or expected (`expected_returns`): float64, shape ``(n, 4)``.
    """
    for k in range(states.shape[0]):
        if plans.shape[0] > 0:
            lay_everything(states[k], plans[k])
        # Laying the plans may have ended the round already.
        if states[k].turn > 0:
            play_attack(states, k, codes, streams)
        expected_returns(states[k], returns[k])


@cached_jit(nogil=True)
def scripted_plans(agent_code, states: Records[State], plans):
    """Write the plan of a scripted player in every game, for the seat that is about to plan.

    Args:
        agent_code: the code of the player.
        states: records of full states, shape ``(n,)``; they are redacted in place.
        plans: written: int8, shape ``(n, 7)``.
    """
    plan = np.zeros(HAND_SIZE, dtype=np.int64)
    for k in range(states.shape[0]):
        seat = np.int64(states[k].seat)
        hide(states[k], seat)
        planned_order(agent_code, states[k], seat, plan, np.int64(0))
        for n in range(HAND_SIZE):
            plans[k, n] = plan[n]
