"""The regret of a policy's plans, `python -m benchmarks.plan_regret`."""

from __future__ import annotations

import numpy as np
from click.testing import CliRunner

from benchmarks.plan_regret import main as print_regrets
from benchmarks.plan_regret import plan_regrets, planner_of
from romans_agents import Policy
from tests.policies import even_agent
from tests.romans_go_home.stages import new_game


def test_one_who_always_lays_the_same_plan_regrets_more():
    policy, rng = even_agent().policy, np.random.default_rng(1)
    roots = np.concatenate([new_game((2, 0), seed=seed).states for seed in range(6)])
    sharp = Policy(
        [*policy.pi[:-1], tuple(1000 * part for part in policy.pi[-1])], policy.vf, policy.scale, policy.meta
    )
    loose, certain = (plan_regrets(planner_of(one.probabilities, rng), roots, rng).mean() for one in (policy, sharp))
    assert 0.0 < loose < certain


def test_the_command_prints_regrets():
    result = CliRunner().invoke(print_regrets, ["legate-1", "--rounds", "2"], catch_exceptions=False)
    assert result.exit_code == 0
    row = next(line for line in result.output.splitlines() if "legate-1" in line)
    assert row.count("[") == 3
