"""RULES 6: neutral clans."""

from __future__ import annotations

import pytest

from tests.romans_go_home.stages import Stage, with_forts

WALL = "dinary-1 legion-1 dinary-3 dinary-4 signal-4 dinary-6"
UNWARY_SECOND = "dinary-1 unwary-2 dinary-3 dinary-3 dinary-3 dinary-5"
SIGNAL_FIRST = "signal-4 dinary-4 dinary-4 dinary-4 dinary-4 dinary-5"


def solo(player: str, *neutrals: str) -> dict[str, str]:
    return {"player_0": player, **{f"neutral_{k}": plan for k, plan in enumerate(neutrals)}}


def test_6_1_a_neutral_captures_like_a_player():
    stage = Stage(solo("axx", "archr filchy chariott"), WALL)
    turn = stage.turn()
    assert turn.totals == {"player_0": 4, "neutral_0": 5}
    assert (turn.captor, turn.forts("neutral_0"), turn.face_up("neutral_0")) == ("neutral_0", ["dinary-1"], [])


def test_6_1_its_qween_charms_nobody():
    turn = Stage(solo("archr", "qween")).turn()
    assert turn.totals == {"player_0": 5, "neutral_0": 1}


def test_6_1_its_druhid_takes_this_turns_fort():
    turn = Stage(solo("filchy", "druhid"), WALL).turn()
    assert (turn.captor, turn.captured, turn.asked) == ("neutral_0", "dinary-1", [])


def test_6_1_its_zvord_reorders_nothing():
    stage = Stage(solo("chariott", "zvord qween druhid axx archr filchy"))
    assert stage.turn().position["clans"]["neutral_0"]["hidden"] == ["qween", "druhid", "axx", "archr", "filchy"]


def test_6_1_its_archr_wins_ties():
    stage = Stage(solo("horsie chariott", "axx archr"))
    stage.turn()
    turn = stage.turn()
    assert turn.totals == {"player_0": 9, "neutral_0": 9}
    assert turn.captor == "neutral_0"


def test_6_1_its_filchy_keeps_it_from_fighting():
    turn = Stage(solo("archr", "filchy")).turn()
    assert (turn.captor, turn.face_up("neutral_0")) == ("player_0", ["filchy"])


def test_6_1_its_horsie_costs_it_a_warrior():
    assert Stage(solo("chariott", "horsie")).turn().face_up("neutral_0") == []


def test_6_1_its_chariott_is_wrecked_and_wrecks():
    turn = Stage(solo("chariott", "chariott", "archr")).turn()
    assert turn.totals == {"player_0": 0, "neutral_0": 0, "neutral_1": 5}


def test_6_1_its_axx_stays():
    turn = Stage(solo("filchy", "axx")).turn()
    assert (turn.captor, turn.face_up("neutral_0")) == ("neutral_0", ["axx"])


def test_6_1_its_lone_axx_is_discarded_at_a_signal_fort():
    turn = Stage(solo("filchy", "axx"), SIGNAL_FIRST).turn()
    assert (turn.captured, turn.face_up("neutral_0"), turn.face_up("player_0")) == ("signal-4", [], [])


def test_6_2_for_horsie_it_discards_the_weakest_other_warrior():
    stage = Stage(solo("archr horsie qween", "druhid axx horsie"))
    stage.turns(2)
    turn = stage.turn()
    assert turn.totals == {"player_0": 8, "neutral_0": 6}
    assert turn.face_up("neutral_0") == ["axx", "horsie"]


def test_6_2_for_horsie_it_may_not_discard_horsie_though_she_is_the_weakest():
    stage = Stage({"player_0": "qween filchy", "player_1": "filchy qween", "neutral_0": "chariott horsie"})
    stage.turn("player_0 charm:+2")
    turn = stage.turn("player_1 charm:+1")
    assert turn.totals == {"player_0": 6, "player_1": 14, "neutral_0": 9}
    assert turn.face_up("neutral_0") == ["horsie"]


