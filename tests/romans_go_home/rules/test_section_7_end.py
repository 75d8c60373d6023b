"""RULES 7: the end, the winners and the returns."""

import pytest

from tests.romans_go_home.stages import TABLES, new_game, table_id, with_forts
from tests.tools import played


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_7_1_the_game_ends_after_the_third_round_or_by_three_legion_forts(table):
    for seed in range(20):
        game = played(new_game(table, seed), seed)
        position = game.position()
        legions = {
            player: sum(fort.startswith("legion") for fort in position["clans"][player]["forts"])
            for player in game.players
        }
        if max(legions.values()) >= 3:
            assert game.winners() == [max(legions, key=legions.__getitem__)]
        else:
            assert (position["round"], position["turn"]) == (3, 6)
            assert position["wall"] == [None] * 6


# Pairs of captured forts: the first player wins, by the rule named.
RANKED = [
    pytest.param("dinary-6", "dinary-1 dinary-3", id="most points"),
    pytest.param("dinary-1", "", id="a point or none"),
    pytest.param("", "legion-1", id="none is more than -1"),
    pytest.param("legion-1", "legion-2", id="-1 is more than -2"),
    pytest.param("dinary-1 dinary-3", "dinary-4", id="then most forts"),
    pytest.param("legion-1 dinary-5", "signal-4", id="forts below zero count as forts"),
    pytest.param("dinary-1 dinary-5", "unwary-2 signal-4", id="then the best fort"),
    pytest.param("legion-3 dinary-1", "legion-1 legion-1", id="the best fort of those below zero"),
    pytest.param("dinary-1 legion-1", "", id="0 points with a fort or without"),
]


@pytest.mark.parametrize(("better", "worse"), RANKED)
def test_7_2_the_ranking(better, worse):
    game = with_forts((2, 0), {"player_0": better, "player_1": worse})
    assert game.winners() == ["player_0"]
    game = with_forts((2, 0), {"player_0": worse, "player_1": better})
    assert game.winners() == ["player_1"]
    game = with_forts((4, 0), {"player_0": worse, "player_1": worse, "player_2": better, "player_3": worse})
    assert game.winners() == ["player_2"]


@pytest.mark.parametrize("forts", ["", "legion-1", "dinary-1 legion-1", "dinary-6 dinary-3"])
def test_7_2_players_still_level_share_the_win(forts):
    assert with_forts((2, 0), {"player_0": forts, "player_1": forts}).winners() == ["player_0", "player_1"]


def test_7_2_level_means_points_number_of_forts_and_best_fort_only():
    # 4 points, 2 forts, the best worth 4: Signal and dinary-4 are alike.
    game = with_forts((3, 0), {"player_0": "signal-4 dinary-3", "player_1": "dinary-4 dinary-3", "player_2": ""})
    assert game.winners() == ["player_0", "player_1"]


@pytest.mark.parametrize(
    ("forts", "winners", "value"),
    [
        ({"player_0": "dinary-6", "neutral_0": "dinary-5", "neutral_1": ""}, ["player_0"], 1.0),
        ({"player_0": "dinary-5", "neutral_0": "", "neutral_1": "dinary-5"}, ["player_0", "neutral_1"], 0.0),
        ({"player_0": "dinary-5", "neutral_0": "dinary-6", "neutral_1": ""}, ["neutral_0"], -1.0),
        # by 7.2 in full: as many points, and more forts
        ({"player_0": "dinary-1 dinary-3", "neutral_0": "dinary-4", "neutral_1": ""}, ["player_0"], 1.0),
        ({"player_0": "dinary-4", "neutral_0": "dinary-1 dinary-3", "neutral_1": ""}, ["neutral_0"], -1.0),
        # one neutral
        ({"player_0": "", "neutral_0": ""}, ["player_0", "neutral_0"], 0.0),
        ({"player_0": "", "neutral_0": "legion-1"}, ["player_0"], 1.0),
        ({"player_0": "", "neutral_0": "dinary-1"}, ["neutral_0"], -1.0),
    ],
)
def test_7_3_a_player_alone_is_ranked_with_the_neutrals(forts, winners, value):
    game = with_forts((1, len(forts) - 1), forts)
    assert game.winners() == winners
    assert game.returns() == {"player_0": value}


@pytest.mark.parametrize(
    ("forts", "returns"),
    [
        (["dinary-6", ""], [1, -1]),
        (["dinary-6", "dinary-6"], [0, 0]),
        (["", "dinary-6", ""], [-1 / 2, 1, -1 / 2]),
        (["dinary-6", "dinary-6", ""], [1 / 4, 1 / 4, -1 / 2]),
        (["dinary-6", "dinary-6", "dinary-6"], [0, 0, 0]),
        (["", "", "", "dinary-6"], [-1 / 3, -1 / 3, -1 / 3, 1]),
        (["", "dinary-6", "", "dinary-6"], [-1 / 3, 1 / 3, -1 / 3, 1 / 3]),
        (["dinary-6", "dinary-6", "", "dinary-6"], [1 / 9, 1 / 9, -1 / 3, 1 / 9]),
    ],
)
def test_7_4_the_returns(forts, returns):
    game = with_forts((len(forts), 0), {f"player_{seat}": names for seat, names in enumerate(forts)})
    assert list(game.returns().values()) == pytest.approx(returns, abs=1e-12)
    assert sum(game.returns().values()) == pytest.approx(0, abs=1e-12)


def test_7_4_neutrals_do_not_count_among_the_players():
    game = with_forts((2, 2), {"player_0": "dinary-1", "player_1": "dinary-1", "neutral_0": "tax-8", "neutral_1": ""})
    assert game.returns() == {"player_0": 0.0, "player_1": 0.0}


def test_7_4_a_win_by_legion_forts_is_a_sole_win():
    game = with_forts(
        (3, 0), {"player_0": "tax-8", "player_1": "legion-1 legion-2 legion-3", "player_2": ""}, "player_1"
    )
    assert game.returns() == {"player_0": -0.5, "player_1": 1.0, "player_2": -0.5}
