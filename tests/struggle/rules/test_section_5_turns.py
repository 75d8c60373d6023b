"""STRUGGLE 5: turns in phases 2, 3 and 4."""

import pytest

from tests.struggle.stages import BOARD, CROSSROADS, Stage, at_roma, reached


def build(hand="", **things):
    return Stage(2, hands={0: hand, **things.pop("hands", {})}, **{"player_trade": False, **things})


def test_5_1_three_cards_for_one_of_another_kind():
    stage = build("grain grain grain ore ore ore cattle cattle")
    assert stage.legal_of("bank") == ["bank:grain:ore", "bank:grain:pasture", "bank:ore:grain", "bank:ore:pasture"]
    stage.play("bank:grain:ore")
    assert stage.mine["hand"] == {"ore": 4, "cattle": 2}
    stage = build("cattle cattle cattle horse horse horse horse", outcomes=["horse"])
    assert len(stage.legal_of("bank")) == 6
    stage.play("bank:cattle:pasture")
    assert stage.mine["hand"] == {"horse": 5} and stage.position["pasture_discard"] == {"cattle": 3}


def test_5_1_the_bank_must_have_the_card_after_the_payment():
    stage = build("grain grain grain cattle", hands={1: "ore " * 14, 2: "cattle " * 9, 3: "horse " * 10})
    assert stage.legal_of("bank") == []
    # Cattle that are spent can be drawn again.
    hands = {1: "ore " * 14, 2: "cattle " * 7, 3: "horse " * 10}
    stage = build("cattle cattle cattle", hands=hands, outcomes=["cattle"])
    assert stage.legal_of("bank") == ["bank:cattle:grain", "bank:cattle:pasture"]
    stage.play("bank:cattle:pasture")
    assert stage.mine["hand"] == {"cattle": 1} and stage.position["pasture_pile"] == {"cattle": 2}


def test_5_1_an_army_is_a_figure_of_each_kind():
    stage = build("ore horse grain grain grain").play("army")
    assert [tribe["army"] for tribe in stage.mine["tribes"].values()] == [2, 2]
    assert stage.mine["reserve"] == {"horseman": 5, "warrior": 5, "wagon": 8}
    assert stage.mine["hand"] == {"grain": 3}


def test_5_1_a_kind_that_the_reserve_lacks_is_left_out():
    stage = build("ore horse grain grain grain", tribes={(0, "horseman"): {"army": 7}}).play("army")
    assert [tribe["army"] for tribe in stage.mine["tribes"].values()] == [7, 2]
    tribes = {(0, "horseman"): {"army": 7}, (0, "warrior"): {"army": 7}}
    assert build("ore ore horse grain grain grain", tribes=tribes).legal_of("army") == []


def test_5_1_a_wagon_for_either_tribe():
    stage = build("horse grain cattle ore ore ore", gold={0: 2})
    assert stage.legal_of("wagon") == ["wagon:horseman", "wagon:warrior"]
    stage.play("wagon:warrior")
    assert [tribe["wagons"] for tribe in stage.mine["tribes"].values()] == [1, 2]
    assert stage.mine["reserve"]["wagon"] == 7 and stage.mine["hand"] == {"ore": 3}
    tribes = {(0, "horseman"): {"wagons": 5}, (0, "warrior"): {"wagons": 5}}
    assert build("horse grain grain grain cattle", tribes=tribes).legal_of("wagon") == []


def test_5_1_a_development_card():
    stage = build("cattle grain grain grain", gold={0: 1}, outcomes=["culture"])
    assert stage.legal_of("card") == ["card"]
    stage.play("card")
    assert stage.mine["development"] == {"culture": 1} and stage.mine["gold"] == 0
    stage = build("cattle grain grain grain", gold={0: 0})
    assert stage.legal_of("card") == [] and "end" in stage.legal  # always
    assert stage.play("end").position["active"] != "player_0"


