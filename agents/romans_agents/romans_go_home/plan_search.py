"""The players that evaluate whole plans, `schemer` and `mixer`: their plans are played against sampled plans.

In each of several determinizations, the opponents' plans are sampled from plausible play: half of them plan like
`greedy`, half loosely. Every candidate plan of the player then meets the same opponents. This gives a payoff matrix
with a row for each candidate and a column for each sample of the opponents.

- `schemer` plays the plan with the highest mean payoff: a best response to players that plan much like `greedy`. An
  opponent that predicts this can exploit it.
- `mixer` treats the matrix as a game in which both sides choose a row or a column. It solves the game by regret
  matching (Hart and Mas-Colell 2000, with the clipped regrets and weighted averages of CFR+, Tammelin 2014) and samples
  its plan from the resulting mixed strategy, which is close to an equilibrium of the matrix.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.heuristic_value import expected_returns
from romans_agents.romans_go_home.plans import arrange_loosely, gather, sample_index
from romans_agents.romans_go_home.round_start import lay_plans, undo_planning
from romans_agents.romans_go_home.styles import GREEDY, MIXER, QUICK_SCHEMER, arrange, choose_quickly
from romans_env.compiling.decorators import cached_jit, inlined, jitted
from romans_env.engine.random_stream import below
from romans_env.romans_go_home.determinization import determinize
from romans_env.romans_go_home.material import HAND_SIZE, MAX_CLANS
from romans_env.romans_go_home.state import PHASE_GAME_OVER, State
from romans_env.romans_go_home.step import apply

NUM_PLANS = 32
"""Number of candidate plans, and of samples of the opponents' plans."""
QUICK_NUM_PLANS = 12
"""Both numbers for the quick schemer."""
NUM_REGRET_ITERATIONS = 100
NUM_RECORDS = 4
"""Number of scratch records: the private view, the start of the round, a determinization of it, and a rollout."""
_VIEW, _ROOT, _SAMPLED, _ROLLOUT = range(NUM_RECORDS)


@inlined
def sample_plan(state: State, seat, plan, streams, i):
    """Write a plausible plan of the seat for its hand into ``plan``: int64, shape ``(7,)``."""
    count = gather(state, seat, plan, np.int64(0), np.int64(0))
    if below(streams, i, 2) == 0:
        arrange(GREEDY, state, seat, plan, count, np.int64(0), np.int64(0))
    else:
        arrange_loosely(state, seat, plan, count, np.int64(0), streams, i)


@jitted
def sample_candidates(state: State, seat, plans, streams, i):
    """Fill ``plans``, int64, shape ``(n, 7)``, with candidates.

    Half of them are `greedy`'s plan with up to three swaps (the first without), the other half are loose plans.
    """
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
    """Play record ``k`` to the end of the round, with scripted decisions of all seats."""
    state = records[k]
    round_index = state.round_index
    while state.phase != PHASE_GAME_OVER and state.round_index == round_index:
        apply(state, choose_quickly(state, np.int64(state.seat)))


@inlined
def write_payoffs(records, seat, plans, payoffs, streams, i):
    """Play plans of a seat against sampled plausible plans of its opponents.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``; the first is the seat's private view in planning.
        seat: the planning seat.
        plans: the candidates, int64, shape ``(n, 7)``.
        payoffs: written: the expected return of each candidate against each of m samples of the opponents, float64,
            shape ``(n, m)``.
        streams: random streams, int64, shape ``(k, 4)``; row ``i`` is advanced.
        i: the row of the stream.
    """
    records[_ROOT] = records[_VIEW]
    undo_planning(records[_ROOT], seat)
    lines = np.empty((MAX_CLANS, HAND_SIZE), dtype=np.int64)
    returns = np.empty(MAX_CLANS)
    for column in range(payoffs.shape[1]):
        determinize(records, _ROOT, _SAMPLED, seat, streams, i)
        for player in range(records[_SAMPLED].num_players):
            sample_plan(records[_SAMPLED], player, lines[player], streams, i)
        for k in range(plans.shape[0]):
            lines[seat] = plans[k]
            records[_ROLLOUT] = records[_SAMPLED]
            lay_plans(records[_ROLLOUT], lines)
            play_round_out(records, _ROLLOUT)
            expected_returns(records[_ROLLOUT], returns)
            payoffs[k, column] = returns[seat]


@jitted
def solve_rows(payoffs, weights):
    """Solve a zero-sum matrix game by regret matching, and write the row player's average strategy, not normalised.

    Args:
        payoffs: the gains of the row player, which the column player loses: float64, shape ``(n, m)``.
        weights: written, proportional to the average strategy: float64, shape ``(n,)``; must be zeros at first.
    """
    n, m = payoffs.shape
    rows, columns = np.full(n, 1.0 / n), np.full(m, 1.0 / m)
    row_regrets, column_regrets = np.zeros(n), np.zeros(m)
    row_values, column_values = np.empty(n), np.empty(m)
    for iteration in range(NUM_REGRET_ITERATIONS):
        row_values[:] = 0.0
        column_values[:] = 0.0
        for k in range(n):
            for j in range(m):
                row_values[k] += payoffs[k, j] * columns[j]
                column_values[j] -= payoffs[k, j] * rows[k]
        match_regrets(rows, row_values, row_regrets)
        match_regrets(columns, column_values, column_regrets)
        for k in range(n):
            weights[k] += (iteration + 1) * rows[k]


@inlined
def match_regrets(strategy, values, regrets):
    """Update clipped regrets and the strategy, which becomes proportional to them; all float64, shape ``(n,)``.

    Args:
        strategy: the strategy of the last iteration; overwritten.
        values: the value of each choice against the other side's strategy.
        regrets: the sums of regrets, clipped at 0; updated.
    """
    value = (strategy * values).sum()
    total = 0.0
    for k in range(strategy.shape[0]):
        regrets[k] = max(0.0, regrets[k] + values[k] - value)
        total += regrets[k]
    for k in range(strategy.shape[0]):
        strategy[k] = regrets[k] / total if total > 0.0 else 1.0 / strategy.shape[0]


@jitted
def make_plan(agent_code, records, seat, plan, streams, i):
    """Write the plan of `schemer` or `mixer` for a seat that is about to plan.

    Args:
        agent_code: the code of the player.
        records: scratch records, shape ``(NUM_RECORDS,)``; the first is the seat's private view.
        seat: the planning seat.
        plan: written: int64, shape ``(7,)``.
        streams: random streams, int64, shape ``(k, 4)``; row ``i`` is advanced.
        i: the row of the stream.
    """
    size = QUICK_NUM_PLANS if agent_code == QUICK_SCHEMER else NUM_PLANS
    plans = np.empty((size, HAND_SIZE), dtype=np.int64)
    payoffs = np.empty((size, size))
    sample_candidates(records[_VIEW], seat, plans, streams, i)
    write_payoffs(records, seat, plans, payoffs, streams, i)
    if agent_code == MIXER:
        weights = np.zeros(size)
        solve_rows(payoffs, weights)
        plan[:] = plans[sample_index(weights, streams, i)]
    else:
        plan[:] = plans[payoffs.sum(axis=1).argmax()]


@cached_jit(nogil=True)
def make_plan_in(agent_code, records, seat, plan, streams):
    """Write the plan of `schemer` or `mixer`: `make_plan` with the first stream, to be called from Python."""
    make_plan(agent_code, records, seat, plan, streams, 0)
