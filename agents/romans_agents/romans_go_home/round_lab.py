"""Plans tried against plans: a round played out many times.

Determinizations are sampled; in each, the rivals' plans are drawn from what players may well do: half of them
plan as `greedy` does, half loosely. Every plan of one's own then meets the very same rivals.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.characters import GREEDY, arrange, choose_quickly
from romans_agents.romans_go_home.planning_root import deal_anew, lay_plans, rewind
from romans_agents.romans_go_home.plans import arrange_loosely, gather
from romans_agents.romans_go_home.prospects import expected_returns
from romans_env.engine.compiled import inlined, jitted
from romans_env.engine.random_stream import below
from romans_env.romans_go_home.cards import HAND_SIZE, MAX_CLANS
from romans_env.romans_go_home.game_flow import apply
from romans_env.romans_go_home.state import PHASE_GAME_OVER

NUM_RECORDS = 4
"""Records of scratch: the private view of the seat, the start of the round, a determinization of it, and its course."""
_VIEW, _ROOT, _DEALT, _COURSE = range(NUM_RECORDS)


@inlined
def likely_plan(state, seat, plan, streams, i):
    """Write a plan that the seat may well make from its hand."""
    count = gather(state, seat, plan, np.int64(0), np.int64(0))
    if below(streams, i, 2) == 0:
        arrange(GREEDY, state, seat, plan, count, np.int64(0), np.int64(0))
    else:
        arrange_loosely(state, seat, plan, count, np.int64(0), streams, i)


@jitted
def draw_candidates(state, seat, plans, streams, i):
    """Fill ``plans``, shape (n, 7), with plans worth a try: `greedy`'s, that with warriors swapped, and loose ones."""
    plan = np.empty(HAND_SIZE, dtype=np.int64)
    best = np.empty(HAND_SIZE, dtype=np.int64)
    count = gather(state, seat, best, np.int64(0), np.int64(0))
    arrange(GREEDY, state, seat, best, count, np.int64(0), np.int64(0))
    for k in range(plans.shape[0]):
        if k % 2 == 0:
            plan[:] = best
            for _ in range(1 + below(streams, i, 3) if k > 0 else 0):
                a = below(streams, i, count)
                b = below(streams, i, count)
                plan[a], plan[b] = plan[b], plan[a]
        else:
            gather(state, seat, plan, np.int64(0), np.int64(0))
            arrange_loosely(state, seat, plan, count, np.int64(0), streams, i)
        plans[k] = plan


@inlined
def play_round_out(records, k):
    """Play record k on to the next round or the end, everybody choosing as scripted players do."""
    state = records[k]
    round_index = state.round_index
    while state.phase != PHASE_GAME_OVER and state.round_index == round_index:
        apply(state, choose_quickly(state, np.int64(state.seat)))


@inlined
def try_plans(records, seat, plans, payoffs, streams, i):
    """Play plans of a seat against plans that its rivals may well make.

    Args:
        records: scratch, NUM_RECORDS of them; the first is redacted for the seat, which is planning.
        plans: the candidates, int64, shape (n, 7).
        payoffs: written: the expected return of each candidate against each draw of the rivals; float64, shape (n, m).
    """
    records[_ROOT] = records[_VIEW]
    rewind(records[_ROOT], seat)
    lines = np.empty((MAX_CLANS, HAND_SIZE), dtype=np.int64)
    returns = np.empty(MAX_CLANS)
    for draw in range(payoffs.shape[1]):
        deal_anew(records, _ROOT, _DEALT, seat, streams, i)
        for player in range(records[_DEALT].num_players):
            likely_plan(records[_DEALT], player, lines[player], streams, i)
        for k in range(plans.shape[0]):
            lines[seat] = plans[k]
            records[_COURSE] = records[_DEALT]
            lay_plans(records[_COURSE], lines)
            play_round_out(records, _COURSE)
            expected_returns(records[_COURSE], returns)
            payoffs[k, draw] = returns[seat]