def test_5_1_three_gold_instead_of_a_card_once_a_round():
    stage = build("horse cattle", gold={0: 9}, outcomes=["traitor"])
    assert stage.legal == sorted(
        ["army:ore", "card", "card:cattle", "wagon:horseman:grain", "wagon:warrior:grain", "end"]
    )
    stage.play("card:cattle")
    assert stage.mine["gold"] == 5 and stage.mine["hand"] == {"horse": 1, "cattle": 1} and stage.mine["substituted"]
    assert stage.legal == ["card", "end"]
    # It is legal with the card, too; and beyond the gold in the price.
    assert "card:cattle" not in build("cattle grain grain grain", gold={0: 3}).legal
    assert build("ore horse", gold={0: 3}).legal == ["army", "army:horse", "army:ore", "end"]


def test_5_1_substituted_holds_for_the_round():
    stage = Stage(2, 3, hands={3: "horse"}, gold={0: 0, 3: 3}, outcomes=[1, 1, 6, 6, 5, 6, 1, 5], player_trade=False)
    stage.play("army:ore")
    assert stage.of(3)["substituted"] and stage.position["phase"] == 3
    for _ in range(8):
        stage.play("rest:gold")
    assert stage.position["round"] == 3 and not stage.of(3)["substituted"]


def test_5_2_an_offer_needs_what_is_offered_and_a_rival_with_what_is_asked_for():
    stage = Stage(2, hands={0: "grain grain", 1: "ore", 2: "ore ore"}, gold=dict.fromkeys(range(4), 0))
    assert stage.legal_of("offer") == ["offer:grain:ore:1-1", "offer:grain:ore:1-2", "offer:grain:ore:2-1"]
    stage = Stage(2, hands={0: "grain", 1: "ore"}, gold={0: 1, 1: 0, 2: 2, 3: 0})
    assert stage.legal_of("offer") == sorted(
        ["offer:gold:ore:1-1", "offer:grain:gold:1-1", "offer:grain:gold:1-2", "offer:grain:ore:1-1"]
    )


def test_5_2_rivals_are_asked_clockwise_until_one_accepts():
    hands = {1: "grain grain", 0: "ore", 2: "grain", 3: "ore"}
    stage = Stage(2, 1, hands=hands)
    stage.play("offer:grain:ore:2-1")
    assert stage.asked() == ("player_3", "answer") and stage.legal == ["accept", "decline"]
    assert stage.decision["offer"] == "offer:grain:ore:2-1" and stage.position["active"] == "player_1"
    assert stage.position["offers"] == 1
    twin = stage.game.clone()
    stage.play("decline")
    assert stage.asked() == ("player_0", "answer")
    stage.play("accept")
    assert stage.asked() == ("player_1", "build") and stage.decision["offer"] is None
    assert (
        stage.of(1)["hand"] == {"ore": 1} and stage.of(0)["hand"] == {"grain": 2} and stage.of(3)["hand"] == {"ore": 1}
    )
    twin.act("accept")
    assert twin.position()["players"]["player_3"]["hand"] == {"grain": 2}
    assert twin.position()["decision"]["agent"] == "player_1"


def test_5_2_gold_is_exchanged_like_cards():
    stage = Stage(2, hands={1: "horse horse"}, gold={0: 2}).play("offer:gold:horse:1-2", "accept")
    assert stage.of(0)["gold"] == 1 and stage.of(0)["hand"] == {"horse": 2} and stage.of(1)["gold"] == 6


def test_5_2_all_decline():
    stage = Stage(2, hands={0: "grain", 1: "ore", 2: "ore"}).play("offer:grain:ore:1-1", "decline", "decline")
    assert stage.asked() == ("player_0", "build") and stage.of(0)["hand"] == {"grain": 1}


@pytest.mark.parametrize("most", [1, 2])
def test_5_2_at_most_so_many_offers_in_a_turn(most):
    stage = Stage(2, hands={0: "grain ore", 1: "horse"}, max_offers=most)
    for number in range(most):
        assert stage.legal_of("offer")
        stage.play("offer:grain:horse:1-1", "decline")
        assert stage.position["offers"] == number + 1
    assert stage.legal_of("offer") == []
    assert build("grain", hands={1: "ore"}, player_trade=False).legal_of("offer") == []


