"""ROMA 2: chance and decisions."""

import numpy as np
import pytest

from romans_env.roma.material import CARDS
from tests.roma.stages import RULES, Stage, decisions, new_game, state_bytes

OPENING = ["forum", "legat", "turris", "consul", "onager", "legionarius", "forum", "basilica"]


def test_2_1_the_outcomes_are_listed_in_order():
    game = new_game(seed=5)
    assert len(game.deal()["outcomes"]) == 8 and set(game.deal()["outcomes"]) <= set(CARDS)
    for _ in decisions(game, 5):
        if game.position()["turn"] == 1:
            break
    outcomes = game.deal()["outcomes"]
    assert sorted(outcomes[8:11]) == game.position()["dice"] and all(type(die) is int for die in outcomes[8:])


def test_2_1_faces_are_equally_likely_and_kinds_as_often_as_the_pile_has_them():
    states = RULES.new_states(1)
    RULES.begin(states, 0)
    assert dict(RULES.chance_outcomes(states, 0))["forum"] == 6
    assert sum(weight for _, weight in RULES.chance_outcomes(states, 0)) == 52
    RULES.act_chance(states, 0, "nero")
    assert "nero" not in dict(RULES.chance_outcomes(states, 0))
    dice = [die for seed in range(300) for die in new_game_of_dice(seed)]
    counts = np.bincount(dice, minlength=7)[1:]
    assert ((counts - len(dice) / 6) ** 2 / (len(dice) / 6)).sum() < 15.1  # chi-square, 5 degrees, 1 %


def new_game_of_dice(seed):
    game = new_game(seed)
    while game.position()["turn"] == 0:
        game.act(game.legal_actions()[0])
    return [outcome for outcome in game.deal()["outcomes"] if isinstance(outcome, int)]


def test_2_1_an_event_with_one_outcome_is_an_entry():
    stage = Stage((1, 2, 4), pile=["nero"], outcomes=["nero"], is_whole=False)
    assert stage.play("cards:1").mine["hand"] == {"nero": 1}
    assert stage.outcomes_used == 1


def test_2_2_a_prescribed_list_is_used_first():
    game = new_game(seed=4, outcomes=OPENING[:3])
    assert game.deal()["outcomes"][:3] == OPENING[:3] and len(game.deal()["outcomes"]) == 8
    assert new_game(seed=4, outcomes=[*OPENING, None, "nonsense"]).deal()["outcomes"] == OPENING


@pytest.mark.parametrize("wrong", ["nonsense", "Forum", 20, 1, True, 3.0, None, ["forum"], {"forum": 1}])
def test_2_2_an_impossible_card_is_an_error(wrong):
    with pytest.raises(ValueError, match="outcome 3 of the deal: the card drawn is one of"):
        new_game(outcomes=["forum", "legat", wrong])
    with pytest.raises(ValueError, match="outcome 2 of the deal"):
        new_game(outcomes=["nero", "nero"])


@pytest.mark.parametrize("wrong", [0, 7, -1, 2**70, True, 3.0, "3", "forum", None, [3]])
def test_2_2_an_impossible_die_changes_nothing(wrong):
    stage = Stage((3, 1, 2), own={3: "legionarius"}, rival={3: "forum"}, outcomes=[wrong])
    before = state_bytes(stage.game)
    for _ in range(2):
        with pytest.raises(ValueError, match="outcome 1 of the deal: a die shows an integer from 1 to 6"):
            stage.game.act("activate:3")
        assert state_bytes(stage.game) == before and stage.game.agent_to_act == "player_0"
    assert stage.play("money:1").mine["money"] == 1


def test_2_3_the_discard_pile_becomes_the_pile_when_a_card_is_to_be_drawn():
    stage = Stage((2, 1, 4), pile=["nero"], discard=["legat", "turris"], outcomes=["nero", "legat"], is_whole=False)
    stage.play("cards:2")
    assert stage.asked() == ("keep", None, None, None)
    assert stage.mine["aside"] == {"nero": 1, "legat": 1}
    assert stage.position["pile"] == {"turris": 1} and stage.discard == {}
    # It stays a discard pile until then.
    stage = Stage((1, 2, 4), pile=["nero"], discard=["legat", "turris"], outcomes=["nero"], is_whole=False)
    assert stage.play("cards:1").position["pile_size"] == 0 and stage.discard == {"legat": 1, "turris": 1}


def test_2_3_where_no_card_is_left_none_is_drawn():
    stage = Stage((6, 2, 4), pile=["nero"], discard=["legat"], outcomes=["nero", "legat", "turris"], is_whole=False)
    stage.play("cards:6")
    assert stage.mine["aside"] == {"nero": 1, "legat": 1} and stage.outcomes_used == 2


def test_2_4_a_decision_with_a_single_legal_action_is_not_asked():
    stage = Stage((5, 1), own={5: "forum"})
    stage.play("activate:5")
    assert (stage.mine["points"], stage.position["turn"]) == (11, 2)  # die:1 and end were not asked
    # Four cards of a kind: nothing to choose for player_0, neither what to give nor what is laid last.
    game = new_game(outcomes=["forum"] * 4 + ["nero", "legat", "turris", "consul"], seed=1)
    assert game.agent_to_act == "player_1" and game.position()["decision"]["kind"] == "give"
    assert game.position()["players"]["player_0"]["aside"] == {"forum": 2}
