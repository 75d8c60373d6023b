"""Nash ratings: what the equilibrium of a field is, that no copy moves them, and how they are printed."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import entropy

from romans_env import Table
from romans_training.compare.tournament import tournament
from romans_training.compare.tournament.comparison import Comparison
from romans_training.compare.tournament.nash import equilibrium_of, nash_ratings_of
from romans_training.compare.tournament.ratings import ratings_of
from romans_training.compare.tournament.report import equilibrium_in_words
from romans_training.reporting import in_percent

CYCLE = np.array([[0.0, 0.2, -0.2], [-0.2, 0.0, 0.2], [0.2, -0.2, 0.0]])


def copied(payoffs, *entries):
    return payoffs[np.ix_(entries, entries)]


@pytest.mark.parametrize(
    ("payoffs", "weights"),
    [
        (CYCLE, [1 / 3, 1 / 3, 1 / 3]),
        (copied(CYCLE, 0, 0, 1, 2), [1 / 6, 1 / 6, 1 / 3, 1 / 3]),
        (np.zeros((4, 4)), [0.25] * 4),
        ([[0, 0.1, 0.3], [-0.1, 0, 0.2], [-0.3, -0.2, 0]], [1, 0, 0]),
        # Every mixture of the first two with no more of the second is one: entropy decides.
        ([[0, 0, 0.1], [0, 0, -0.1], [-0.1, 0.1, 0]], [0.5, 0.5, 0]),
        ([[0, 0.2, -0.4], [-0.2, 0, 0.3], [0.4, -0.3, 0]], [3 / 9, 4 / 9, 2 / 9]),
    ],
)
def test_the_equilibrium_of_small_fields(payoffs, weights):
    assert equilibrium_of(np.array(payoffs, dtype=float)) == pytest.approx(weights, abs=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_the_equilibrium_is_one_and_none_has_more_entropy(seed):
    rng = np.random.default_rng(seed)
    payoffs = np.round(rng.normal(size=(6, 6)), 1) / 10  # rounded: ties, so that equilibria are many
    payoffs -= payoffs.T
    payoffs = copied(payoffs, *range(6), *rng.integers(0, 6, size=3))
    weights = equilibrium_of(payoffs)
    assert weights.sum() == pytest.approx(1) and weights.min() >= 0
    assert (payoffs @ weights).max() < 1e-6
    others = [
        linprog(rng.normal(size=9), A_ub=payoffs, b_ub=np.zeros(9), A_eq=np.ones((1, 9)), b_eq=[1]).x for _ in range(8)
    ]
    mixture = np.mean(others, axis=0)
    assert max(entropy(other) for other in [*others, mixture]) <= entropy(weights) + 1e-6


def comparisons_with(shares, deals=400):
    """Pairs that won just these shares of deals."""
    found = []
    for a in range(len(shares)):
        for b in range(a + 1, len(shares)):
            won = (np.arange(deals) < shares[a][b] * deals).astype(float)
            found.append(Comparison((a, b), np.ones(2), np.stack([won, 1 - won], axis=1)))
    return found


def rated(shares):
    comparisons = comparisons_with(shares)
    elo = [one.mean for one in ratings_of(comparisons, len(shares), samples=20).elo]
    return elo, nash_ratings_of(comparisons, elo, samples=30)


def test_a_copy_moves_elo_and_no_nash_rating():
    # A cycle of three, and a weaker one.
    shares = np.array([[0.5, 0.7, 0.25, 0.8], [0.3, 0.5, 0.8, 0.7], [0.75, 0.2, 0.5, 0.9], [0.2, 0.3, 0.1, 0.5]])
    elo, nash = rated(shares)
    more, with_copy = rated(copied(shares, 0, 1, 2, 3, 1))
    before, after = ([one.mean for one in ratings[:4]] for ratings in (nash.ratings, with_copy.ratings))
    assert after == pytest.approx(before, abs=1e-5)
    assert sum(with_copy.weights[k].mean for k in (1, 4)) == pytest.approx(nash.weights[1].mean, abs=1e-4)
    moved = np.subtract(more[:4], elo) - (more[0] - elo[0])
    assert np.abs(moved).max() > 20
    assert nash.cycle == (0, 1, 2) and with_copy.cycle is not None
    assert nash.unexplained > 0.3
    assert all(rating.low <= rating.mean <= rating.high <= 1e-6 for rating in nash.ratings)


def test_ratings_on_one_scale_explain_a_field_without_a_cycle():
    strengths = np.array([4.0, 2.0, 1.0])
    _, nash = rated(strengths[:, None] / (strengths[:, None] + strengths))
    assert nash.unexplained < 0.01 and nash.cycle is None
    assert [weight.mean for weight in nash.weights] == pytest.approx([1, 0, 0], abs=1e-6)


@pytest.mark.parametrize(("share", "deals", "cycle"), [(0.58, 60, None), (0.54, 4000, (0, 1, 2)), (0.5, 4000, None)])
def test_a_cycle_is_more_than_chance(share, deals, cycle):
    comparisons = comparisons_with([[0.5, share, 1 - share], [0, 0.5, share], [0, 0, 0.5]], deals)
    assert nash_ratings_of(comparisons, [0.0] * 3, samples=100).cycle == cycle


def test_a_copy_of_an_agent_in_a_tournament_moves_no_nash_rating(tmp_path):
    agents = ("greedy", "legionary", "hoarder")
    before = tournament(agents, Table(2, 0), 40, tmp_path / "a", nash=True)
    after = tournament((*agents, "legionary"), Table(2, 0), 40, tmp_path / "b", nash=True)
    there = {standing.label: rating for standing, rating in zip(after.standings, after.nash.ratings, strict=True)}
    for standing, rating in zip(before.standings, before.nash.ratings, strict=True):
        assert there[standing.label].mean == pytest.approx(rating.mean, abs=1e-3)
    assert there["legionary #2"].mean == pytest.approx(there["legionary"].mean, abs=1e-3)
    assert len(equilibrium_in_words(before)) == 1
    in_a_cycle = replace(before, nash=before.nash._replace(cycle=(2, 0, 1)))
    share = in_percent(before.shares[2][0])
    first, second, third = (before.standings[k].label for k in (2, 0, 1))
    assert equilibrium_in_words(in_a_cycle)[1].startswith(
        f"A cycle, which no single scale shows: {first} beats {second} ({share} %), which beats {third} ("
    )


@pytest.mark.parametrize("game", ["romans-go-home", "struggle"])
def test_the_command_says_what_the_equilibrium_is_and_writes_battles(game, called, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ("random", "greedy", "hoarder") if game == "romans-go-home" else ("random", "chieftain")
    deals = 6 if game == "romans-go-home" else 2
    options = ["--game", game, "--deals", deals, "--jobs", 1, "--ratings", "elo,nash", "--battles", "battles.csv"]
    code, out, err = called("tournament", *names, *options, "--folder", "cup")
    assert code == 0, err
    assert "The equilibrium of this field: " in out and "Nash" in out and "weight %" in out
    result = json.loads((tmp_path / "cup" / "tournament.json").read_text())
    assert len(result["nash"]["ratings"]) == len(names)
    assert sum(weight["mean"] for weight in result["nash"]["weights"]) == pytest.approx(1)
    rows = list(csv.DictReader((tmp_path / "battles.csv").open()))
    assert {row["winner"] for row in rows} <= {"model_a", "model_b", "tie"}
    if game == "romans-go-home":
        assert len(rows) == result["num_games"]
        first, second = (standing["label"] for standing in result["standings"][:2])
        won = sum(
            {"model_a": row["model_a"] == first, "model_b": row["model_b"] == first}.get(row["winner"], 0.5)
            for row in rows
            if {row["model_a"], row["model_b"]} == {first, second}
        )
        assert won / 12 == pytest.approx(result["shares"][0][1]["mean"])


def test_without_being_asked_there_are_no_nash_ratings_and_a_hole_is_told(called, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ["tournament", "random", "greedy", "hoarder", "--deals", 2, "--jobs", 1, "--folder", "cup"]
    code, out, err = called(*command)
    assert code == 0 and "equilibrium" not in out
    assert "nash" not in json.loads((tmp_path / "cup" / "tournament.json").read_text())
    code, out, err = called(*command, "--line-ups", 2, "--ratings", "elo,nash")
    assert code == 0 and "equilibrium" not in out and "no Nash ratings: two agents never met" in err
