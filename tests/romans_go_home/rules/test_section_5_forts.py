"""RULES 5: effects of forts, for the clan that captures."""

from __future__ import annotations

import pytest

from tests.romans_go_home.stages import Stage, Turn, give_forts

UNWARY_FIRST = "unwary-2 dinary-3 dinary-3 dinary-3 dinary-3 dinary-5"
UNWARY_SECOND = "dinary-1 unwary-2 dinary-3 dinary-3 dinary-3 dinary-5"
SIGNAL_SECOND = "dinary-3 signal-4 dinary-3 dinary-3 dinary-3 dinary-5"
TAX_LAST = "dinary-1 dinary-3 dinary-4 dinary-4 dinary-5 tax-8"
LEGIONS = "dinary-1 legion-1 legion-2 legion-3 dinary-3 dinary-5"


def players(*plans: str) -> dict[str, str]:
    return {f"player_{seat}": plan for seat, plan in enumerate(plans)}


# -- 5.1 Unwary


def unwary_turn(first: str, second: str, *choices: str) -> Turn:
    """The second turn, before the Unwary fort."""
    stage = Stage(players(first, second), UNWARY_SECOND)
    stage.turn()
    turn = stage.turn(*choices)
    assert turn.captured == "unwary-2"
    return turn


@pytest.mark.parametrize(("choice", "stays"), [("unwary:keep", ["druhid"]), ("unwary:discard", [])])
def test_5_1_unwary_may_keep_the_weakest_warrior(choice, stays):
    turn = unwary_turn("druhid horsie", "archr axx", f"player_0 {choice}")
    assert turn.asked == [("player_0", ["unwary:discard", "unwary:keep"])]
    assert turn.face_up("player_0") == stays


def test_5_1_the_weakest_may_be_the_one_revealed():
    turn = unwary_turn("archr druhid", "horsie filchy", "player_0 take:2", "player_0 unwary:keep")
    assert turn.face_up("player_0") == ["druhid"]


def test_5_1_of_two_equal_weakest_one_stays():
    turn = unwary_turn("chariott chariott", "qween archr", "player_0 unwary:keep")
    assert turn.totals["player_0"] == 18
    assert turn.face_up("player_0") == ["chariott"]


def test_5_1_when_the_weakest_is_axx_revealed_this_turn_4_8_alone_decides():
    for choice, stays in (("axx:keep", ["axx"]), ("axx:discard", [])):
        turn = Stage(players("axx", "druhid"), UNWARY_FIRST).turn(f"player_0 {choice}")
        assert turn.captured == "unwary-2"
        assert turn.asked == [("player_0", ["axx:discard", "axx:keep"])]
        assert turn.face_up("player_0") == stays


@pytest.mark.parametrize(
    ("axx", "unwary", "stay"),
    [
        ("keep", "keep", ["axx", "druhid"]),
        ("keep", "discard", ["axx"]),
        ("discard", "keep", ["druhid"]),
        ("discard", "discard", []),
    ],
)
def test_5_1_otherwise_both_may_stay(axx, unwary, stay):
    turn = unwary_turn("druhid axx", "archr filchy", f"player_0 axx:{axx}", f"player_0 unwary:{unwary}")
    assert turn.asked == [("player_0", ["axx:discard", "axx:keep"]), ("player_0", ["unwary:discard", "unwary:keep"])]
    assert turn.face_up("player_0") == stay


def test_5_1_an_axx_of_an_earlier_turn_is_kept_like_any_weakest_warrior():
    turn = unwary_turn("axx horsie", "chariott filchy", "player_0 unwary:keep")
    assert turn.asked == [("player_0", ["unwary:discard", "unwary:keep"])]
    assert turn.face_up("player_0") == ["axx"]


# -- 5.2 Signal


def test_5_2_every_other_clan_discards_a_face_up_warrior_of_its_choice():
    stage = Stage(players("chariott horsie", "axx druhid", "archr filchy"), SIGNAL_SECOND)
    stage.turn()
    turn = stage.turn("player_1 lose:druhid", "player_2 lose:archr")
    assert (turn.captor, turn.captured) == ("player_0", "signal-4")
    assert turn.asked == [("player_1", ["lose:axx", "lose:druhid"]), ("player_2", ["lose:archr", "lose:filchy"])]
    assert (turn.face_up("player_1"), turn.face_up("player_2")) == (["axx"], ["filchy"])


def test_5_2_after_horsie():
    stage = Stage(players("chariott qween", "druhid horsie"), SIGNAL_SECOND)
    stage.turn()
    turn = stage.turn()
    assert turn.totals == {"player_0": 8, "player_1": 2}
    # Dru'hid goes for Horsie (4.9), and then Horsie for the Signal fort.
    assert turn.face_up("player_1") == []


def test_5_2_a_clan_without_face_up_warriors_discards_nothing():
    stage = Stage(players("horsie archr", "chariott chariott", "druhid chariott"), SIGNAL_SECOND)
    stage.turn()
    turn = stage.turn()
    assert (turn.captor, turn.captured) == ("player_0", "signal-4")
    assert turn.face_up("player_1") == turn.face_up("player_2") == []
    assert turn.asked == []


