"""ROMA 5: the general rules."""

import pytest

from tests.roma.stages import Stage


def test_5_1_a_card_works_at_once_and_covers_what_is_there():
    stage = Stage((3, 1, 2), own={3: "forum"}, hand=["tribunus"], money=(5, 0))
    stage.play("lay:tribunus:3")
    assert stage.mine["discs"][2] == "tribunus" and stage.discard == {"forum": 1}
    assert stage.play("activate:3").mine["points"] == 11


def test_5_1_any_own_card_may_be_covered_and_a_blocked_disc_used():
    stage = Stage((3, 1, 2), own={3: "architectus"}, hand=["forum", "nero"], blocked=[5])
    stage.play("activate:3")
    assert {"lay:forum:3", "lay:forum:5"} <= set(stage.legal)
    stage.play("lay:forum:3")
    assert stage.mine["discs"][2] == "forum" and stage.discard == {"architectus": 1}


@pytest.mark.parametrize("card", ["basilica", "templum", "turris"])
def test_5_2_some_cards_are_never_activated(card):
    assert Stage((3, 1, 2), own={3: card}, rival={3: "forum"}).legal_of("activate") == []


def test_5_2_activating_needs_an_own_card_that_is_not_blocked():
    assert Stage((3, 1, 2), own={3: "tribunus", 2: "tribunus"}, blocked=[3]).legal_of("activate") == ["activate:2"]
    assert Stage((3, 1, 2), rival={3: "tribunus"}).legal_of("activate") == []


def test_5_2_equal_dice_activate_a_disc_repeatedly():
    stage = Stage((3, 3, 2), own={3: "tribunus"})
    stage.play("activate:3", "activate:3")
    assert stage.mine["points"] == 12 and stage.position["dice"] == [2]


def test_5_3_an_effect_goes_on_when_its_card_is_covered():
    stage = Stage((3, 1, 2), own={3: "senator"}, hand=["nero", "legat"])
    stage.play("activate:3", "lay:nero:3")
    assert stage.asked() == ("lay", "senator", 3, 1) and "lay:legat:4" in stage.legal


def test_5_4_a_blocked_disc_cannot_be_activated_in_its_owners_next_turn():
    stage = Stage((3, 1, 2), own={3: "praetorianus"}, rival={4: "tribunus", 5: "tribunus"}, outcomes=[4, 5, 1, 4, 5, 1])
    stage.play("activate:3", "rival:4")
    assert stage.theirs["blocked"] == [4]
    stage.play("end")
    assert stage.legal_of("activate") == ["activate:5"] and stage.theirs["blocked"] == [4]
    stage.play("end")
    assert stage.theirs["blocked"] == []


def test_5_4_nothing_else_is_forbidden():
    # The block is on the disc: laid on, moved to, copied from, a basilica works there.
    own = {3: "scaenicus", 4: "tribunus", 6: "basilica", 5: "forum"}
    stage = Stage((3, 5, 2), own=own, blocked=[4, 6], hand=["templum"], money=(2, 0))
    assert "lay:templum:4" in stage.legal
    stage.play("activate:3")
    assert stage.mine["points"] == 11  # only the tribunus can be copied: not asked
    assert stage.play("activate:5").mine["points"] == 11 + 2 + 2


def test_5_4_a_disc_that_is_blocked_cannot_be_blocked_again():
    stage = Stage((3, 3, 2), own={3: "praetorianus"})
    stage.play("activate:3", "rival:4", "activate:3")
    assert stage.legal == ["rival:1", "rival:2", "rival:3", "rival:5", "rival:6"]


def attacked(score, rival, own=None, dice=(3, 1, 2), before=()):
    """What is on the rival's disc 3 after a legionarius's attack with a score."""
    stage = Stage(dice, own={3: "legionarius", **(own or {})}, rival=rival, outcomes=[score])
    return stage.play(*before, "activate:3").theirs["discs"][2]


def test_5_5_each_other_turris_adds_one():
    assert attacked(4, {3: "onager"}) is None
    assert attacked(4, {3: "onager", 1: "turris"}) == "onager" and attacked(5, {3: "onager", 1: "turris"}) is None
    both = {3: "onager", 1: "turris", 6: "turris"}
    assert attacked(5, both) == "onager" and attacked(6, both) is None


def test_5_5_towers_protect_each_other_but_not_themselves():
    assert attacked(6, {3: "turris"}) is None
    assert attacked(6, {3: "turris", 4: "turris"}) == "turris"


def test_5_5_each_essedum_activation_takes_two_and_there_is_no_lower_limit():
    own, once = {1: "essedum"}, ("activate:1",)
    assert attacked(2, {3: "onager"}, own, before=once) is None
    assert attacked(1, {3: "onager"}, own, before=once) == "onager"
    assert attacked(1, {3: "templum"}, own, (3, 1, 1), once * 2) is None
    stage = Stage((3, 1, 1), own={3: "legionarius", 1: "essedum"}, rival={3: "turris"}, outcomes=[2])
    assert stage.play("activate:1", "activate:1", "activate:3").theirs["discs"][2] is None


def test_5_6_a_battle_is_won_with_at_least_the_defence():
    assert attacked(5, {3: "forum"}) is None
    assert attacked(4, {3: "forum"}) == "forum"
    stage = Stage((3, 1, 2), own={3: "legionarius"}, rival={3: "forum"}, outcomes=[5]).play("activate:3")
    assert stage.discard == {"forum": 1} and stage.outcomes_used == 1


def test_5_7_missing_points_are_credited():
    stage = Stage((3, 6, 2), own={3: "forum"}, points=(20, 13))
    stage.play("activate:3", "die:6")
    assert stage.mine["points"] == 26 and stage.position["stock"] == 0 and stage.game.is_over


def test_5_7_the_rival_gives_no_more_than_he_has():
    stage = Stage((3, 6, 2), own={3: "mercatus"}, rival={1: "forum", 2: "forum", 5: "forum"}, points=(20, 2))
    stage.play("activate:3")
    assert stage.game.points() == {"player_0": 22, "player_1": 0} and stage.game.is_over
