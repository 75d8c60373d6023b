"""The players that evaluate whole plans, `schemer` and `mixer`: plans played against plans.

Determinizations are sampled; in each, the rivals' plans are sampled from what players may well do: half of them plan as
`greedy` does, half loosely. Every candidate of one's own then meets the very same rivals. That gives a table of
payoffs, a row for each candidate and a column for each sample of the rivals.

- `schemer` lays the plan that does best on the average: a best response to players who plan much like `greedy`. Against
  somebody who foresees it in turn it has no defence.
- `mixer` takes the table as a game of its own, in which both sides choose a row or a column, solves it by regret
  matching (Hart and Mas-Colell 2000; with the clipped regrets and weighted averages of Tammelin's CFR+, 2014), and
  samples its plan from the mix that comes out: close to an equilibrium of the table, so no plan of the other side does
  much better than another.
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
"""How many plans of one's own are tried, and against how many samples of the rivals'."""
QUICK_NUM_PLANS = 12
"""The same, both, for the quick schemer."""
NUM_REGRET_ITERATIONS = 100
NUM_RECORDS = 4
"""Records of scratch: the private view of the seat, the start of the round, a determinization of it, and a rollout."""
_VIEW, _ROOT, _SAMPLED, _ROLLOUT = range(NUM_RECORDS)


@inlined
def sample_plan(state: State, seat, plan, streams, i):
    """Write a plan that the seat may well make from its hand."""
    count = gather(state, seat, plan, np.int64(0), np.int64(0))
    if below(streams, i, 2) == 0:
        arrange(GREEDY, state, seat, plan, count, np.int64(0), np.int64(0))
    else:
        arrange_loosely(state, seat, plan, count, np.int64(0), streams, i)


@jitted
def sample_candidates(state: State, seat, plans, streams, i):
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
def write_payoffs(records, seat, plans, payoffs, streams, i):
    """Play plans of a seat against plans that its rivals may well make.

    Args:
        records: scratch, NUM_RECORDS of them; the first is redacted for the seat, which is planning.
        seat: the seat that plans.
        plans: the candidates, int64, shape (n, 7).
        payoffs: written: the expected return of each candidate against each sample of the rivals; float64, (n, m).
        streams: random streams.
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
    """Add up, by row, the strategies that regret matching goes through in a zero-sum game.

    Args:
        payoffs: what the rows' player wins and the columns' player loses: float64, shape (n, m).
        weights: written: in proportion to the average strategy; float64, shape (n,), zeros at first.
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
    """Play in proportion to what each choice would have won over the strategy, losses forgotten."""
    value = (strategy * values).sum()
    total = 0.0
    for k in range(strategy.shape[0]):
        regrets[k] = max(0.0, regrets[k] + values[k] - value)
        total += regrets[k]
    for k in range(strategy.shape[0]):
        strategy[k] = regrets[k] / total if total > 0.0 else 1.0 / strategy.shape[0]


@jitted
def make_plan(agent_code, records, seat, plan, streams, i):
    """Write the plan of a seat that is to set a warrior aside; ``records[0]`` is redacted for it, all are scratch."""
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
    """`make_plan` for Python, with the first stream."""
    make_plan(agent_code, records, seat, plan, streams, 0)