def test_6_2_for_a_signal_fort_it_discards_the_weakest():
    wall = "dinary-3 signal-4 dinary-3 dinary-3 dinary-3 dinary-5"
    stage = Stage(solo("horsie chariott", "archr druhid"), wall)
    stage.turn()
    turn = stage.turn()
    assert (turn.captor, turn.captured) == ("player_0", "signal-4")
    assert turn.face_up("neutral_0") == ["archr"]


def test_6_3_it_keeps_axx_whenever_it_may():
    stage = Stage(solo("archr filchy", "druhid axx"), "dinary-3 signal-4 dinary-3 dinary-3 dinary-3 dinary-5")
    stage.turn()
    turn = stage.turn()
    assert (turn.captor, turn.captured, turn.face_up("neutral_0")) == ("neutral_0", "signal-4", ["axx"])


@pytest.mark.parametrize(
    ("line", "stay"), [("druhid horsie", ["druhid"]), ("archr druhid", ["druhid"]), ("druhid axx", ["axx", "druhid"])]
)
def test_6_3_it_keeps_the_weakest_warrior_at_an_unwary_fort(line, stay):
    stage = Stage(solo("horsie filchy", line), UNWARY_SECOND)
    stage.turn()
    turn = stage.turn()
    assert (turn.captor, turn.captured) == ("neutral_0", "unwary-2")
    assert turn.face_up("neutral_0") == stay


def test_6_3_it_pays_the_tax_with_its_lowest_valued_other_fort():
    stage = Stage(solo("druhid axx filchy", "archr horsie chariott"), "dinary-1 legion-2 tax-8 dinary-3 dinary-3 tax-8")
    stage.turns(3)
    position = stage.position
    assert position["clans"]["neutral_0"]["forts"] == ["dinary-1", "tax-8"]
    assert position["lost_forts"] == ["legion-2"]


@pytest.mark.parametrize(
    ("forts", "loss"), [("signal-4 dinary-4", []), ("dinary-4 signal-4", ["player_0 lose:druhid"])]
)
def test_6_3_of_two_forts_worth_4_it_pays_with_the_fort_dinary(forts, loss):
    stage = Stage(solo("druhid axx filchy", "archr horsie chariott"), f"{forts} tax-8 dinary-5 dinary-6 tax-8")
    stage.turn()
    turn = stage.turn(*loss)
    assert sorted(turn.forts("neutral_0")) == ["dinary-4", "signal-4"]
    position = stage.turn().position
    assert position["clans"]["neutral_0"]["forts"] == ["signal-4", "tax-8"]
    assert position["lost_forts"] == ["dinary-4"]


def test_6_3_it_pays_with_the_tax_collectors_fort_only_without_another():
    stage = Stage(
        solo("horsie chariott filchy", "archr qween horsie"), "dinary-1 legion-2 tax-8 dinary-3 dinary-3 tax-8"
    )
    stage.turns(3)
    position = stage.position
    assert position["clans"]["neutral_0"]["forts"] == []
    assert position["lost_forts"] == ["tax-8"]


def test_6_4_a_neutral_does_not_end_the_game_by_legion_forts():
    wall = "dinary-1 legion-1 legion-2 legion-3 dinary-3 dinary-5"
    stage = Stage(solo("horsie druhid archr filchy chariott", "filchy chariott chariott horsie archr"), wall)
    turn = stage.turns(4)
    assert turn.forts("neutral_0") == ["legion-1", "legion-2", "legion-3"]
    assert not stage.game.is_over
    assert stage.turn().position["turn"] == 5


def test_6_4_a_neutral_never_wins_against_players():
    game = with_forts((2, 1), {"player_0": "dinary-1", "player_1": "legion-1", "neutral_0": "tax-8 dinary-6"})
    assert game.winners() == ["player_0"]
    assert game.returns() == {"player_0": 1.0, "player_1": -1.0}
    game = with_forts((2, 1), {"player_0": "dinary-1", "player_1": "", "neutral_0": "legion-1 legion-2 legion-3 tax-8"})
    assert game.winners() == ["player_0"]
