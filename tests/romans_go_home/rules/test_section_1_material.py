"""RULES 1: the material."""

from collections import Counter

import pytest

from romans_env import Table
from romans_env.romans_go_home.material import DEFAULT_FORT_DECK, FORTS, POINTS, STRENGTH, WARRIORS
from tests.romans_go_home.stages import COPIES_OF, SIZES, Stage, new_game, with_forts

STRENGTHS = {"qween": 1, "druhid": 2, "zvord": 3, "axx": 4, "archr": 5, "filchy": 6, "horsie": 7, "chariott": 9}


def test_1_1_nine_warriors_with_their_strengths():
    assert dict(zip(WARRIORS, STRENGTH.tolist(), strict=True)) == STRENGTHS
    assert {name: 2 if name == "chariott" else 1 for name in WARRIORS} == COPIES_OF


@pytest.mark.parametrize(("warrior", "strength"), STRENGTHS.items())
def test_1_1_a_warrior_fights_with_its_strength(warrior, strength):
    # A neutral decides nothing, so its warriors can be looked at one by one.
    rival = "archr" if warrior == "chariott" else "chariott"
    turn = Stage({"player_0": rival, "neutral_0": warrior}).turn()
    assert turn.totals == {"player_0": 5 if warrior == "chariott" else 9, "neutral_0": strength}


def test_1_2_kinds_of_fort_and_their_points():
    assert dict(zip(FORTS, POINTS.tolist(), strict=True)) == {
        "legion-1": -1,
        "legion-2": -2,
        "legion-3": -3,
        "dinary-1": 1,
        "dinary-3": 3,
        "dinary-4": 4,
        "dinary-5": 5,
        "dinary-6": 6,
        "unwary-2": 2,
        "signal-4": 4,
        "tax-8": 8,
    }


def test_1_2_the_default_deck():
    assert Counter(DEFAULT_FORT_DECK) == {
        "legion-1": 2,
        "legion-2": 1,
        "legion-3": 1,
        "dinary-1": 2,
        "dinary-3": 2,
        "dinary-4": 2,
        "dinary-5": 2,
        "dinary-6": 1,
        "unwary-2": 2,
        "signal-4": 2,
        "tax-8": 1,
    }
    assert len(DEFAULT_FORT_DECK) == 18


def test_1_2_the_deck_is_a_setting():
    deck = ["legion-3"] * 4 + ["tax-8"] * 14
    game = new_game((2, 0, "standard", deck), seed=3)
    assert Counter(game.deal()["forts"]) == Counter(deck)


def test_1_2_a_clan_scores_the_points_of_its_forts():
    game = with_forts((2, 0), {"player_0": "legion-3 tax-8 dinary-1", "player_1": "unwary-2 signal-4"})
    assert game.points() == {"player_0": 6, "player_1": 6}


@pytest.mark.parametrize("players", range(6))
@pytest.mark.parametrize("neutrals", range(5))
def test_1_3_the_legal_tables(players, neutrals):
    if (players, neutrals) in SIZES:
        table = Table(players, neutrals)
        names = [f"player_{i}" for i in range(players)] + [f"neutral_{i}" for i in range(neutrals)]
        assert list(table.clans) == names
        assert list(new_game((players, neutrals), seed=1).position()["clans"]) == names
    else:
        with pytest.raises(ValueError, match=r"RULES 1\.3"):
            Table(players, neutrals)
