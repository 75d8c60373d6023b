"""ROMA 1: cards, discs, points."""

from collections import Counter

from romans_env.roma.material import CARDS, COPIES, COST, DEFENCE, NUM_CHARACTERS
from tests.roma.stages import Stage, new_game

TABLE = """
    sicarius 1 9 2      praetorianus 2 4 4  aesculapinum 2 5 2
    architectus 2 3 4   scaenicus 2 8 3     basilica 2 6 5
    consiliarius 2 4 4  haruspex 2 4 3      machina 2 4 4
    legat 2 5 2         senator 2 3 3       forum 6 5 5
    gladiator 2 6 5     velites 2 5 3       mercatus 2 6 3
    mercator 1 7 2      essedum 2 6 3       onager 2 5 4
    consul 2 3 3        tribunus 2 5 5      templum 2 2 2
    legionarius 3 4 5   centurio 2 9 5      turris 2 6 6
    nero 1 8 9
"""
BUILDINGS = ["aesculapinum", "basilica", "machina", "forum", "mercatus", "onager", "templum", "turris"]


def test_1_1_player_0_begins_and_has_the_odd_turns():
    game = new_game(seed=1)
    assert game.players == ("player_0", "player_1") and game.agent_to_act == "player_0"
    assert Stage((1, 2, 4), turn=7).decision["agent"] == "player_0"
    assert Stage((1, 2, 4), turn=8).decision["agent"] == "player_1"


def test_1_2_copies_cost_and_defence():
    words = TABLE.split()
    rows = {words[k]: tuple(map(int, words[k + 1 : k + 4])) for k in range(0, len(words), 4)}
    found = {name: (int(COPIES[k]), int(COST[k]), int(DEFENCE[k])) for k, name in enumerate(CARDS)}
    assert found == rows
    assert COPIES.sum() == 52 and COPIES[:NUM_CHARACTERS].sum() == 32 and NUM_CHARACTERS == 17
    assert list(CARDS[NUM_CHARACTERS:]) == BUILDINGS


def test_1_3_adjacent_discs_differ_by_one_and_1_and_6_do_not():
    stage = Stage((1, 3, 5), own={1: "forum", 2: "basilica", 6: "basilica"})
    assert stage.play("activate:1", "die:5").mine["points"] == 10 + 5 + 2
    stage = Stage((6, 3, 5), own={6: "forum", 1: "basilica"})
    assert stage.play("activate:6", "die:5").mine["points"] == 10 + 5


def test_1_3_a_disc_holds_one_card_and_opposite_discs_have_equal_numbers():
    stage = Stage((3, 1, 2), own={3: "legionarius"}, rival={3: "forum", 4: "forum"}, outcomes=[6])
    assert stage.play("activate:3").theirs["discs"] == [None, None, None, "forum", None, None]


def test_1_4_ten_points_each_sixteen_in_the_stock_no_money():
    position = new_game(seed=3).position()
    assert position["stock"] == 16
    assert [(one["points"], one["money"]) for one in position["players"].values()] == [(10, 0), (10, 0)]


def test_1_5_pile_and_discard_pile_are_multisets():
    position = new_game(seed=3).position()
    cards = Counter(position["pile"])
    for one in position["players"].values():
        cards += Counter(one["hand"])
    assert sum(cards.values()) == 52 and position["pile_size"] == 44 and position["discard"] == {}