def test_5_3_resting():
    for action, change in (("gold", {}), ("grain", {"grain": 1}), ("ore", {"ore": 1}), ("pasture", {"horse": 1})):
        stage = Stage(3, outcomes=["horse"]).play(f"rest:{action}")
        assert stage.of(0)["hand"] == change and stage.of(0)["gold"] == (7 if action == "gold" else 5)
        assert stage.position["active"] == "player_1" and stage.position["phase"] == 3


def test_5_3_a_card_to_rest_for_must_be_there():
    hands = {1: "grain " * 14, 2: "ore " * 14, 3: "cattle " * 10 + "horse " * 10}
    assert Stage(4, hands=hands).legal_of("rest") == ["rest:gold"]


def test_5_3_after_a_move_or_a_card_there_is_no_rest_but_an_end():
    stage = Stage(3, cards={0: "treasure great_warrior"})
    assert "end" not in stage.legal and stage.legal_of("play") == ["play:great_warrior", "play:treasure"]
    stage.play("play:treasure")
    assert "end" in stage.legal and not stage.legal_of("rest", "play") and stage.legal_of("move")
    stage = Stage(3, cards={0: "treasure"}).play("move:14")
    if stage.asked()[1] == "fare":
        stage.play("pay:0")
    assert stage.legal == ["end", "play:treasure"]
    assert stage.play("end").position["active"] == "player_1"


def test_5_3_phase_3_is_the_horsemens_and_phase_4_the_warriors():
    stage = Stage(3, 3).play("rest:gold")
    assert (stage.position["phase"], stage.position["active"]) == (4, "player_0")
    stage.play(next(action for action in stage.legal if action.startswith("move")))
    if stage.asked()[1] == "fare":
        stage.play("pay:0")
    assert stage.of(0)["tribes"]["horseman"]["at"] == 31 and stage.of(0)["tribes"]["warrior"]["at"] != 9


def test_5_4_fares():
    stage = Stage(3, hands={0: "grain grain"}, gold={0: 4}, cards={0: "treasure"}).play("move:107")
    assert stage.asked() == ("player_0", "fare") and stage.legal == ["pay:1", "pay:2"]
    assert stage.decision["target"] == 107
    position = stage.position
    assert not position["moved"] and position["players"]["player_0"]["tribes"]["horseman"]["at"] == 31
    stage.play("pay:1")
    assert stage.mine["hand"] == {"grain": 1} and stage.mine["gold"] == 0
    assert stage.mine["tribes"]["horseman"]["at"] == 107 and stage.position["moved"]
    assert stage.position["bank"]["grain"] == 13


def test_5_4_a_single_fare_is_paid_without_a_question():
    stage = Stage(3, gold={0: 7}, cards={0: "treasure"}).play("move:107")
    assert stage.mine["gold"] == 0 and stage.position["moved"]
    assert "move:107" not in Stage(3, gold={0: 6}).legal
    assert "move:107" in Stage(3, hands={0: "grain"}, gold={0: 4}).legal


def test_5_4_a_tribe_stops_neither_in_a_city_nor_at_a_figure():
    stage = Stage(3, gold={0: 30}, tribes={(1, "warrior"): {"at": 107}})
    moves = {int(action.partition(":")[2]) for action in stage.legal_of("move")}
    assert moves == set(range(158)) - figures(stage) - set(CROSSROADS.values())
    game = stage.game
    is_legal = [game.rules.is_legal(game.states, 0, game.action_id(f"move:{at}")) for at in range(158)]
    assert moves == {at for at in range(158) if is_legal[at]}


def test_5_4_without_gold_and_grain_one_arrow_is_free():
    stage = Stage(3, gold={0: 0})
    assert reached(31, 1) == {int(action.partition(":")[2]) for action in stage.legal_of("move")} | (
        {crossroads for crossroads in reached(31, 1) if crossroads in {*CROSSROADS.values(), *figures(stage)}}
    )


