"""Candidates compared by rollouts from the same determinizations, with the same chance (common random numbers)."""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.planning_root import deal_anew, is_planning, lay_plans
from romans_agents.romans_go_home.rollouts import arrange_hidden, judge, roll_on, roll_out
from romans_agents.romans_go_home.round_lab import draw_candidates
from romans_env.engine.compiled import cached_jit
from romans_env.engine.random_stream import WORDS
from romans_env.romans_go_home.cards import HAND_SIZE, MAX_CLANS
from romans_env.romans_go_home.game_flow import apply

NUM_RECORDS = 3
"""Records of scratch: the private view of the seat, a determinization of it, and its course."""
_VIEW, _DEALT, _COURSE = range(NUM_RECORDS)


@cached_jit
def draw_plans(views, seat, plans, streams):
    """Fill ``plans``, int64 of shape (n, 7), with candidates for a seat at the start of a round."""
    draw_candidates(views[0], seat, plans, streams, 0)


@cached_jit(nogil=True)
def compare_plans(records, seat, plans, sums, num_draws, rollouts, streams):
    """Add to ``sums`` the return of each plan in ``num_draws`` determinizations; all meet the same rivals' plans.

    Args:
        records: scratch; the first is the seat's at the start of the round (`planning_root`).
        plans: int64, shape (n, 7).
        sums: float64, shape (n,).
    """
    lines = np.empty((MAX_CLANS, HAND_SIZE), dtype=np.int64)
    returns = np.empty(MAX_CLANS)
    start = np.empty(WORDS, dtype=np.int64)
    round_index = np.int64(records[_VIEW].round_index)
    for _ in range(num_draws):
        deal_anew(records, _VIEW, _DEALT, seat, streams, 0)
        records[_COURSE] = records[_DEALT]
        while is_planning(records[_COURSE]) and records[_COURSE].round_index == round_index:
            roll_on(records[_COURSE], rollouts, streams, 0)
        for player in range(records[_COURSE].num_players):
            line_size = records[_COURSE].line_size
            for slot in range(line_size):
                lines[player, slot] = records[_COURSE].line[player, slot]
            lines[player, line_size] = records[_COURSE].set_aside[round_index, player]
        start[:] = streams[0]
        for k in range(plans.shape[0]):
            streams[0] = start
            lines[seat] = plans[k]
            records[_COURSE] = records[_DEALT]
            lay_plans(records[_COURSE], lines)
            roll_out(records[_COURSE], rollouts, round_index, streams, 0)
            judge(records[_COURSE], rollouts, returns)
            sums[k] += returns[seat]


@cached_jit(nogil=True)
def compare_actions(records, seat, actions, sums, num_draws, rollouts, streams):
    """Add to ``sums`` the return of each action of the deciding seat in ``num_draws`` determinizations.

    Args:
        records: scratch; the first is redacted for the seat.
        actions: legal ones, int64, shape (n,).
        sums: float64, shape (n,).
    """
    returns = np.empty(MAX_CLANS)
    start = np.empty(WORDS, dtype=np.int64)
    round_index = np.int64(records[_VIEW].round_index)
    for _ in range(num_draws):
        deal_anew(records, _VIEW, _DEALT, seat, streams, 0)
        arrange_hidden(records[_DEALT], seat, rollouts, streams, 0)
        start[:] = streams[0]
        for k in range(actions.shape[0]):
            streams[0] = start
            records[_COURSE] = records[_DEALT]
            apply(records[_COURSE], actions[k])
            roll_out(records[_COURSE], rollouts, round_index, streams, 0)
            judge(records[_COURSE], rollouts, returns)
            sums[k] += returns[seat]
