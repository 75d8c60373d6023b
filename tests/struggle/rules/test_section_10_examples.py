"""STRUGGLE 10: the worked examples."""

from tests.struggle.stages import BOARD, Stage, legal_names, new_game

OPENING = ["horse", "cattle", "cattle", "horse", 4, 4, 1, 3, "cattle", "horse", "horse", 2, 6, 2, 5, 4, 6]


def hands(game):
    return [one["hand"] for one in game.position()["players"].values()]


def test_10_1_opening():
    assert [list(pair) for pair in BOARD.starts] == [[31, 9], [11, 15], [22, 10], [23, 5]]
    game = new_game(outcomes=[*OPENING, "traitor"], player_trade=False)
    assert game.deal()["outcomes"] == OPENING[:15]
    assert game.agent_to_act == "player_0" and len(game.legal_actions()) == 46
    assert hands(game) == [
        {"grain": 2, "horse": 1},
        {"grain": 2, "cattle": 2},
        {"grain": 2, "cattle": 1, "horse": 1},
        {"grain": 2, "horse": 2},
    ]
    game.act("legion:20")
    position = game.position()
    assert position["markers"] == [4, 7, 8, 10] and hands(game)[0] == {"grain": 2, "horse": 1}
    assert [hand.get("ore", 0) for hand in hands(game)] == [0, 1, 1, 1]
    assert legal_names(game) == sorted(
        ["army:ore", "wagon:horseman:cattle", "wagon:warrior:cattle", "card:cattle", "end"]
    )
    game.act("army:ore")
    one = game.position()["players"]["player_0"]
    assert [tribe["army"] for tribe in one["tribes"].values()] == [2, 2] and one["gold"] == 2
    assert one["hand"] == {"grain": 2} and game.agent_to_act == "player_1"
    assert hands(game)[1] == {"grain": 2, "ore": 1, "cattle": 2}
    game.act("army:horse")
    game.act("card")
    one = game.position()["players"]["player_1"]
    assert (one["gold"], one["hand"], one["development"]) == (1, {"grain": 2, "cattle": 1}, {"traitor": 1})
    assert legal_names(game) == ["card", "end"]
    for action in ("end", "wagon:warrior", "end", "army", "end"):
        game.act(action)
    position = game.position()
    assert position["bank"] == {"grain": 7, "ore": 13}
    assert position["pasture_pile"] == {"cattle": 7, "horse": 6}
    assert position["pasture_discard"] == {"cattle": 2, "horse": 3}
    assert position["phase"] == 3 and game.agent_to_act == "player_0"
    names = legal_names(game)
    assert sum(name.startswith("rest") for name in names) == 4
    assert sum(name.startswith("move") for name in names) == 104 == len(names) - 4


def test_10_2_a_long_way_to_rome():
    stage = Stage(
        3,
        hands={0: "grain grain"},
        gold={0: 4},
        cards={0: "traitor"},
        tribes={(0, "horseman"): {"army": 1, "wagons": 2}},
        outcomes=["card_loss", "diplomacy"],
    )
    fares = stage.rules.geography.fares[stage.rules.geography.regions[31], :, 107]
    assert fares[:4].tolist() == [7, 4, 1, 0]
    stage.play("move:107")
    assert stage.legal == ["pay:1", "pay:2"]
    stage.play("pay:2")
    assert stage.mine["hand"] == {} and stage.mine["gold"] == 3
    assert stage.legal == ["end", "plunder:corfinium", "plunder:roma"]
    counters, reserve = stage.position["counters"]["italia_inferus"], stage.mine["reserve"]["horseman"]
    stage.play("plunder:roma")
    one = stage.of(0)
    assert one["played"] == {"traitor": 1} and one["development"] == {"diplomacy": 1}
    assert one["tribes"]["horseman"]["army"] == 0 and one["reserve"]["horseman"] == reserve + 1
    assert one["gold"] == 5 and one["tribes"]["horseman"]["counters"] == {"italia_inferus": 1}
    assert stage.position["counters"]["italia_inferus"] == counters | {"card_loss": counters["card_loss"] - 1}
    assert stage.position["active"] == "player_1"


def test_10_2_a_kingdom_in_massilia():
    stage = Stage(3, tribes={(0, "horseman"): {"cities": ["massilia"], "army": 6}})
    cities = ("burdigala", "lugdunum", "narbo", "tolosa", "corfinium", "roma")
    assert stage.legal_of("conquer") == sorted(f"conquer:{name}" for name in cities)
