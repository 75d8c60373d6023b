"""A round as a matrix of all lines: its payoffs, the regret of plans and the equilibrium that follow from it."""

import shutil
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import romans_agents
from benchmarks.pages import kept
from recipes.equilibria import measured
from recipes.equilibria.__main__ import PAGE, main
from recipes.equilibria.mirror_descent import mirror_descent
from recipes.equilibria.plan_regret import plan_regret, round_regrets, round_starts
from recipes.equilibria.round_game import RoundGame
from recipes.equilibria.round_matrix import all_lines, matrix_of, weighted_rows
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.matrix_game import BayesianPlayer, regret_matching
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel
from romans_agents.romans_go_home.rounds.round_networks import round_networks
from romans_env import Game, RomansGoHome, Table
from romans_env.romans_go_home.material import NUM_WARRIORS
from romans_env.romans_go_home.setup import SMALL_TABLE

TABLE = Table(2, 0)
RULES = RomansGoHome(TABLE)
DECIDED = Table(
    warriors=["qween", "archr", "filchy", "chariott", "chariott"],
    line_size=2,
    num_rounds=1,
    fort_deck=["dinary-3", "dinary-5"],
)
"""A small table whose attack has no decisions."""


def whole_plans(lines, table):
    """Plans that lay lines, with the weakest warrior left set aside, as `matrix_of` has it: int8, shape (n, 7)."""
    laid = (lines[:, :, None] == np.arange(NUM_WARRIORS)).sum(axis=1)
    plans = np.zeros((len(lines), 7), dtype=np.int8)
    plans[:, : table.line_size] = lines
    plans[:, table.line_size] = (table.warrior_counts() > laid).argmax(axis=1)
    return plans


def rolled_out(root, rows, columns, table):
    laid = np.zeros((len(columns), 2, 7), dtype=np.int8)
    laid[:, 1] = whole_plans(columns, table)
    payoffs = np.empty((len(rows), len(columns)))
    roots = np.repeat(root, len(columns) + 1)
    record_loops.rollout_payoffs(roots, laid, 0, whole_plans(rows, table), round_networks(), payoffs)
    return payoffs


def test_a_clan_has_so_many_lines():
    lines = all_lines(TABLE)
    counts = [len(np.unique(lines[:, :size], axis=0)) for size in range(1, 7)]
    assert counts == [8, 57, 357, 1_932, 8_820, 32_760]
    assert len(lines) == 32_760


@pytest.mark.parametrize("variant", ["standard", "vogel"])
def test_payoffs_are_those_of_rollouts(variant):
    table, rng = Table(2, 0, variant), np.random.default_rng(1)
    lines = all_lines(table)
    for seed in range(2):
        for root in round_starts(RomansGoHome(table), seed):
            rows, columns = (lines[rng.choice(len(lines), 130, replace=False)] for _ in range(2))
            matrix = matrix_of(root, rows, columns)
            assert np.array_equal(matrix, np.rint(127 * rolled_out(root, rows, columns, table)))


def test_all_lines_that_begin_alike_and_threads_change_no_payoff():
    root, lines = round_starts(RULES, 3)[2], all_lines(TABLE)
    rows = np.concatenate([lines[:400], lines[-300:], lines[5_000:5_100]])[::-1]
    columns = lines[9_000:9_500]
    matrix = matrix_of(root, rows, columns, threads=1)
    assert np.array_equal(matrix, matrix_of(root, rows, columns, threads=3))
    assert np.array_equal(matrix, np.rint(127 * rolled_out(root, rows, columns, TABLE)))


def test_weighted_rows_are_a_product():
    rng = np.random.default_rng(1)
    matrix, weights = rng.integers(-127, 128, (60, 5_000), dtype=np.int8), rng.random(60)
    weights[::3] = 0.0
    assert weighted_rows(matrix, weights) == pytest.approx(weights @ matrix / 127)


@pytest.mark.parametrize("spec", ["random", "greedy", "legate-1"])
def test_the_regret_of_plans_is_the_exploitability_where_the_attack_decides_nothing(spec):
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    from benchmarks.small_table import known_policy
    from romans_env.envs.open_spiel_game import open_spiel_game

    rules, game, agent = RomansGoHome(DECIDED), open_spiel_game(DECIDED), romans_agents.make(spec)
    expected = exploitability.exploitability(game, known_policy(game, agent, table=DECIDED))
    found = plan_regret(OpponentModel(agent, rules), Game(rules, seed=1).states.copy(), np.random.default_rng(1))
    assert found == pytest.approx(expected, abs=1e-6)
    assert expected > 0.01


def test_a_round_is_solved():
    root = Game(RomansGoHome(SMALL_TABLE), seed=1).states.copy()
    game = RoundGame.of(root, SMALL_TABLE)
    side = game.space.side
    for solutions in (
        mirror_descent(game.values_of_plans, (side, side), decay=0.5),
        regret_matching(game.values_of_plans, (side, side)),
    ):
        first, solved = next(solutions), next(islice(solutions, 999, None))
        assert sum(game.regrets(solved)) < 0.005 < 0.05 < sum(game.regrets(first))
        for mix in solved:
            assert np.bincount(side.types, mix) == pytest.approx(1.0)
        # One wins what the other loses, also where it is no equilibrium.
        for mixes in (first, solved):
            weights = [game.space.weights(mix) for mix in mixes]
            wins = [game.values(seat, weights[1 - seat]) @ weights[seat] for seat in range(2)]
            assert wins[0] == pytest.approx(-wins[1], abs=1e-9)


def test_mirror_descent_finds_the_equilibrium_of_a_game_with_types():
    payoffs = np.array([[2.0, -1.0], [-1.0, 1.0]])
    side = BayesianPlayer(np.zeros(2, dtype=np.int64), np.ones(1))
    values = (lambda w: payoffs @ w / 2), (lambda w: -payoffs.T @ w / 2)
    for mix in next(islice(mirror_descent(lambda k, w: values[k](w), (side, side), 0.5), 1_999, None)):
        assert mix == pytest.approx([0.4, 0.6], abs=0.02)


def test_the_command_prints_regrets():
    result = CliRunner().invoke(main, ["regret", "greedy", "--games", "2"], catch_exceptions=False)
    assert result.exit_code == 0
    assert result.output.count("| round ") == 3 and "all rounds of a game" in result.output


def test_the_page_has_the_table_of_the_results(tmp_path):
    copy = shutil.copy(PAGE, tmp_path)
    CliRunner().invoke(main, ["page", "--page", copy], catch_exceptions=False)
    assert Path(copy).read_bytes() == PAGE.read_bytes()


def test_what_is_measured_of_a_round_is_a_row_of_the_table(monkeypatch):
    monkeypatch.setattr(measured, "RULES", RomansGoHome(SMALL_TABLE))
    assert measured.rounds_of(2) == [(0, 1), (1, 1)]
    result = measured.over_lines(0, 1)
    assert set(result) == set(kept(measured.LINES)[0])
    head, rule, row = measured.table_of_lines([result]).splitlines()
    assert head.count("|") == rule.count("|") == row.count("|") and row.startswith("| 0, 1 | ")


def test_plans_are_measured_between_two_players_alone():
    rules = RomansGoHome(Table(3, 0))
    with pytest.raises(ValueError, match="between two players without neutral clans"):
        round_regrets("random", rules, 2, lambda done, total: None)
