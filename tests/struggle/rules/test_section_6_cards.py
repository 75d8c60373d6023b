"""STRUGGLE 6: development cards."""

from tests.struggle.stages import Stage, at_roma


def test_6_1_diplomacy_moves_the_legionnaire():
    stage = Stage(2, 1, cards={1: "diplomacy diplomacy"}, tribes={(2, "horseman"): {"at": 107}}, gold={2: 8})
    stage.play("play:diplomacy")
    assert stage.asked() == ("player_1", "legion") and stage.position["card_played"]
    assert stage.of(1)["played"] == {"diplomacy": 1} and stage.of(1)["development"] == {"diplomacy": 1}
    stage.play("legion:45")
    assert stage.of(1)["gold"] == 7 and stage.of(2)["gold"] == 6
    # The turn goes on, without another card.
    assert stage.position["legion"] == 45 and stage.position["phase"] == 2
    assert "play:diplomacy" not in stage.legal


def test_6_1_points_come_first():
    tribes = {(0, "horseman"): {"cities": ["roma", "capua", "ravenna", "genua", "perusia", "neapolis", "corfinium"]}}
    tribes[0, "warrior"] = {"cities": ["narbo"]}
    stage = Stage(2, cards={0: "diplomacy"}, played={0: "diplomacy diplomacy"}, tribes=tribes)
    assert not stage.position["final"] and stage.mine["points"] == 8
    stage.play("play:diplomacy")
    assert stage.asked()[1] == "legion"
    assert stage.position["final"] and stage.mine["points"] == 10 and stage.position["diplomacy"] == "player_0"


def test_6_1_diplomacy_is_for_phase_2():
    assert Stage(3, cards={0: "diplomacy traitor culture"}).legal_of("play") == []
    stage = Stage(2, cards={0: "diplomacy traitor culture great_warrior treasure"})
    assert stage.legal_of("play") == ["play:diplomacy", "play:treasure"]


def test_6_2_a_traitor_takes_what_the_army_cannot():
    stage = at_roma(1, cards={0: "traitor traitor"}, outcomes=["gold"])
    assert stage.legal_of("plunder") == ["plunder:corfinium", "plunder:roma"]
    stage.play("plunder:roma")
    assert stage.of(0)["played"] == {"traitor": 1} and stage.of(0)["development"] == {"traitor": 1}


def test_6_2_a_traitor_that_is_not_needed_stays():
    stage = at_roma(2, cards={0: "traitor"}, outcomes=["gold"]).play("plunder:corfinium")
    assert stage.of(0)["development"] == {"traitor": 1} and stage.of(0)["played"] == {}


def test_6_2_not_after_another_card_in_the_turn():
    stage = at_roma(1, cards={0: "traitor treasure"}).play("play:treasure")
    assert stage.legal_of("plunder") == []


def test_6_2_the_other_conditions_must_be_met():
    assert at_roma(1, cards={0: "traitor"}).legal_of("conquer") == []
    three = "germania gallia hispania"
    stage = at_roma(1, cards={0: "traitor"}, counters=three)
    assert stage.legal_of("conquer") == ["conquer:corfinium", "conquer:roma"]
    stage.play("conquer:roma")
    assert stage.of(0)["played"] == {"traitor": 1} and stage.position["cities"]["roma"]["owner"] == "player_0"
    assert at_roma(1, cards={0: "traitor"}, counters=three, wagons=0).legal_of("conquer") == []


def test_6_3_a_treasure_brings_7_gold_once_a_turn():
    for phase in (2, 3, 4):
        stage = Stage(phase, cards={0: "treasure treasure"}, gold={0: 5}).play("play:treasure")
        assert stage.mine["gold"] == 5 + 7 and stage.mine["played"] == {"treasure": 1}
        assert stage.position["card_played"] and not stage.legal_of("play")


def test_6_4_a_great_warrior_is_a_figure_for_the_tribe():
    for phase, name in ((3, "horseman"), (4, "warrior")):
        stage = Stage(phase, cards={0: "great_warrior"}).play("play:great_warrior")
        assert stage.mine["tribes"][name]["army"] == 2 and stage.mine["reserve"][name] == 5
        assert stage.asked() == ("player_0", "tribe")
    assert Stage(2, cards={0: "great_warrior"}).legal_of("play") == []
    stage = Stage(3, cards={0: "great_warrior"}, tribes={(0, "horseman"): {"army": 7}})
    assert stage.mine["reserve"]["horseman"] == 0 and stage.legal_of("play") == []


def test_6_5_culture_is_a_point_at_the_end():
    for phase in (2, 3, 4):
        assert Stage(phase, cards={0: "culture"}).legal_of("play") == []
    stage = Stage(4, 3, cards={0: "culture culture"}, max_rounds=2).play("rest:gold")
    assert stage.game.is_over and stage.of(0)["points"] == 2 and stage.of(0)["played"] == {"culture": 2}