def test_5_2_the_winner_is_not_concerned():
    stage = Stage(players("druhid axx", "horsie qween"), SIGNAL_SECOND)
    stage.turn()
    # The Qween charms Axx and takes the Signal fort: 1 + 4 against 2.
    turn = stage.turn("player_0 lose:axx")
    assert (turn.captor, turn.asked) == ("player_1", [("player_0", ["lose:axx", "lose:druhid"])])
    assert turn.face_up("player_0") == ["druhid"]
    assert turn.face_up("player_1") == []


# -- 5.3 Tax-collector


def test_5_3_the_winner_discards_one_of_its_other_forts():
    stage = Stage(players("chariott chariott druhid", "archr zvord filchy"), TAX_LAST)
    stage.turn()
    stage.turn("player_1 reorder:filchy", "player_1 reorder:chariott", "player_1 reorder:horsie")
    turn = stage.turn("player_0 take:6", "player_0 give_up:dinary-1")
    assert turn.asked[-1] == ("player_0", ["give_up:dinary-1", "give_up:dinary-3"])
    assert turn.forts("player_0") == ["dinary-3", "tax-8"]
    assert turn.lost_forts == ["dinary-1"]
    assert turn.position["clans"]["player_0"]["points"] == 11


def test_5_3_a_single_other_fort_goes_without_asking():
    stage = Stage(players("chariott druhid", "archr filchy"), TAX_LAST)
    stage.turn()
    turn = stage.turn("player_0 take:6")
    assert (turn.forts("player_0"), turn.lost_forts) == (["tax-8"], ["dinary-1"])


def test_5_3_the_tax_collectors_fort_itself_only_without_another():
    turn = Stage(players("druhid", "filchy"), TAX_LAST).turn("player_0 take:6")
    assert turn.captured == "tax-8"
    assert (turn.forts("player_0"), turn.lost_forts) == ([], ["tax-8"])


def test_5_3_an_earlier_tax_collectors_fort_is_another_fort():
    wall = "dinary-1 tax-8 dinary-3 dinary-3 dinary-3 tax-8"
    stage = Stage(players("archr chariott druhid", "axx druhid filchy"), wall)
    stage.turn()
    assert stage.turn().forts("player_0") == ["tax-8"]
    turn = stage.turn("player_0 take:6")
    assert turn.forts("player_0") == ["tax-8"]
    assert turn.lost_forts == ["dinary-1", "tax-8"]


# -- 5.4 Legion


def test_5_4_a_player_with_three_legion_forts_wins_at_once():
    stage = Stage(players("filchy chariott chariott horsie", "horsie druhid archr filchy"), LEGIONS)
    turn = stage.turns(4)
    assert turn.forts("player_0") == ["legion-1", "legion-2", "legion-3"]
    game = stage.game
    assert game.is_over
    assert (game.position()["round"], game.position()["turn"]) == (1, 4)
    # although the other has more points
    assert game.points() == {"player_0": -6, "player_1": 1}
    assert game.winners() == ["player_0"]
    assert game.returns() == {"player_0": 1.0, "player_1": -1.0}


def test_5_4_a_player_alone_wins_at_once_too():
    stage = Stage({"player_0": "filchy chariott chariott horsie", "neutral_0": "horsie druhid archr filchy"}, LEGIONS)
    stage.turns(4)
    assert stage.game.is_over
    assert (stage.game.winners(), stage.game.returns()) == (["player_0"], {"player_0": 1.0})


def test_5_4_discarded_legion_forts_do_not_count():
    wall = "dinary-1 legion-3 dinary-3 dinary-3 dinary-3 tax-8"
    stage = Stage(players("druhid chariott", "filchy druhid"), wall)
    # Two Legion forts of earlier rounds are written into the record: to win two rounds first would be laborious.
    for states in (stage.game.states, stage.states):
        give_forts(states, 0, "legion-1 legion-2")
    stage.turn("player_0 take:6", "player_0 give_up:legion-2")
    turn = stage.turn()
    assert turn.forts("player_0") == ["legion-1", "legion-3", "tax-8"]
    assert not stage.game.is_over
    # The same without the loss is a win.
    stage = Stage(players("druhid chariott", "filchy druhid"), wall)
    for states in (stage.game.states, stage.states):
        give_forts(states, 0, "legion-1 legion-2")
    stage.turn("player_0 take:2")
    assert stage.game.winners() == ["player_0"]


def test_5_4_the_turns_other_decisions_come_first():
    # Zvord's order (4.13) is asked for before the third Legion fort ends the game.
    stage = Stage(players("filchy horsie axx chariott", "horsie druhid filchy zvord archr axx"), LEGIONS)
    stage.turns(2)
    stage.turn("player_0 axx:keep")
    assert not stage.game.is_over
    turn = stage.turn("player_1 reorder:axx")
    assert turn.totals == {"player_0": 13, "player_1": 11}
    assert turn.asked == [("player_1", ["reorder:archr", "reorder:axx"])]
    assert turn.before[0]["clans"]["player_0"]["forts"] == ["legion-1", "legion-2", "legion-3"]
    assert stage.game.winners() == ["player_0"]
