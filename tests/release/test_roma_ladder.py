"""The benchmark of the agents of Roma against each other."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from benchmarks import roma_ladder


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(roma_ladder, "FAST", ("random", "raider"))
    monkeypatch.setattr(roma_ladder, "SEARCHES", {"expectimax": 3, "flat-mc:iterations=20": 2})
    monkeypatch.setattr(roma_ladder, "SLOWEST", "flat-mc:iterations=20")
    monkeypatch.setattr(roma_ladder, "ITS_RIVALS", ("expectimax",))
    monkeypatch.setattr(roma_ladder, "LONG", "expectimax:depth=2")
    monkeypatch.setattr(roma_ladder, "LONG_RIVAL", "raider")


def test_the_tables():
    done = CliRunner().invoke(roma_ladder.main, ["ladder", "long", "--deals", "4", "--minutes", "0"])
    assert done.exit_code == 0, done.output
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines() if "|" in line]
    assert rows[0] == ["wins % against", "random", "raider", "expectimax"]
    assert [row[0] for row in rows[2:]] == ["raider", "expectimax", "flat-mc:iterations=20"]
    # Every agent but the slowest meets every other one.
    assert [[bool(cell) for cell in row[1:]] for row in rows[2:]] == [
        [True, False, False],
        [True, True, False],
        [False, False, True],
    ]
    assert done.stdout.rstrip().splitlines()[-1].startswith("expectimax:depth=2 against raider: wins ")
    assert done.stdout.rstrip().endswith("of 4 games")


def test_the_tables_of_the_trained_agents(monkeypatch):
    found = {"quaestor": {"random": 3, "raider": 100}, "policy-rollouts:iterations=20": {"random": 2}}
    monkeypatch.setattr(roma_ladder, "TRAINED", found)
    done = CliRunner().invoke(roma_ladder.main, ["trained", "--deals", "4"])
    assert done.exit_code == 0, done.output
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines() if "[" in line]
    assert [(row[0], row[-1]) for row in rows] == [("random", "6"), ("raider", "8"), ("random", "4")]


def test_shares_of_an_agent_and_of_its_rival_are_one():
    one, other = (roma_ladder.share_of(*pair, num_deals=50) for pair in (("raider", "denier"), ("denier", "raider")))
    assert one.mean + other.mean == pytest.approx(1.0)