def figures(stage):
    return {tribe["at"] for one in stage.position["players"].values() for tribe in one["tribes"].values()}


def test_5_4_a_kingdom_does_not_move():
    stage = Stage(3, tribes={(0, "horseman"): {"cities": ["roma"]}})
    assert stage.legal_of("move") == [] and stage.legal_of("rest")


def test_5_5_a_city_beside_with_a_counter():
    assert at_roma().legal_of("plunder") == ["plunder:corfinium", "plunder:roma"]
    assert at_roma(army=4).legal_of("plunder") == ["plunder:corfinium"]
    assert at_roma(army=1).legal_of("plunder") == []
    assert at_roma(plundered=["roma"]).legal_of("plunder") == ["plunder:corfinium"]
    assert at_roma(counters="italia_inferus").legal_of("plunder")
    assert at_roma(counters="italia_inferus italia_inferus").legal_of("plunder") == []
    # Not over sea: 103 and 121 are joined by ship.
    stage = Stage(3, tribes={(0, "horseman"): {"at": 121, "army": 6}})
    beside = {edge.a + edge.b - 121 for edge in BOARD.edges if 121 in edge[:2] and edge.kind != "sea"}
    names = sorted(f"plunder:{name}" for name, at in CROSSROADS.items() if at in beside)
    assert stage.legal_of("plunder") == names


@pytest.mark.parametrize(
    ("counter", "drawn", "gold", "army"),
    [
        ("gold", None, 5 + 2 + 3, 5),
        ("pasture", "horse", 5 + 3, 5),
        ("card", "culture", 5 + 3, 5),
        ("gold_loss", None, 5 + 2 + 3, 4),
        ("pasture_loss", "cattle", 5 + 3, 4),
        ("card_loss", "traitor", 5 + 3, 4),
    ],
)
def test_5_5_what_a_counter_gives(counter, drawn, gold, army):
    stage = at_roma(wagons=3, outcomes=[counter, drawn] if drawn else [counter])
    reserve = stage.mine["reserve"]["horseman"]
    stage.play("plunder:roma")
    one = stage.of(0)
    assert one["gold"] == gold and one["tribes"]["horseman"]["army"] == army
    assert one["reserve"]["horseman"] == reserve + 5 - army
    assert one["hand"] == ({drawn: 1} if "pasture" in counter else {})
    assert one["development"] == ({drawn: 1} if "card" in counter else {})
    assert one["tribes"]["horseman"]["counters"] == {"italia_inferus": 1}
    assert stage.position["cities"]["roma"] == {"counter": False, "owner": None, "tribe": None}
    assert stage.position["active"] == "player_1" and stage.outcomes_used == 1 + bool(drawn)


@pytest.mark.parametrize(("counter", "army"), [("none", 2), ("none_loss", 1)])
def test_5_5_a_counter_may_give_nothing(counter, army):
    board = BOARD.as_json()
    board["counters"]["italia_inferus"] = {"none": 4, "none_loss": 4}
    stage = at_roma(army=2, board=board, outcomes=[counter]).play("plunder:corfinium")
    assert stage.of(0)["gold"] == 6 and stage.of(0)["tribes"]["horseman"]["army"] == army
    assert sum(stage.position["counters"]["italia_inferus"].values()) == 7


def test_5_5_without_an_army_none_is_lost():
    stage = at_roma(army=0, cards={0: "traitor"}, outcomes=["gold_loss"]).play("plunder:corfinium")
    assert stage.of(0)["tribes"]["horseman"]["army"] == 0 and stage.of(0)["reserve"]["horseman"] == 7


THREE = "germania gallia hispania"


