"""The proximal-point iterations approach an equilibrium of the small table, where exploitability is exact."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
pytest.importorskip("pyspiel", reason="exact exploitability needs the extra: pip install '.[openspiel]'")

from open_spiel.python.algorithms import exploitability

from benchmarks.small_table import known_policy
from recipes.proximal_point.__main__ import main
from recipes.proximal_point.decisions import decisions_of
from recipes.proximal_point.plan_targets import RoundSolver, Search
from recipes.proximal_point.round_starts import round_starts
from recipes.proximal_point.solved_parts import sampling
from romans_agents import Policy
from romans_agents.specs.registry import policy_of
from romans_env import RomansGoHome, Table
from romans_env.envs.open_spiel_game import open_spiel_game
from romans_env.romans_go_home.setup import SMALL_TABLE

SMALL = "--table small --parts 1 --habit 0 --rivals= --panel= --kept 0 --temperatures 0.1 --epochs 12 --plausible 99"


def exact(path: Path) -> float:
    """Return the exploitability of a policy file on the small table, by OpenSpiel."""
    game = open_spiel_game(SMALL_TABLE)
    agent = sampling(Policy.load(path), np.random.default_rng(0))
    return float(exploitability.nash_conv(game, known_policy(game, agent)) / 2)


def test_iterations_lower_the_exact_exploitability_and_continue(tmp_path: Path) -> None:
    written = []
    for iterations in (1, 2):
        result = CliRunner().invoke(main, [str(tmp_path), "--iterations", str(iterations), *SMALL.split()])
        assert result.exit_code == 0, result.output
        written.append((tmp_path / "policy-1.npz").stat().st_mtime_ns)
    found = [exact(tmp_path / f"policy-{number}.npz") for number in range(3)]
    assert found[1] < 0.5 * found[0]
    assert found[2] < 0.6 * found[1]
    lines = json.loads((tmp_path / "metrics.json").read_text())
    assert [line["iteration"] for line in lines] == [1, 2]
    # All plans are compared on this table, and so the regret is the exploitability.
    assert [line["regret_before"] for line in lines] == pytest.approx(found[:2], abs=2e-3)
    assert written[0] == written[1]


@pytest.mark.parametrize("table", [Table(2, 0), SMALL_TABLE], ids=["2+0", "small"])
def test_targets_without_a_change_are_the_policy(table: Table) -> None:
    rng = np.random.default_rng(3)
    agent = sampling(policy_of("legate"), rng)
    start = round_starts(agent, [], RomansGoHome(table), 1, 5)[:1]
    for seat, one in enumerate(RoundSolver(agent, [], table, Search(habit=0.0)).improve(start, rng)):
        same = decisions_of(agent.policy, start, seat, one._replace(after=one.before), table, 60, rng)
        known = agent.policy.probabilities(same.observations, same.masks)
        weights = same.targets.sum(axis=1, dtype=np.float64)
        assert len(weights) <= 60 and (weights > 0).any()
        np.testing.assert_allclose(same.targets, known * weights[:, None], atol=2e-3 * weights.max())


def test_a_habit_is_exploited() -> None:
    rng, table = np.random.default_rng(4), Table(2, 0)
    agent = sampling(policy_of("legate"), rng)
    starts = round_starts(agent, [], RomansGoHome(table), 2, 6)
    gains = {
        temperature: np.mean(
            [
                one.gain
                for start in np.split(starts, len(starts))
                for one in RoundSolver(agent, [agent], table, Search(temperature, floor=0.01, habit=1.0)).improve(
                    start, np.random.default_rng(1)
                )
            ]
        )
        for temperature in (0.02, 100.0)
    }
    assert gains[0.02] > 0.02
    assert abs(gains[100.0]) < 0.01


def test_starts_are_those_of_every_round() -> None:
    agent = sampling(policy_of("legate"), np.random.default_rng(1))
    starts = round_starts(agent, [], RomansGoHome(Table(2, 0)), 8, 2)
    counts = np.bincount(starts["round_index"], minlength=3)
    assert counts[0] == 8
    assert 8 >= counts[1] >= counts[2] > 0


@pytest.mark.parametrize("text", ["warm", "0.1,", "0", "inf"])
def test_temperatures_that_are_none_are_refused_before_anything_is_written(text: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [str(tmp_path / "run"), "--temperatures", text])
    assert result.exit_code == 2
    assert f"--temperatures needs numbers above 0, such as 0.05,0.03, not {text}" in result.output
    assert not (tmp_path / "run").exists()
