"""ROMA 6: the cards."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.roma.stages import Stage


def can_activate(card, dice=(3, 1, 2), **position):
    own = {3: card, **position.pop("own", {})}
    return "activate:3" in Stage(dice, own=own, **position).legal


def used(card, dice=(3, 1, 2), own=None, **position):
    """A turn after the card on disc 3 was activated."""
    return Stage(dice, own={3: card, **(own or {})}, **position).play("activate:3")


@dataclass(frozen=True)
class AtADisc:
    """A card that acts on a disc of the rival.

    Attributes:
        card: its name.
        legal: the discs that may be chosen.
        chosen: the disc that is.
        outcomes: of dice that are thrown then.
        discard: the cards that lie on the discard pile at the end.
        theirs: what the rival's part of the position has at the end.
    """

    card: str
    legal: list[int]
    chosen: int
    outcomes: list[int] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    theirs: dict[str, Any] = field(default_factory=dict)


AT_A_DISC = [
    AtADisc("sicarius", legal=[2, 6], chosen=2, discard=["sicarius", "consul"]),
    AtADisc(
        "gladiator", legal=[2, 6], chosen=6, theirs={"hand": {"legat": 1, "centurio": 1}, "known": {"centurio": 1}}
    ),
    AtADisc("velites", legal=[2, 6], chosen=6, outcomes=[6], discard=["centurio"]),
    AtADisc("nero", legal=[1, 4], chosen=1, discard=["nero", "turris"]),
    AtADisc("onager", legal=[1, 4], chosen=4, outcomes=[5]),
    AtADisc("praetorianus", legal=[1, 2, 3, 4, 5, 6], chosen=5, theirs={"blocked": [5]}),
]


@pytest.mark.parametrize("case", AT_A_DISC, ids=lambda case: case.card)
def test_6_0_6_4_6_8_6_9_6_13_6_22_a_disc_of_the_rival(case):
    """Those with a character or a building alone, without which the card cannot be activated; or any."""
    rival = {1: "turris", 2: "consul", 4: "forum", 6: "centurio"}
    others = {disc: name for disc, name in rival.items() if disc not in case.legal}
    assert can_activate(case.card, rival=others) == (case.card == "praetorianus")
    stage = used(case.card, rival=rival, rival_hand=["legat"], outcomes=case.outcomes)
    assert stage.asked() == ("rival", case.card, 3, None)
    assert stage.legal == [f"rival:{disc}" for disc in case.legal]
    stage.play(f"rival:{case.chosen}")
    assert stage.discard == dict.fromkeys(case.discard, 1) and stage.outcomes_used == len(case.outcomes)
    assert (stage.mine["discs"][2] is None) == (case.card in case.discard)
    assert stage.theirs | case.theirs == stage.theirs
    assert (stage.theirs["discs"][case.chosen - 1] is None) == (case.card != "onager")  # its battle is lost


def test_6_1_architectus():
    assert not can_activate("architectus", hand=["nero"])
    stage = used("architectus", hand=["nero", "forum", "forum", "turris"])
    assert stage.asked() == ("lay", "architectus", 3, 0)
    assert stage.legal == sorted(f"lay:{card}:{disc}" for card in ("forum", "turris") for disc in range(1, 7))
    stage.play("lay:forum:1")
    assert stage.asked() == ("lay", "architectus", 3, 1) and "stop" in stage.legal
    stage.play("lay:forum:2", "stop")
    assert stage.asked()[0] == "main" and stage.mine["money"] == 0
    assert stage.mine["hand"] == {"nero": 1, "turris": 1}
    # Without another building there is nothing to ask.
    stage = used("architectus", hand=["nero", "forum"]).play("lay:forum:3")
    assert stage.asked()[0] == "main"


def test_6_2_consiliarius():
    own = {1: "consiliarius", 2: "consul", 3: "forum", 4: "nero"}
    stage = Stage((1, 2, 5), own=own).play("activate:1")
    assert stage.asked() == ("own", "consiliarius", 1, None) and stage.legal == ["own:1", "own:2", "own:4"]
    stage.play("own:2")
    assert stage.legal == ["own:1", "own:4", "stop"]
    stage.play("own:1", "stop")
    assert stage.asked() == ("lay", "consiliarius", 1, None)
    assert stage.mine["aside"] == {"consul": 1, "consiliarius": 1}
    assert len(stage.legal) == 12  # any own disc, also one with a card
    stage.play("lay:consul:3", "lay:consiliarius:3")
    assert stage.mine["discs"] == [None, None, "consiliarius", "nero", None, None]
    assert stage.discard == {"forum": 1, "consul": 1} and stage.mine["aside"] == {}


def test_6_2_what_is_picked_up_is_open():
    stage = Stage((1, 2, 5), own={1: "consiliarius", 2: "consul"}).play("activate:1", "own:2")
    assert stage.game.position("player_1")["players"]["player_0"]["aside"] == {"consul": 1}


def test_6_3_legat():
    full = dict.fromkeys(range(1, 7), "forum")
    assert not can_activate("legat", rival=full)
    stage = Stage((3, 1, 2), own={3: "legat"}, rival={2: "forum", 5: "consul"})
    assert stage.play("activate:3").mine["points"] == 14 and stage.position["stock"] == 12


def test_6_5_mercator():
    assert not can_activate("mercator", money=(1, 0))
    stage = used("mercator", money=(9, 5), points=(10, 12))
    assert stage.asked() == ("buy", "mercator", 3, None) and stage.legal == [f"buy:{n}" for n in range(1, 5)]
    stage.play("buy:3")
    assert (stage.mine["money"], stage.theirs["money"]) == (3, 11)
    assert stage.game.points() == {"player_0": 13, "player_1": 9}


def test_6_5_no_more_points_than_the_rival_has():
    stage = used("mercator", money=(90, 0), points=(20, 3))
    assert stage.legal == ["buy:1", "buy:2", "buy:3"]
    stage.play("buy:3")
    assert stage.game.is_over and stage.mine["money"] == 84 and stage.game.winners() == ["player_0"]


def test_6_6_consul():
    assert not can_activate("consul", dice=(3,))
    stage = used("consul", (3, 1, 6))
    assert stage.asked() == ("die", "consul", 3, None) and stage.legal == ["die:1", "die:6"]
    stage.play("die:1")  # plus alone is legal
    assert stage.position["dice"] == [2, 6]
    stage = used("consul", (3, 4, 6)).play("die:4")
    assert stage.asked() == ("sign", "consul", 3, 4) and stage.legal == ["minus", "plus"]
    assert stage.position["dice"] == [4, 6]
    assert stage.play("minus").position["dice"] == [3, 6]
    stage = used("consul", (3, 4, 6)).play("die:6")
    assert stage.position["dice"] == [4, 5]


def test_6_7_legionarius():
    assert not can_activate("legionarius", rival={2: "consul"})
    stage = used("legionarius", rival={3: "nero", 2: "forum"}, outcomes=[6])
    assert stage.theirs["discs"][2] == "nero" and stage.discard == {} and stage.outcomes_used == 1


def test_6_10_scaenicus_needs_a_card_that_can_work_with_its_disc():
    assert not can_activate("scaenicus", own={4: "scaenicus", 5: "forum"})
    assert not can_activate("scaenicus", own={4: "legionarius"}, rival={4: "forum"})
    assert can_activate("scaenicus", own={4: "legionarius"}, rival={3: "forum"})
    # The dice are those without the activating one.
    assert not can_activate("scaenicus", dice=(3,), own={4: "consul"})
    assert can_activate("scaenicus", dice=(3, 1), own={4: "consul"})


def test_6_10_the_effect_is_carried_out_as_if_the_card_lay_on_its_disc():
    own = {3: "scaenicus", 5: "sicarius", 1: "consul", 6: "consul"}
    stage = Stage((3, 1, 2), own=own, rival={2: "nero", 4: "legat"}).play("activate:3")
    assert stage.asked() == ("own", "scaenicus", 3, None) and stage.legal == ["own:1", "own:5", "own:6"]
    stage.play("own:5")
    assert stage.asked() == ("rival", "sicarius", 3, None)
    stage.play("rival:2")
    assert stage.mine["discs"][2] is None and stage.mine["discs"][4] == "sicarius"
    assert stage.discard == {"scaenicus": 1, "nero": 1}


def test_6_10_with_consiliarius_it_may_be_picked_up_and_with_essedum_it_is_an_activation():
    stage = used("scaenicus", (3, 3, 2), own={5: "consiliarius"})
    assert stage.asked() == ("own", "consiliarius", 3, None) and stage.legal == ["own:3", "own:5"]
    stage.play("own:3", "stop", "lay:scaenicus:6")
    assert stage.mine["discs"][5] == "scaenicus"
    stage = used("scaenicus", (3, 3, 2), own={5: "essedum"}, rival={1: "nero"}).play("activate:3")
    assert stage.position["essedum"] == 2


def test_6_10_each_activation_chooses_anew():
    own = {3: "scaenicus", 5: "tribunus", 6: "praetorianus"}
    stage = Stage((3, 3, 2), own=own).play("activate:3", "own:5", "activate:3")
    assert stage.asked() == ("own", "scaenicus", 3, None) and stage.legal == ["own:5", "own:6"]
    assert stage.play("own:5").mine["points"] == 12


def test_6_11_haruspex():
    assert not can_activate("haruspex", pile=[], is_whole=False)
    stage = used("haruspex", pile=["nero", "forum", "forum"])
    assert stage.asked() == ("take", "haruspex", 3, None) and stage.legal == ["take:forum", "take:nero"]
    stage.play("take:forum")
    assert stage.mine["hand"] == {"forum": 1} and stage.position["pile"] == {"nero": 1, "forum": 1}
    assert stage.mine["known"] == {}


def test_6_11_where_the_pile_is_empty_the_discard_pile_becomes_it():
    stage = used("haruspex", pile=[], discard=["nero", "legat"], is_whole=False)
    assert stage.position["pile"] == {"nero": 1, "legat": 1} and stage.discard == {}
    assert stage.play("take:legat").position["pile"] == {"nero": 1}


def test_6_12_senator():
    assert not can_activate("senator", hand=["forum"])
    stage = used("senator", hand=["nero", "forum", "legat"])
    assert stage.asked() == ("lay", "senator", 3, 0) and len(stage.legal) == 12
    stage.play("lay:nero:4")
    assert stage.asked() == ("lay", "senator", 3, 1)
    assert stage.legal == [*(f"lay:legat:{disc}" for disc in range(1, 7)), "stop"]
    assert stage.play("stop").mine["hand"] == {"forum": 1, "legat": 1}


def test_6_14_essedum():
    assert not can_activate("essedum")
    stage = used("essedum", rival={2: "nero"})
    assert stage.position["essedum"] == 1 and stage.asked()[0] == "main"


def test_6_15_tribunus():
    stage = used("tribunus")
    assert stage.game.points() == {"player_0": 11, "player_1": 9} and stage.position["stock"] == 16
    assert used("tribunus", points=(20, 1)).game.is_over


def test_6_16_centurio():
    assert not can_activate("centurio", rival={2: "consul"})
    stage = used("centurio", (3, 1, 4), rival={3: "forum"}, outcomes=[2])
    assert stage.asked() == ("die", "centurio", 3, 2) and stage.legal == ["die:4", "stop"]
    stage.play("die:4")
    assert stage.theirs["discs"][2] is None and stage.position["dice"] == [1]
    stage = used("centurio", (3, 1, 4), rival={3: "forum"}, outcomes=[2]).play("stop")
    assert stage.theirs["discs"][2] == "forum" and stage.position["dice"] == [1, 4]


def test_6_16_only_a_die_that_wins_is_asked_for():
    stage = used("centurio", rival={3: "nero"}, outcomes=[6])
    assert stage.asked()[0] == "main" and stage.position["dice"] == [1, 2]
    stage = used("centurio", (3, 1, 4), rival={3: "legat"}, outcomes=[2])
    assert stage.asked()[0] == "main" and stage.theirs["discs"][2] is None


def test_6_17_aesculapinum():
    assert not can_activate("aesculapinum", discard=["forum"])
    stage = used("aesculapinum", discard=["forum", "nero", "legat"])
    assert stage.asked() == ("take", "aesculapinum", 3, None) and stage.legal == ["take:legat", "take:nero"]
    stage.play("take:nero")
    assert stage.mine["hand"] == stage.mine["known"] == {"nero": 1}
    assert stage.discard == {"forum": 1, "legat": 1}


def test_6_18_basilica():
    own = {3: "forum", 2: "basilica", 4: "basilica", 6: "basilica"}
    assert Stage((3, 5), own=own).play("activate:3").mine["points"] == 10 + 5 + 4


def test_6_19_machina():
    own = {1: "machina", 2: "consul", 3: "forum", 4: "nero"}
    stage = Stage((1, 2, 5), own=own).play("activate:1")
    assert stage.asked() == ("own", "machina", 1, None) and stage.legal == ["own:1", "own:3"]
    stage.play("own:1", "stop")
    assert stage.asked() == ("lay", "machina", 1, None) and stage.legal == [f"lay:machina:{d}" for d in range(1, 7)]
    assert stage.play("lay:machina:2").discard == {"consul": 1}
    # When everything has been picked up, stop is not asked.
    stage = Stage((1, 2, 5), own=own).play("activate:1", "own:1")
    assert stage.play("own:3").asked() == ("lay", "machina", 1, None)


def test_6_20_forum():
    assert not can_activate("forum", dice=(3,))
    stage = used("forum", (3, 1, 6), own={5: "basilica", 6: "templum"})
    assert stage.asked() == ("die", "forum", 3, None) and stage.legal == ["die:1", "die:6"]
    stage.play("die:6")  # the templum is not adjacent
    assert stage.mine["points"] == 16 and stage.position["stock"] == 10 and stage.position["dice"] == [1]


def test_6_20_one_payment():
    stage = used("forum", (3, 1, 6), own={4: "basilica", 2: "templum"}, points=(14, 14))
    assert stage.play("die:6").asked() == ("die", "templum", 3, 8)  # although 8 are all that the stock has
    assert stage.play("die:1").mine["points"] == 23 and stage.game.is_over


def test_6_21_mercatus():
    assert not can_activate("mercatus", rival={3: "basilica"})
    stage = used("mercatus", own={1: "forum"}, rival={2: "forum", 5: "forum"})
    assert stage.game.points() == {"player_0": 12, "player_1": 8}


def test_6_23_templum():
    own = {3: "forum", 2: "templum", 4: "templum"}
    stage = Stage((3, 5, 1), own=own).play("activate:3", "die:5")
    assert stage.asked() == ("die", "templum", 3, 5) and stage.legal == ["die:1", "stop"]
    assert stage.play("stop").mine["points"] == 15 and stage.position["dice"] == [1]
    stage = Stage((3, 5, 1), own=own).play("activate:3", "die:5", "die:1")
    assert stage.mine["points"] == 16
    # Without another die it is not asked.
    assert Stage((3, 5), own=own).play("activate:3").mine["points"] == 15


def test_6_24_turris():
    rival = {3: "templum", 1: "turris"}
    stage = used("legionarius", rival=rival, outcomes=[2])
    assert stage.theirs["discs"][2] == "templum"
