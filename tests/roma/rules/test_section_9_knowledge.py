"""ROMA 9: what a seat knows."""

from tests.roma.openings import GIFTS, after
from tests.roma.stages import Stage


def test_9_1_hidden_cards():
    game = after("give:turris")
    seen = game.position("player_1")
    assert seen["players"]["player_0"]["hand"] is None and seen["players"]["player_0"]["aside"] is None
    assert seen["players"]["player_0"]["hand_size"] == 3 and seen["pile"] is None and seen["pile_size"] == 44
    assert game.position("player_0")["players"]["player_0"]["aside"] == {"turris": 1}
    assert game.position("player_0")["pile"] is None
    stage = Stage((3, 1, 2), outcomes=["nero", "legat"], rival_hand=["forum"]).play("cards:2")
    assert stage.game.position("player_1")["players"]["player_0"]["aside"] is None
    assert stage.game.position("player_0")["players"]["player_0"]["aside"] == {"nero": 1, "legat": 1}


def test_9_2_a_the_exchange():
    players = after(*GIFTS).position("player_0")["players"]
    assert players["player_0"]["known"] == {"basilica": 1, "forum": 1}
    assert players["player_1"]["known"] == {"turris": 1, "consul": 1}
    assert after("give:turris").position()["players"]["player_1"]["known"] == {}


def test_9_2_b_cards_that_go_openly_to_a_hand():
    stage = Stage((3, 3, 2), own={3: "gladiator"}, rival={2: "nero", 4: "legat"}, rival_hand=["turris"])
    stage.play("activate:3", "rival:2", "activate:3")
    assert stage.theirs["known"] == {"nero": 1, "legat": 1} and stage.theirs["hand_size"] == 3
    stage = Stage((3, 1, 2), own={3: "aesculapinum"}, discard=["consul"]).play("activate:3")
    assert stage.mine["known"] == {"consul": 1}


def test_9_2_c_who_looks_through_the_pile_knows_the_rivals_hidden_cards():
    stage = Stage((3, 1, 2), own={3: "haruspex"}, rival_hand=["turris", "forum"], hand=["nero"]).play("activate:3")
    assert stage.theirs["known"] == {"turris": 1, "forum": 1} and stage.mine["known"] == {}
    assert stage.game.position("player_0")["pile"] is not None and stage.game.position("player_1")["pile"] is None


def test_9_2_d_the_last_card_of_the_pile():
    position = {"pile": ["nero"], "rival_hand": ["turris"], "hand": ["forum"], "outcomes": ["nero"]}
    stage = Stage((1, 3, 2), **position).play("cards:1")
    assert stage.mine["known"] == {"nero": 1, "forum": 1} and stage.theirs["known"] == {"turris": 1}
    stage = Stage((3, 1, 2), own={3: "haruspex"}, **position).play("activate:3")
    assert stage.mine["known"] == {"nero": 1, "forum": 1} and stage.theirs["known"] == {"turris": 1}


def test_9_2_e_laid_cards_are_forgotten():
    hand = {"hand": ["forum", "forum", "nero"], "known": ["forum"]}
    stage = Stage((3, 1, 2), money=(20, 0), **hand).play("lay:nero:1")
    assert stage.mine["known"] == {"forum": 1}
    assert stage.play("lay:forum:2").mine["known"] == {}  # even if the other one was meant
    stage = Stage((3, 1, 2), own={3: "architectus"}, **hand).play("activate:3", "lay:forum:2")
    assert stage.mine["known"] == {}
    stage = Stage((3, 1, 2), own={3: "senator"}, hand=["nero", "forum"], known=["nero"]).play(
        "activate:3", "lay:nero:2"
    )
    assert stage.mine["known"] == {}


def test_9_2_e_discarded_cards_are_forgotten():
    stage = Stage((2, 1, 3), hand=["forum"], known=["forum"], outcomes=["forum", "nero"])
    assert stage.play("cards:2", "keep:nero").mine["known"] == {}
    assert stage.mine["hand"] == {"forum": 1, "nero": 1}
