"""Rollouts of searches in Romans Go Home!, and the evaluation of the positions where they end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from romans_agents.loops.compiled_networks import Networks, networks_of
from romans_agents.policies.policy import Policy
from romans_agents.romans_go_home.heuristic_value import expected_returns
from romans_agents.romans_go_home.network import expected_by_network, policy_probabilities
from romans_agents.romans_go_home.plans import arrange_loosely, gather, lay_plan, sample_index
from romans_agents.romans_go_home.round_start import is_planning
from romans_agents.romans_go_home.styles import GREEDY, HOARDER, LEGIONARY, RANDOM, SKIRMISHER, arrange, choose_quickly
from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.random_stream import below
from romans_env.romans_go_home.actions import NUM_ACTIONS, random_action
from romans_env.romans_go_home.material import HAND_SIZE, NONE
from romans_env.romans_go_home.state import PHASE_GAME_OVER, PHASE_PLACE, State
from romans_env.romans_go_home.step import apply

LIKELY, POLICY = 100, 101
ROLLOUTS = {
    "random": RANDOM,
    "likely": LIKELY,
    "greedy": GREEDY,
    "hoarder": HOARDER,
    "legionary": LEGIONARY,
    "skirmisher": SKIRMISHER,
    "policy": POLICY,
}
"""The players of rollouts: ``random``; a scripted player; ``likely``, whose plans are `greedy`'s or loose ones, half of
the time each; ``policy``, which samples from a policy file."""
HORIZONS = ("round", "game")
"""Where rollouts end: at the end of the round, with an evaluation, or at the end of the game."""


class Rollouts(NamedTuple):
    """Settings of rollouts.

    Attributes:
        kind: one of the values of `ROLLOUTS`.
        to_the_end: whether rollouts last to the end of the game, not of the round.
        uses_value: whether the value network evaluates the end of a round; otherwise the heuristic value does.
        networks: the networks of the policy, if one is used.
    """

    kind: int
    to_the_end: bool
    uses_value: bool
    networks: Networks


def rollouts_of(rollout: str, horizon: str, policy: Policy | None) -> Rollouts:
    """Return the settings of rollouts from an agent's options.

    Args:
        rollout: a key of `ROLLOUTS`.
        horizon: one of `HORIZONS`.
        policy: the policy; None without one.

    Raises:
        ValueError: if an option is unknown, or needs a policy and there is none.
    """
    if rollout not in ROLLOUTS:
        raise ValueError(f"rollout is one of {', '.join(ROLLOUTS)}, not {rollout!r}")
    if horizon not in HORIZONS:
        raise ValueError(f"horizon is round or game, not {horizon!r}")
    if rollout == "policy" and policy is None:
        raise ValueError("rollout=policy needs a policy file: policy=PATH")
    return Rollouts(ROLLOUTS[rollout], horizon == "game", policy is not None, networks_of(policy))


@jitted
def plan_rest(state: State, kind, streams, i):
    """Complete the plan of the planning seat as a player of rollouts does (a value of `ROLLOUTS`, but not POLICY)."""
    seat = np.int64(state.seat)
    cards = np.empty(HAND_SIZE, dtype=np.int64)
    start = np.int64(0)
    laid = np.int64(state.slot) if state.phase == PHASE_PLACE else start
    if kind == LIKELY and below(streams, i, 2) == 0:
        count = gather(state, seat, cards, laid, laid)
        arrange_loosely(state, seat, cards, count, laid, streams, i)
        start = laid
    else:
        agent_code = GREEDY if kind == LIKELY else kind
        count = gather(state, seat, cards, start, laid)
        arrange(agent_code, state, seat, cards, count, laid, start)
    lay_plan(state, seat, cards, start)


@inlined
def roll_on(state: State, rollouts, streams, i):
    """Play one decision of a rollout, or, while planning, the rest of the plan, by the rollout policy."""
    if rollouts.kind == RANDOM:
        apply(state, random_action(state, streams, i))
    elif rollouts.kind == POLICY:
        probabilities = np.empty(NUM_ACTIONS)
        policy_probabilities(state, rollouts.networks, probabilities)
        apply(state, sample_index(probabilities, streams, i))
    elif is_planning(state):
        plan_rest(state, rollouts.kind, streams, i)
    else:
        apply(state, choose_quickly(state, np.int64(state.seat)))


@inlined
def is_done(state: State, rollouts, round_index):
    """Return whether a rollout that began in round ``round_index`` ends here."""
    return state.phase == PHASE_GAME_OVER or (not rollouts.to_the_end and state.round_index > round_index)


@inlined
def roll_out(state: State, rollouts, round_index, streams, i):
    """Play a rollout to its end."""
    while not is_done(state, rollouts, round_index):
        roll_on(state, rollouts, streams, i)


@inlined
def judge(state: State, rollouts, returns):
    """Write the players' returns at the end of a rollout, actual or expected: float64, shape ``(4,)``."""
    if rollouts.uses_value and state.phase != PHASE_GAME_OVER:
        expected_by_network(state, rollouts.networks, returns)
    else:
        expected_returns(state, returns)


@jitted
def arrange_hidden(state: State, seat, kind, streams, i):
    """Rearrange the hidden warriors of the other players in a determinization into a plausible order.

    In a determinization every order is equally likely, but real players plan. Nothing is done if rollouts are random;
    otherwise the order is always changed during planning, and half of the time in the attack.

    Args:
        state: the determinization; changed in place.
        seat: the searching seat, whose warriors stay.
        kind: the player of the rollouts that follow, a value of `ROLLOUTS`.
        streams: random streams, int64, shape ``(k, 4)``; row ``i`` is advanced.
        i: the row of the stream.
    """
    if kind == RANDOM or (not is_planning(state) and below(streams, i, 2) == 0):
        return
    cards = np.empty(HAND_SIZE, dtype=np.int64)
    first = np.int64(state.turn)
    for other in range(state.num_players):
        aside = state.set_aside[state.round_index, other]
        # A seat that is reordering has its cards in hand, not in its line.
        if other != seat and other != state.seat and aside != NONE:
            count = 0
            for slot in range(first, state.line_size):
                cards[count] = state.line[other, slot]
                count += 1
            cards[count] = aside
            arrange_loosely(state, other, cards, count + 1, first, streams, i)
            for k in range(count):
                state.line[other, first + k] = cards[k]
            state.set_aside[state.round_index, other] = cards[count]
