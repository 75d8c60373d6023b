"""Loops over many games: each function works on every record of an array."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from romans_agents.loops.tree import hash_of
from romans_agents.romans_go_home.rounds.compiled.attack import SEEN_SIZE, AttackNetwork, choose_in_rollout
from romans_agents.romans_go_home.rounds.compiled.values import NUM_INPUTS, ValueNetwork, write_round_returns
from romans_agents.romans_go_home.styles import scripted_action
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.engine.state_fields import Records
from romans_env.romans_go_home.actions import PLACE, warriors_as_actions
from romans_env.romans_go_home.determinization import determinize
from romans_env.romans_go_home.knowledge import hide
from romans_env.romans_go_home.material import MAX_CLANS, NONE, NUM_WARRIORS
from romans_env.romans_go_home.planning import open_discard, start_planning
from romans_env.romans_go_home.state import PHASE_GAME_OVER, PHASE_REVEAL, State
from romans_env.romans_go_home.step import apply, choose, only_legal_action


class RoundNetworks(NamedTuple):
    """The networks of the round search.

    Attributes:
        values: the value network for the ends of rounds.
        attack: the policy network for the attack in rollouts.
    """

    values: ValueNetwork
    attack: AttackNetwork


@cached_jit(nogil=True)
def act_each(states: Records[State], actions):
    """Play a legal action in every game, and run it to its next decision: actions are int64, shape ``(n,)``."""
    for k in range(states.shape[0]):
        apply(states[k], actions[k])


@cached_jit(nogil=True)
def open_planning(states: Records[State], seat):
    """Let a seat begin to plan in every game, with the hand in the record."""
    for k in range(states.shape[0]):
        start_planning(states[k])
        states[k].seat = seat
        states[k].legal = open_discard(states[k])


@cached_jit(nogil=True)
def plan_each(states: Records[State], actions):
    """Play a planning action in every game, and stay with the same seat.

    Afterwards, ``legal`` contains the seat's next planning actions; if there are fewer than two, its plan is
    determined.

    Args:
        states: records in planning, shape ``(n,)``; played in place.
        actions: int64, shape ``(n,)``.
    """
    for k in range(states.shape[0]):
        choose(states[k], actions[k])
        states[k].legal = warriors_as_actions(states[k].hand, states[k].seat, PLACE)


@jitted
def lay_everything(state: State, plans):
    """Lay the plans of all players, integers, shape ``(players, 7)``, and run into the attack (RULES 3.2, 4)."""
    for seat in range(state.num_players):
        for warrior in range(NUM_WARRIORS):
            state.hand[seat, warrior] = 0
        for slot in range(state.line_size):
            state.line[seat, slot] = plans[seat, slot]
        state.set_aside[state.round_index, seat] = plans[seat, state.line_size]
    state.seat = state.num_players
    state.slot = 0
    state.turn = 1
    state.phase = PHASE_REVEAL
    action = only_legal_action(state)
    if action >= 0:
        apply(state, action)


@cached_jit(nogil=True)
def begin_attacks(states: Records[State], plans):
    """Lay the plans of all players in every game at the start of a round: int8, shape ``(n, players, 7)``."""
    for k in range(states.shape[0]):
        lay_everything(states[k], plans[k])


@cached_jit(nogil=True)
def rollout_payoffs(roots, others, seat, plans, networks, payoffs):
    """Play every plan of a seat against every sample of the others' plans, to the end of the round.

    In the attack, all seats choose by `choose_in_rollout`.

    Args:
        roots: records at the start of the round, one for each sample and one for scratch: shape ``(m + 1,)``.
        others: samples of the plans of all players: int8, shape ``(m, players, 7)``; the seat's own are overwritten.
        seat: the seat whose plans are compared.
        plans: the plans: int8, shape ``(n, 7)``.
        networks: `RoundNetworks`.
        payoffs: written: the seat's return, actual or expected (`write_round_returns`): float64, shape ``(n, m)``.
    """
    scratch = roots.shape[0] - 1
    inputs = np.empty((MAX_CLANS, NUM_INPUTS), dtype=np.float32)
    seen = np.zeros((1, SEEN_SIZE), dtype=np.int8)
    returns = np.empty(MAX_CLANS)
    for column in range(scratch):
        round_index = roots[column].round_index
        for k in range(plans.shape[0]):
            others[column, seat] = plans[k]
            roots[scratch] = roots[column]
            state = roots[scratch]
            lay_everything(state, others[column])
            while state.phase != PHASE_GAME_OVER and state.round_index == round_index:
                apply(state, choose_in_rollout(state, np.int64(state.seat), networks.attack, seen))
            write_round_returns(state, networks.values, inputs, returns)
            payoffs[k, column] = returns[seat]


@cached_jit(nogil=True)
def rollout_actions(states: Records[State], networks, actions):
    """Write the action that `choose_in_rollout` chooses for the seat to act in every game: int64, shape ``(n,)``."""
    seen = np.zeros((1, SEEN_SIZE), dtype=np.int8)
    for k in range(states.shape[0]):
        actions[k] = choose_in_rollout(states[k], np.int64(states[k].seat), networks.attack, seen)


@cached_jit(nogil=True)
def scripted_actions(agent_code, states: Records[State], scratch, actions):
    """Write a scripted player's action for the seat to act in every game.

    Args:
        agent_code: the code of the player.
        states: records, shape ``(n,)``.
        scratch: a scratch record, shape ``(1,)``.
        actions: written: int64, shape ``(n,)``.
    """
    for k in range(states.shape[0]):
        seat = np.int64(states[k].seat)
        scratch[0] = states[k]
        hide(scratch[0], seat)
        actions[k] = scripted_action(agent_code, scratch[0], seat)


@cached_jit(nogil=True)
def view_hashes(states: Records[State], scratch, words, seats, hashes):
    """Write a hash of a seat's private view in every game.

    Args:
        states: records, shape ``(n,)``.
        scratch: a scratch record, shape ``(1,)``.
        words: the memory of ``scratch`` as int64, shape ``(1, words of a record)``.
        seats: the seats: int64, shape ``(n,)``; NONE for a record that is already redacted.
        hashes: written: int64, shape ``(n,)``.
    """
    for k in range(states.shape[0]):
        scratch[0] = states[k]
        if seats[k] != NONE:
            hide(scratch[0], seats[k])
        hashes[k] = hash_of(words, 0)


@cached_jit(nogil=True)
def determinize_each(states: Records[State], seat, streams):
    """Sample a determinization of ``states[0]``, which is redacted for the seat, into every other record."""
    for k in range(1, states.shape[0]):
        determinize(states, 0, k, seat, streams, 0)


@cached_jit(nogil=True)
def round_end_values(states: Records[State], seat, networks, values):
    """Write a seat's return, actual or expected (`write_round_returns`), at the ends of rounds.

    Args:
        states: records at the end of a round or of the game, shape ``(n,)``.
        seat: the seat.
        networks: `RoundNetworks`.
        values: written: float64, shape ``(n,)``.
    """
    inputs = np.empty((MAX_CLANS, NUM_INPUTS), dtype=np.float32)
    returns = np.empty(MAX_CLANS)
    for k in range(states.shape[0]):
        write_round_returns(states[k], networks.values, inputs, returns)
        values[k] = returns[seat]
