"""How a search plays a game on from where its own choices end, and how it evaluates where they end."""

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
"""Who plays the rollouts: ``random``; a scripted player; ``likely``, half of whose plans are `greedy`'s and half laid
loosely by value; ``policy``, draws from a policy file."""
HORIZONS = ("round", "game")
"""Where rollouts end: with the round, to be judged there, or with the game."""


class Rollouts(NamedTuple):
    """How rollouts are played.

    Attributes:
        kind: one of the values of `ROLLOUTS`.
        to_the_end: whether they go on to the end of the game.
        uses_value: whether the value network judges where they stop before the end; otherwise `heuristic_value` does.
        networks: of the policy file, if one is used.
    """

    kind: int
    to_the_end: bool
    uses_value: bool
    networks: Networks


def rollouts_of(rollout: str, horizon: str, policy: Policy | None) -> Rollouts:
    """Rollouts from an agent's options.

    Raises:
        ValueError: options that are none, or that need a policy where there is none.
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
    """Play the deciding seat's plan to its end, from wherever in it the seat stands, as a kind of `ROLLOUTS` does."""
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
    """Play one decision, or the rest of one plan, as the rollouts' player does."""
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
    """Whether a rollout that began in a round ends here."""
    return state.phase == PHASE_GAME_OVER or (not rollouts.to_the_end and state.round_index > round_index)


@inlined
def roll_out(state: State, rollouts, round_index, streams, i):
    """Play on to where rollouts end."""
    while not is_done(state, rollouts, round_index):
        roll_on(state, rollouts, streams, i)


@inlined
def judge(state: State, rollouts, returns):
    """Write the returns of the players at the end of a rollout, true or expected: float64, shape (4,)."""
    if rollouts.uses_value and state.phase != PHASE_GAME_OVER:
        expected_by_network(state, rollouts.networks, returns)
    else:
        expected_returns(state, returns)


@jitted
def arrange_hidden(state: State, seat, kind, streams, i):
    """Put the hidden warriors that were sampled for the other players into an order they may well have.

    A determinization takes every order as equally likely; but players plan. Where rollouts are random nothing is done;
    otherwise always while plans are made, and half of the time in the attack.

    Args:
        state: the determinization; its hidden warriors are moved.
        seat: who knows its own warriors.
        kind: of the rollouts that follow, such as RANDOM.
        streams: of chance, of which number ``i`` is used.
        i: the number.
    """
    if kind == RANDOM or (not is_planning(state) and below(streams, i, 2) == 0):
        return
    cards = np.empty(HAND_SIZE, dtype=np.int64)
    first = np.int64(state.turn)
    for other in range(state.num_players):
        aside = state.set_aside[state.round_index, other]
        # Whoever is reordering has its cards in hand.
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
