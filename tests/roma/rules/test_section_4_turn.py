"""ROMA 4: a turn."""

import pytest

from tests.roma.stages import Stage

ALL = dict.fromkeys((1, 2), "templum") | {3: "basilica", 4: "basilica", 5: "turris", 6: "turris"}


def test_4_1_4_3_turns_alternate_and_three_dice_are_thrown():
    stage = Stage((1, 2, 4), turn=5, outcomes=[6, 3, 5])
    stage.play("end")
    assert (stage.position["turn"], stage.decision["agent"]) == (6, "player_1")
    assert stage.position["dice"] == [3, 5, 6]


def test_4_2_a_point_for_each_free_disc():
    stage = Stage((1, 2, 4), rival={1: "forum", 4: "forum"}, outcomes=[1, 2, 4])
    stage.play("end")
    assert stage.theirs["points"] == 6 and stage.position["stock"] == 20


def test_4_2_who_has_fewer_pays_all_he_has():
    stage = Stage((1, 2, 4), points=(30, 3), outcomes=[1, 2, 4])
    stage.play("end")
    assert stage.theirs["points"] == 0 and stage.position["stock"] == 6
    assert stage.game.is_over and stage.outcomes_used == 0
    assert stage.position["turn"] == 2 and stage.position["dice"] == []


def test_4_2_with_no_free_disc_nothing_is_paid():
    stage = Stage((1, 2, 4), rival=ALL, outcomes=[1, 2, 4])
    assert stage.play("end").theirs["points"] == 10


def test_4_3_three_equal_dice_may_be_thrown_again_and_again():
    stage = Stage((4, 4, 4), outcomes=[2, 2, 2, 5, 5, 1])
    assert stage.legal == ["stand", "throw"] and stage.asked() == ("triple", None, None, None)
    assert stage.position["dice"] == [4, 4, 4]
    stage.play("throw")
    assert stage.legal == ["stand", "throw"] and stage.position["dice"] == [2, 2, 2]
    stage.play("throw")
    assert stage.asked()[0] == "main" and stage.position["dice"] == [1, 5, 5]
    assert Stage((4, 4, 4)).play("stand").position["dice"] == [4, 4, 4]


def test_4_3_dice_that_become_equal_later_are_not_thrown_again():
    stage = Stage((6, 3, 2), own={6: "consul"})
    stage.play("activate:6", "die:2", "plus")
    assert stage.position["dice"] == [3, 3] and stage.asked()[0] == "main"


def test_4_4_laying_costs_money_and_needs_no_die():
    stage = Stage((1, 2, 4), hand=["legat", "templum", "nero"], money=(5, 0))
    assert stage.legal_of("lay") == [f"lay:{card}:{disc}" for card in ("legat", "templum") for disc in range(1, 7)]
    stage.play("lay:legat:3")
    assert (stage.mine["money"], stage.mine["discs"][2], stage.position["dice"]) == (0, "legat", [1, 2, 4])
    assert stage.mine["hand"] == {"nero": 1, "templum": 1} and stage.legal_of("lay") == []


def test_4_4_a_die_for_money():
    stage = Stage((2, 2, 5))
    assert stage.legal_of("money") == ["money:2", "money:5"]
    stage.play("money:2")
    assert stage.mine["money"] == 2 and stage.position["dice"] == [2, 5]


def test_4_4_a_die_for_cards_of_which_one_is_kept():
    stage = Stage((3, 1, 1), outcomes=["forum", "nero", "forum"])
    assert stage.legal_of("cards") == ["cards:1", "cards:3"]
    stage.play("cards:3")
    assert stage.asked() == ("keep", None, None, None) and stage.legal == ["keep:forum", "keep:nero"]
    assert stage.mine["aside"] == {"forum": 2, "nero": 1}
    stage.play("keep:forum")
    assert stage.mine["hand"] == {"forum": 1} and stage.discard == {"forum": 1, "nero": 1}


def test_4_4_no_cards_where_there_are_none():
    stage = Stage((3, 1, 2), pile=[], is_whole=False)
    assert stage.legal_of("cards") == []
    stage = Stage((3, 1, 2), pile=[], discard=["nero"], is_whole=False)
    assert stage.legal_of("cards") == ["cards:1", "cards:2", "cards:3"]


def test_4_4_a_die_activates_the_card_on_its_disc():
    stage = Stage((3, 1, 2), own={3: "tribunus", 4: "tribunus"})
    assert stage.legal_of("activate") == ["activate:3"]
    stage.play("activate:3")
    assert stage.mine["points"] == 11 and stage.position["dice"] == [1, 2]


def test_4_4_end_is_always_legal_and_happens_by_itself():
    stage = Stage((3, 1, 2), outcomes=[1, 2, 4])
    assert "end" in stage.legal
    assert stage.play("end").position["turn"] == 2
    stage = Stage((3,), outcomes=[1, 2, 4])
    assert stage.play("money:3").position["turn"] == 2


@pytest.mark.parametrize("turn", [1, 200])
def test_4_5_the_end_of_a_turn(turn):
    stage = Stage((2, 1, 4), own={2: "essedum"}, rival={1: "forum"}, blocked=[5], outcomes=[1, 2, 4], turn=turn)
    stage.play("activate:2")
    assert (stage.position["essedum"], stage.mine["blocked"]) == (1, [5])
    stage.play("end")
    assert (stage.position["essedum"], stage.mine["blocked"]) == (0, [])
    assert stage.game.is_over == (stage.decision is None) == (turn == 200)
    assert (stage.position["turn"], stage.position["dice"]) == ((2, [1, 2, 4]) if turn == 1 else (200, []))
