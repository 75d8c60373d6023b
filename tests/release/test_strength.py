"""The benchmark of the agents of a game against each other, and of what trade is worth in Struggle for Rome."""

import pytest
from click.testing import CliRunner

import romans_agents
from benchmarks import strength
from benchmarks.strength import WithoutTrade
from romans_env import Table
from romans_env.struggle.actions import ACCEPT, DECLINE, OFFER
from romans_training.measure.evaluation import evaluate
from tests.struggle.stages import game_at, new_game


def printed(*arguments):
    done = CliRunner().invoke(strength.main, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def rows_of(text):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]


@pytest.fixture
def meet(monkeypatch):
    """Have other agents meet in a game."""

    def meet(game, **changes):
        monkeypatch.setitem(strength.GAMES, game, strength.GAMES[game]._replace(**changes))

    return meet


def test_the_tables_of_roma(meet, monkeypatch):
    pairs = {"random": {}, "raider": {"random": 9}, "expectimax": {"random": 3, "raider": 3}}
    meet("roma", ladders=[({}, {**pairs, "flat-mc:iterations=20": {"expectimax": 2}})])
    monkeypatch.setattr(strength, "LONG", "expectimax:depth=2")
    monkeypatch.setattr(strength, "LONG_RIVAL", "raider")
    text = printed("roma", "ladder", "long", "--deals", "4", "--minutes", "0")
    rows = rows_of(text)
    assert rows[0] == ["wins % against", "random", "raider", "expectimax"]
    assert [row[0] for row in rows[2:]] == ["raider", "expectimax", "flat-mc:iterations=20"]
    # Cells are filled where the agents meet.
    filled = [[bool(cell) for cell in row[1:]] for row in rows[2:]]
    assert filled == [[True, False, False], [True, True, False], [False, False, True]]
    assert text.rstrip().splitlines()[-1].startswith("expectimax:depth=2 against raider: wins ")
    assert text.rstrip().endswith("of 4 games")


def test_the_tables_of_struggle(meet):
    fast = {"random": {"plunderer": 9}, "plunderer": {"random": 9}}
    with_searches = {**fast, "flat-mc:iterations=5": {"random": 2}}
    meet("struggle", ladders=[({"player_trade": True}, with_searches), ({"player_trade": False}, fast)])
    text = printed("struggle", "ladder", "--deals", "2")
    rows = rows_of(text)
    assert rows[0] == ["wins % against three", "random", "plunderer"]
    names = [row[0] for row in rows if "wins" not in row[0] and "-" * 3 not in row[0]]
    assert names == ["random", "plunderer", "flat-mc:iterations=5", "random", "plunderer"]
    assert [bool(cell) for cell in rows[2][1:]] == [False, True]
    heads = [line for line in text.splitlines() if "=" in line and "|" not in line]
    assert heads == ["player_trade=true", "player_trade=false"]


@pytest.mark.parametrize(
    ("game", "found", "games"),
    [
        ("roma", {"quaestor": {"random": 3, "raider": 100}, "policy-rollouts:iterations=20": {"random": 2}}, [6, 8, 4]),
        (
            "struggle",
            {"chieftain": {"random": 9}, "stilicho:iterations=4,turns=1": {"random": 2, "trader": 1}},
            [16, 8, 4],
        ),
    ],
)
def test_the_tables_of_the_trained_agents(meet, game, found, games):
    meet(game, trained=found)
    rows = [row for row in rows_of(printed(game, "trained", "--deals", "4")) if "[" in row[1]]
    assert [row[0] for row in rows] == [rival for rivals in found.values() for rival in rivals]
    # Every deal is played from every seat.
    assert [int(row[2]) for row in rows] == games


def test_the_table_of_a_policy():
    agents, tables = ("--policy", "random", "--against", "greedy,mixer"), ("--table", "2+0", "--table", "3+0")
    text = printed("romans-go-home", "trained", *agents, *tables, "--deals", "2")
    rows = [row for row in rows_of(text) if "[" in row[2]]
    found = [(row[0], row[1], row[-1]) for row in rows]
    assert found[:2] == [("2+0", "greedy", "4"), ("2+0", "mixer", "4")]
    assert found[2:] == [("3+0", "2 x greedy", "6"), ("3+0", "2 x mixer", "6")]


def test_shares_of_an_agent_and_of_its_rival_are_one():
    one, other = (
        strength.share_of("roma", romans_agents.make(agent, game="roma"), rival, num_deals=50)
        for agent, rival in (("raider", "denier"), ("denier", "raider"))
    )
    assert one.mean + other.mean == pytest.approx(1.0)


def test_the_table_of_trade(monkeypatch):
    monkeypatch.setattr(strength, "EQUALS", ("trader", "chieftain", "chieftain", "chieftain"))
    rows = {row[0]: row[1:] for row in rows_of(printed("struggle", "trade", "--deals", "2"))}
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


@pytest.mark.parametrize("table", [Table(2, 1, "vogel"), Table(3, 0)], ids=str)
def test_round_response_beats_a_weak_agent_at_larger_tables(table):
    others = [romans_agents.make("skirmisher") for _ in range(table.num_players - 1)]
    result = evaluate(romans_agents.make("round-response:iterations=4000"), others, table, 2, seed=2)
    assert result.mean_return.mean > 0.2