def test_5_6_a_kingdom_needs_three_colours_and_a_wagon():
    assert at_roma(counters="germania gallia gallia").legal_of("conquer") == []
    assert at_roma(counters=THREE, wagons=0).legal_of("conquer") == []
    assert at_roma(counters=THREE, army=4).legal_of("conquer") == ["conquer:corfinium"]
    assert at_roma(counters=THREE).legal_of("conquer") == ["conquer:corfinium", "conquer:roma"]
    owned = {(1, "warrior"): {"cities": ["roma"]}}
    assert at_roma(counters=THREE, more=owned).legal_of("conquer") == ["conquer:corfinium"]


def test_5_6_the_figure_and_a_wagon_go_to_the_city():
    stage = at_roma(counters=THREE, wagons=2).play("conquer:roma")
    one, tribe = stage.of(0), stage.of(0)["tribes"]["horseman"]
    assert tribe == {"at": CROSSROADS["roma"], "kingdom": True, "army": 5, "wagons": 1} | {
        "counters": dict.fromkeys(THREE.split(), 1)
    }
    assert one["reserve"]["wagon"] == 10 - 2 - 1 and one["points"] == 1
    assert stage.position["cities"]["roma"] == {"counter": False, "owner": "player_0", "tribe": "horseman"}
    assert stage.position["active"] == "player_1"


def test_5_7_a_kingdom_expands_over_one_arrow_by_land_or_sea():
    stage = Stage(3, tribes={(0, "horseman"): {"cities": ["massilia"], "army": 6}})
    cities = ("burdigala", "corfinium", "lugdunum", "narbo", "roma", "tolosa")
    assert stage.legal_of("conquer", "plunder", "move") == [f"conquer:{name}" for name in cities]
    stage.play("conquer:narbo")
    tribe = stage.of(0)["tribes"]["horseman"]
    assert (tribe["army"], tribe["wagons"], tribe["at"]) == (5, 0, CROSSROADS["massilia"])
    assert stage.of(0)["points"] == 2 and stage.position["cities"]["narbo"]["tribe"] == "horseman"


def test_5_7_an_army_and_a_wagon_are_needed_with_a_traitor_too():
    kingdom = {"cities": ["massilia"]}
    near = ["conquer:corfinium", "conquer:narbo"]
    assert Stage(3, tribes={(0, "horseman"): kingdom | {"army": 2}}).legal_of("conquer") == near
    assert not Stage(3, tribes={(0, "horseman"): kingdom | {"army": 6, "wagons": 0}}).legal_of("conquer")
    assert not Stage(3, tribes={(0, "horseman"): kingdom | {"army": 0}}, cards={0: "traitor"}).legal_of("conquer")
    stage = Stage(3, tribes={(0, "horseman"): kingdom | {"army": 1}}, cards={0: "traitor"}).play("conquer:roma")
    assert stage.of(0)["tribes"]["horseman"]["army"] == 0 and stage.of(0)["played"] == {"traitor": 1}


def test_5_7_only_from_cities_of_the_tribe():
    tribes = {
        (0, "horseman"): {"cities": ["massilia"], "army": 6},
        (0, "warrior"): {"cities": ["syracusae"], "army": 6},
    }
    assert "conquer:rhegium" not in Stage(3, tribes=tribes).legal
    assert "conquer:rhegium" in Stage(4, tribes=tribes).legal and "conquer:narbo" not in Stage(4, tribes=tribes).legal


def test_5_8_the_counter_of_a_conquered_city_leaves_unseen():
    counters = at_roma().position["counters"]
    stage = at_roma(counters=THREE).play("conquer:roma")
    assert stage.position["counters"] == counters and stage.outcomes_used == 0
    stage = at_roma(counters=THREE, plundered=["roma"]).play("conquer:roma")
    assert stage.position["cities"]["roma"] == {"counter": False, "owner": "player_0", "tribe": "horseman"}


def test_5_8_an_owned_city_is_never_lost():
    stage = at_roma(counters=THREE, army=8 - 1, more={(1, "warrior"): {"cities": ["roma"]}}, cards={0: "traitor"})
    assert stage.legal_of("plunder", "conquer") == ["conquer:corfinium", "plunder:corfinium"]
