"""ROMA 3: the opening."""

from tests.roma.openings import GIFTS, after
from tests.roma.stages import legal_names


def test_3_1_player_0_draws_four_cards_then_player_1():
    players = after().position()["players"]
    assert players["player_0"]["hand"] == {"legat": 1, "consul": 1, "forum": 1, "turris": 1}
    assert players["player_1"]["hand"] == {"legionarius": 1, "basilica": 1, "forum": 1, "onager": 1}


def test_3_2_each_gives_two_cards():
    game = after("give:turris")
    assert legal_names(game) == ["give:consul", "give:forum", "give:legat"]
    assert game.position()["players"]["player_0"]["aside"] == {"turris": 1}
    game.act("give:consul")
    assert game.agent_to_act == "player_1"
    assert legal_names(game) == ["give:basilica", "give:forum", "give:legionarius", "give:onager"]
    players = after(*GIFTS).position()["players"]
    assert players["player_0"]["hand"] == {"legat": 1, "basilica": 1, "forum": 2}
    assert players["player_1"]["hand"] == {"consul": 1, "legionarius": 1, "onager": 1, "turris": 1}
    assert players["player_0"]["aside"] == players["player_1"]["aside"] == {}


def test_3_3_four_cards_are_laid_face_down_on_free_discs_free_of_cost():
    game = after(*GIFTS)
    assert len(game.legal_actions()) == 3 * 6
    game.act("lay:forum:3")
    assert len(game.legal_actions()) == 3 * 5 and "lay:legat:3" not in legal_names(game)
    player = game.position()["players"]["player_0"]
    assert player["face_down"] == [3] and player["discs"][2] == "forum" and player["money"] == 0
    for action in ("lay:basilica:4", "lay:forum:5", "lay:legat:1"):
        game.act(action)
    assert game.agent_to_act == "player_1"
    seen = game.position("player_1")["players"]["player_0"]
    assert seen["face_down"] == [1, 3, 4, 5] and seen["discs"] == [None] * 6


def test_3_4_all_cards_are_turned_face_up_and_turn_1_begins():
    game = after(*GIFTS, "lay:forum:3", "lay:basilica:4", "lay:forum:5", "lay:legat:1")
    for action in ("lay:onager:2", "lay:legionarius:3", "lay:turris:5", "lay:consul:6"):
        game.act(action)
    position = game.position("player_1")
    assert position["turn"] == 1 and position["decision"]["kind"] == "main"
    assert position["players"]["player_0"]["discs"] == ["legat", None, "forum", "basilica", "forum", None]
    assert position["players"]["player_0"]["face_down"] == position["players"]["player_1"]["face_down"] == []
    assert position["players"]["player_0"]["known"] == {} and position["pile"]["forum"] == 4
