"""Tournaments with other libraries: games on Ray, standings in pandas, ratings that choix fits, too."""

import dataclasses
from itertools import combinations

import numpy as np
import pytest

from romans_env import Table
from romans_training.compare.tournament import TournamentError, tournament
from romans_training.compare.tournament.ratings import fitted_strengths
from romans_training.compare.tournament.result import FaultReport, Standing
from romans_training.measure.intervals import Estimate
from tests.policies import policy_agent
from tests.training.tournaments import result_with, untimed


def test_ray_changes_nothing(tmp_path, monkeypatch):
    pytest.importorskip("ray")
    monkeypatch.chdir(tmp_path)
    policy_agent().policy.save("some.npz")
    texts = ["greedy", "random", "policy:some.npz,sample=true"]
    alone = tournament(texts, Table(2, 0), 60, "alone")
    on_ray = tournament(texts, Table(2, 0), 60, "ray", ray="local")
    assert untimed(alone) == untimed(on_ray)


def test_no_ray_where_nobody_listens(tmp_path):
    pytest.importorskip("ray")
    with pytest.raises(TournamentError, match=r"cannot use the Ray cluster '127\.0\.0\.1:1'"):
        tournament(["greedy", "random"], Table(2, 0), 2, tmp_path, ray="127.0.0.1:1")


def test_the_standings_are_a_table():
    pytest.importorskip("pandas", reason="needs pandas; install the extra 'analysis'")
    standing = Standing(
        "a",
        Estimate(310.0, 270.0, 340.0),
        Estimate(0.8, 0.7, 0.9),
        Estimate(17.0, 16.0, 18.0),
        12,
        0.5,
        (FaultReport("error", 2, "tired"), FaultReport("time", 1, "late")),
    )
    others = result_with([("b", "c", True)])
    frame = dataclasses.replace(others, standings=(standing, *others.standings)).frame
    assert list(frame["agent"]) == ["a", "b", "c"]
    assert frame.loc[0, ["elo", "elo_low", "elo_high"]].tolist() == [310.0, 270.0, 340.0]
    assert frame.loc[0, ["win_share", "win_share_low", "points_high"]].tolist() == [0.8, 0.7, 18.0]
    assert frame.loc[0, ["games", "milliseconds", "faults"]].tolist() == [12, 0.5, 3]


@pytest.mark.parametrize("size", [2, 3])
def test_the_fit_agrees_with_choix(size):
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(1)
    strengths = np.exp(rng.normal(size=5))
    games = []
    for entries in combinations(range(5), size):
        chances = strengths[list(entries)] / strengths[list(entries)].sum()
        for winner in rng.choice(entries, size=60, p=chances).tolist():
            games.append((winner, [k for k in entries if k != winner]))
    expected = choix.opt_top1(5, games, alpha=0.0, tol=1e-12)
    line_ups = list(combinations(range(5), size))
    seats = np.array([[float(k in entries) for k in range(5)] for entries in line_ups])
    wins = np.array([[sum(winner == k for winner, _ in games) for k in range(5)]], dtype=float)
    fitted = fitted_strengths(wins, np.full((1, len(line_ups)), 60.0), seats)[0]
    assert fitted == pytest.approx(expected - expected.mean(), abs=1e-4)
