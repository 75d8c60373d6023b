"""ROMA 11: the worked examples, line by line."""

from tests.roma.openings import EXAMPLE_OUTCOMES, example_game
from tests.roma.stages import before_the_last_payment, copying, legal_names, short_pile


def test_11_1_opening_and_two_turns():
    game = example_game()
    position = game.position()
    assert (position["turn"], position["stock"], position["dice"]) == (1, 18, [1, 3, 6])
    assert game.points() == {"player_0": 8, "player_1": 10}
    game.act("activate:1")
    assert (game.points()["player_0"], game.position()["stock"]) == (10, 16)
    game.act("activate:3")
    assert game.points() == {"player_0": 18, "player_1": 8}
    position = game.position()
    assert (position["turn"], position["stock"], position["dice"]) == (2, 10, [2, 3, 5])
    assert game.agent_to_act == "player_1"
    game.act("activate:3")
    assert game.position()["discard"] == {"forum": 1} and game.position()["players"]["player_0"]["discs"][2] is None
    game.act("activate:2")
    assert legal_names(game) == ["rival:4", "rival:5"]
    game.act("rival:4")
    assert game.position()["players"]["player_0"]["discs"][3] == "basilica"
    assert game.position()["decision"]["kind"] == "main" and game.position()["dice"] == [5]
    assert game.deal()["outcomes"] == EXAMPLE_OUTCOMES


def test_11_2_defence_and_copying():
    stage = copying().play("activate:2", "activate:4")
    assert stage.asked() == ("own", "scaenicus", 4, None) and stage.legal == ["own:2", "own:6"]
    stage.play("own:6")
    assert stage.asked() == ("die", "centurio", 4, 1) and stage.legal == ["die:5", "stop"]
    stage.play("die:5")
    assert stage.discard == {"forum": 1} and stage.position["turn"] == 2


def templum():
    stage = before_the_last_payment().play("activate:3", "die:6")
    assert stage.asked() == ("die", "templum", 3, 8) and stage.legal == ["die:2", "stop"]
    return stage


def test_11_3_templum_and_the_last_payment():
    stage = templum().play("die:2")
    assert stage.game.is_over and stage.game.points() == {"player_0": 24, "player_1": 13}
    assert stage.position["stock"] == 0
    stage = templum().play("stop")
    assert (stage.mine["points"], stage.position["stock"], stage.position["dice"]) == (22, 1, [2])


def test_11_4_drawing_over_an_empty_pile():
    stage = short_pile().play("cards:4")
    assert stage.mine["known"] == {"consul": 1, "nero": 1, "forum": 1} and stage.theirs["known"] == {"tribunus": 1}
    stage.play("keep:legat")
    assert stage.discard == {"forum": 1, "nero": 1, "turris": 1}
    assert stage.mine["known"] == {"consul": 1} and stage.mine["hand"] == {"consul": 1, "legat": 1}
    assert stage.game.position("player_1")["pile"] is None
    assert stage.game.position("player_0")["pile"] == {"legat": 1}
