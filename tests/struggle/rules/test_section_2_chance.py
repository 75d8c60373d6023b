"""STRUGGLE 2: chance and decisions."""

import numpy as np
import pytest

from tests.struggle.stages import FOUR, Stage, decisions, new_game

OPENING = ["horse", "cattle", "cattle", "horse", 4, 4, 1, 3, "cattle", "horse", "horse"]


def test_2_1_the_outcomes_are_listed_in_order():
    game = new_game(seed=5)
    for _ in decisions(game, 5):
        pass
    outcomes = game.deal()["outcomes"]
    assert set(outcomes[:4]) <= {"cattle", "horse"} and all(type(die) is int for die in outcomes[4:6])
    again = new_game(outcomes=outcomes)
    for _, action in game.actions:
        again.act(action)
    assert again.is_over and again.deal()["outcomes"] == outcomes


def test_2_1_kinds_are_as_likely_as_they_have_copies():
    states = FOUR.new_states(1)
    FOUR.begin(states, 0)
    assert FOUR.chance_outcomes(states, 0) == [("cattle", 10), ("horse", 10)]
    FOUR.act_chance(states, 0, "horse")
    assert FOUR.chance_outcomes(states, 0) == [("cattle", 10), ("horse", 9)]
    for card in ("horse", "cattle", "horse"):
        FOUR.act_chance(states, 0, card)
    assert list(FOUR.chance_outcomes(states, 0)) == [(face, 1) for face in range(1, 7)]
    dice = [die for seed in range(60) for die in new_game(seed).deal()["outcomes"] if type(die) is int]
    counts = np.bincount(dice, minlength=7)[1:]
    assert ((counts - len(dice) / 6) ** 2 / (len(dice) / 6)).sum() < 15.1  # chi-square, 5 degrees, 1 %


def test_2_1_an_event_with_one_outcome_is_an_entry():
    stage = Stage(2, hands={0: "grain grain grain", 1: "cattle " * 10}, discard="horse " * 10, outcomes=["horse"])
    stage.play("bank:grain:pasture")
    assert stage.mine["hand"] == {"horse": 1} and stage.outcomes_used == 1


def test_2_1_counters_are_drawn_from_all_of_their_colour_that_were_not_revealed():
    stage = Stage(3, tribes={(0, "horseman"): {"at": 107, "army": 5}}, plundered=["roma"], outcomes=["gold"])
    counters = stage.position["counters"]["italia_inferus"]
    stage.play("plunder:corfinium")
    assert stage.position["counters"]["italia_inferus"] == counters | {"gold": 1}


def test_2_2_a_prescribed_list_is_used_first():
    game = new_game(seed=4, outcomes=OPENING[:6])
    assert game.deal()["outcomes"][:6] == OPENING[:6]
    rest = new_game(seed=4, outcomes=game.deal()["outcomes"] + [None, "nonsense"])
    assert rest.deal() == game.deal()


@pytest.mark.parametrize("wrong", ["nonsense", "Horse", "grain", 3, True, 3.0, None, ["horse"], {"horse": 1}])
def test_2_2_an_impossible_card_is_an_error(wrong):
    with pytest.raises(ValueError, match="outcome 2 of the deal: the pasture card drawn is one of cattle, horse"):
        new_game(outcomes=["horse", wrong])


@pytest.mark.parametrize("wrong", [0, 7, -1, "3", True, 3.0, None, "horse", 2**70, [3]])
def test_2_2_an_impossible_die_is_an_error(wrong):
    with pytest.raises(ValueError, match="outcome 6 of the deal: a die shows an integer from 1 to 6"):
        new_game(outcomes=[*OPENING[:5], wrong])


def test_2_3_the_discard_becomes_the_pile_only_when_a_card_is_to_be_drawn():
    hands = {0: "grain grain grain grain grain grain", 1: "cattle " * 9 + "horse " * 8}
    stage = Stage(2, hands=hands, discard="horse", outcomes=["cattle", "horse", "horse"])
    stage.play("bank:grain:pasture")
    assert (stage.position["pasture_pile"], stage.position["pasture_discard"]) == ({"horse": 1}, {"horse": 1})
    stage.play("bank:grain:pasture")
    assert (stage.position["pasture_pile"], stage.position["pasture_discard"]) == ({}, {"horse": 1})
    assert stage.mine["hand"] == {"cattle": 1, "horse": 1}


def test_2_3_without_cards_nothing_is_drawn():
    stage = Stage(3, hands={1: "cattle " * 10 + "horse " * 10}, outcomes=["pasture"])
    assert "rest:pasture" not in stage.legal
    stage = Stage(
        3,
        hands={1: "cattle " * 10 + "horse " * 10},
        tribes={(0, "horseman"): {"at": 107, "army": 2}},
        outcomes=["pasture"],
    )
    stage.play("plunder:corfinium")
    assert stage.outcomes_used == 1 and stage.of(0)["hand"] == {} and stage.of(0)["gold"] == 6


def test_2_4_from_an_empty_deck_nothing_is_drawn():
    stage = Stage(3, tribes={(0, "horseman"): {"at": 107, "army": 2}}, deck="", outcomes=["card"])
    stage.play("plunder:corfinium")
    assert stage.outcomes_used == 1 and stage.of(0)["development_size"] == 0
    assert not Stage(2, hands={0: "cattle cattle grain"}, deck="", gold={0: 9}).legal_of("card")
    stage = Stage(2, hands={0: "cattle cattle grain"}, cards={0: "treasure"}, outcomes=["culture"])
    stage.play("play:treasure", "card")
    position = stage.position
    assert position["development_pile"] == {"diplomacy": 10, "traitor": 6, "treasure": 4, "great_warrior": 5} | {
        "culture": 3
    }
    assert position["development_size"] == 28 and stage.mine["development"] == {"culture": 1}


def test_2_5_a_decision_with_one_action_is_neither_asked_nor_recorded():
    # Seat 0 has nothing to build with, nor has seat 2: their turns end by themselves.
    stage = Stage(2, gold={0: 0, 1: 7, 2: 0, 3: 0}, hands={1: "horse cattle"}, player_trade=False)
    assert stage.asked() == ("player_1", "build") and stage.position["active"] == "player_1"
