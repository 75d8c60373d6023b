"""The benchmark of the agents of Struggle for Rome against each other, and of what trade is worth."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from benchmarks import struggle_ladder
from benchmarks.struggle_ladder import WithoutTrade, counts_of, rotations
from romans_env.struggle.actions import ACCEPT, DECLINE, OFFER
from tests.struggle.stages import game_at, new_game


def rows_of(text):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]


def test_the_tables(monkeypatch):
    monkeypatch.setattr(struggle_ladder, "FAST", ("random", "plunderer"))
    monkeypatch.setattr(struggle_ladder, "SEARCHES", {"flat-mc:iterations=5": 2})
    monkeypatch.setattr(struggle_ladder, "SEARCHED", ("random",))
    done = CliRunner().invoke(struggle_ladder.main, ["ladder", "--deals", "2"])
    assert done.exit_code == 0, done.output
    rows = rows_of(done.stdout)
    assert rows[0] == ["wins % against three", "random", "plunderer"]
    names = [row[0] for row in rows if "wins" not in row[0] and "-" * 3 not in row[0]]
    assert names == ["random", "plunderer", "flat-mc:iterations=5", "random", "plunderer"]
    assert [bool(cell) for cell in rows[2][1:]] == [False, True]


def test_the_tables_of_the_trained_agents(monkeypatch):
    found = {"chieftain": {"random": 9, "trader": 9}, "stilicho:iterations=4,turns=1": {"random": 2, "trader": 2}}
    monkeypatch.setattr(struggle_ladder, "TRAINED", found)
    done = CliRunner().invoke(struggle_ladder.main, ["trained", "--deals", "2"])
    assert done.exit_code == 0, done.output
    assert [(row[0], row[2]) for row in rows_of(done.stdout) if "[" in row[1]] == [
        ("random", "8"),
        ("trader", "8"),
        ("random", "8"),
        ("trader", "8"),
    ]


def test_the_table_of_trade(monkeypatch):
    monkeypatch.setattr(struggle_ladder, "EQUALS", ("trader", "chieftain", "chieftain", "chieftain"))
    done = CliRunner().invoke(struggle_ladder.main, ["trade", "--deals", "2"])
    assert done.exit_code == 0, done.output
    rows = {row[0]: row[1:] for row in rows_of(done.stdout)}
    assert rows["offers, mean"][1] == rows["accepted, mean"][1] == "0.0 [0.0, 0.0]" != rows["offers, mean"][0]
    assert any(name.startswith("wins of `trader` without trade") for name in rows)


def test_an_agent_without_trade_makes_no_offers_and_takes_none():
    agent = WithoutTrade("trader")
    game = game_at("answer")
    assert agent.act(game.view(game.seat_to_act)) == DECLINE
    game = new_game(1, num_players=3)
    while not game.is_over:
        action = agent.act(game.view(game.seat_to_act))
        assert not OFFER <= action <= ACCEPT
        game.act(action)


def test_games_are_counted():
    with_trade, without = (counts_of(1, ("trader", "trader", "trader", "trader"), trade) for trade in (True, False))
    assert with_trade == counts_of(1, ("trader", "trader", "trader", "trader"), True)
    assert with_trade.accepted <= with_trade.offers > without.offers == without.accepted == 0
    assert 1 <= without.rounds < without.decisions
    assert rotations("abc") == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]


@pytest.mark.parametrize("deals", ["1", "0"])
def test_too_few_deals_are_refused(deals):
    assert "Invalid value for '--deals'" in CliRunner().invoke(struggle_ladder.main, ["--deals", deals]).output
