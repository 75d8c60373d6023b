"""RULES 4: the attack, six turns from left to right.

Strengths, to follow the sums: Qween 1, Dru'hid 2, Zvord 3, Axx 4, Arch'r 5, Filchy 6, Horsie 7, Ch'ariott 9.
"""

from __future__ import annotations

import pytest

from tests.romans_go_home.stages import Stage, new_game
from tests.tools import decisions

WALL = "dinary-1 legion-1 dinary-3 dinary-4 signal-4 dinary-6"
SIGNAL_SECOND = "dinary-3 signal-4 dinary-3 dinary-3 dinary-3 dinary-5"


def players(*plans: str) -> dict[str, str]:
    return {f"player_{seat}": plan for seat, plan in enumerate(plans)}


def choices_of(turn) -> list[list[str]]:
    return [names for _, names in turn.asked]


# -- 4.1 reveal


def test_4_1_all_clans_turn_up_their_leftmost_hidden_warrior():
    stage = Stage(players("archr axx", "chariott horsie"))
    first = stage.turn()
    assert first.position["this_turn"]["revealed"] == {"player_0": "archr", "player_1": "chariott"}
    assert first.totals == {"player_0": 5, "player_1": 9}
    assert first.face_up("player_0") == ["archr"]
    assert len(first.position["clans"]["player_0"]["hidden"]) == 5
    second = stage.turn("player_0 axx:discard")
    assert second.position["this_turn"]["revealed"] == {"player_0": "axx", "player_1": "horsie"}
    assert second.totals == {"player_0": 9, "player_1": 7}


# -- 4.2 Ch'ariott


def test_4_2_rival_chariotts_are_discarded_before_points_are_counted():
    turn = Stage(players("chariott", "chariott", "archr")).turn()
    assert turn.totals == {"player_0": 0, "player_1": 0, "player_2": 5}
    assert turn.captor == "player_2"
    assert turn.face_up("player_0") == turn.face_up("player_1") == []


def test_4_2_three_chariotts_all_go():
    turn = Stage(players("chariott", "chariott", "chariott", "archr")).turn()
    assert turn.totals == {"player_0": 0, "player_1": 0, "player_2": 0, "player_3": 5}


def test_4_2_one_chariott_stays():
    assert Stage(players("chariott", "archr")).turn().totals == {"player_0": 9, "player_1": 5}


def test_4_2_a_chariott_of_an_earlier_turn_stays():
    stage = Stage(players("chariott chariott", "qween filchy", "archr chariott"))
    assert stage.turn("player_1 charm:+2").totals == {"player_0": 0, "player_1": 10, "player_2": 5}
    turn = stage.turn()
    assert turn.totals == {"player_0": 9, "player_1": 6, "player_2": 5}
    assert turn.captor == "player_0"
    assert turn.face_up("player_2") == ["archr"]


def test_4_2_a_face_up_chariott_does_not_wreck_one_revealed_later():
    stage = Stage(players("chariott druhid", "qween filchy", "archr chariott"))
    stage.turn("player_1 charm:+2")
    assert stage.turn().totals == {"player_0": 11, "player_1": 6, "player_2": 14}


# -- 4.3 Qween


def test_4_3_the_strength_moves_to_the_qween():
    turn = Stage(players("qween", "archr", "axx")).turn("player_0 charm:+1")
    assert turn.totals == {"player_0": 6, "player_1": 0, "player_2": 4}
    assert turn.captor == "player_0"


def test_4_3_any_rival_warrior_revealed_may_be_charmed_and_charming_is_not_optional():
    turn = Stage(players("archr", "druhid", "qween", "axx")).turn("player_2 charm:+2")
    assert turn.asked == [("player_2", ["charm:+1", "charm:+2", "charm:+3"])]
    assert turn.totals == {"player_0": 0, "player_1": 2, "player_2": 6, "player_3": 4}
    # The only rival is charmed without asking: the Qween's owner cannot leave him alone.
    assert Stage(players("qween", "archr")).turn().totals == {"player_0": 6, "player_1": 0}


def test_4_3_the_charm_lasts_one_turn():
    stage = Stage(players("qween filchy", "archr druhid", "axx chariott"))
    stage.turn("player_0 charm:+1")
    assert stage.turn().totals == {"player_0": 6, "player_1": 7, "player_2": 13}


def test_4_3_a_charmed_filchy_still_keeps_her_own_clan_from_fighting():
    stage = Stage(players("horsie qween", "chariott filchy", "qween axx"))
    stage.turn("player_2 charm:+2")  # so that the Ch'ariott stays with player_1
    turn = stage.turn("player_0 charm:+1")
    assert turn.totals == {"player_0": 7, "player_1": 9, "player_2": 4}
    assert turn.captor == "player_0"


def test_4_3_a_charmed_archr_still_wins_ties_for_his_owner():
    stage = Stage(players("zvord qween", "chariott archr", "qween filchy"))
    stage.turn("player_2 charm:+2", "player_0 reorder:qween", "player_0 reorder:filchy", "player_0 reorder:archr")
    turn = stage.turn("player_0 charm:+1")
    assert turn.totals == {"player_0": 9, "player_1": 9, "player_2": 6}
    assert turn.captor == "player_1"


def test_4_3_a_charmed_horsie_still_costs_her_owner_a_warrior():
    turn = Stage(players("qween", "horsie")).turn()
    assert turn.totals == {"player_0": 8, "player_1": 0}
    assert turn.face_up("player_1") == []


def test_4_3_a_charmed_axx_may_still_stay():
    stage = Stage(players("druhid qween", "chariott axx", "qween filchy"))
    stage.turn("player_2 charm:+2")
    turn = stage.turn("player_0 charm:+1", "player_1 axx:keep")
    assert turn.totals == {"player_0": 7, "player_1": 9, "player_2": 6}
    assert turn.face_up("player_1") == ["axx"]


def test_4_3_two_qweens_charm_nobody():
    turn = Stage(players("qween", "qween", "archr")).turn()
    assert turn.totals == {"player_0": 1, "player_1": 1, "player_2": 5}
    assert turn.asked == []


def test_4_3_a_neutral_may_be_charmed():
    turn = Stage({"player_0": "qween", "neutral_0": "horsie"}).turn()
    assert turn.totals == {"player_0": 8, "neutral_0": 0}
    turn = Stage({"player_0": "qween", "player_1": "axx", "neutral_0": "archr"}).turn("player_0 charm:+2")
    assert turn.totals == {"player_0": 6, "player_1": 4, "neutral_0": 0}


def test_4_3_a_neutral_qween_cancels_a_players():
    turn = Stage({"player_0": "qween", "player_1": "archr", "neutral_0": "qween"}).turn()
    assert turn.totals == {"player_0": 1, "player_1": 5, "neutral_0": 1}
    assert turn.asked == []


def test_4_3_nobody_left_to_charm():
    turn = Stage(players("qween", "chariott", "chariott")).turn()
    assert turn.totals == {"player_0": 1, "player_1": 0, "player_2": 0}
    assert turn.position["this_turn"]["charmed"] is None
    assert (turn.captor, turn.asked) == ("player_0", [])


def test_4_3_a_wrecked_chariott_cannot_be_charmed():
    turn = Stage(players("qween", "chariott", "archr", "chariott")).turn()
    assert turn.totals == {"player_0": 6, "player_1": 0, "player_2": 0, "player_3": 0}
    assert turn.asked == []


def test_4_3_a_charmed_warrior_keeps_its_printed_strength_for_everything_else():
    # The neutral must discard its weakest warrior for the Signal fort: Axx, not the Ch'ariott that counts 0 this turn.
    stage = Stage({"player_0": "horsie qween", "neutral_0": "axx chariott"}, SIGNAL_SECOND)
    stage.turn()
    turn = stage.turn()
    assert turn.totals == {"player_0": 10, "neutral_0": 4}
    assert turn.captured == "signal-4"
    assert turn.face_up("neutral_0") == ["chariott"]


# -- 4.4 totals


def test_4_4_a_total_is_the_strength_of_all_face_up_warriors():
    stage = Stage(players("druhid axx chariott", "archr horsie qween"))
    assert stage.turn().totals == {"player_0": 2, "player_1": 5}
    assert stage.turn().totals == {"player_0": 6, "player_1": 7}
    assert stage.turn().totals == {"player_0": 6, "player_1": 10}


def test_4_4_filchys_clan_does_not_fight_on_the_turn_she_is_revealed():
    stage = Stage(players("filchy druhid", "archr horsie"))
    first = stage.turn()
    assert (first.captor, first.face_up("player_0")) == ("player_1", ["filchy"])
    # On the next turn her strength counts: 6 + 2 against 7.
    second = stage.turn("player_0 take:2")
    assert second.totals == {"player_0": 8, "player_1": 7}
    assert second.captor == "player_0"


def test_4_4_filchys_clan_does_not_fight_even_with_the_highest_total():
    stage = Stage(players("archr filchy", "horsie axx"))
    stage.turn()
    turn = stage.turn("player_1 axx:discard")
    assert turn.totals == {"player_0": 11, "player_1": 4}
    assert turn.captor == "player_1"


# -- 4.5 capture


def test_4_5_the_highest_total_captures_the_fort_of_this_turns_slot():
    turn = Stage(players("archr", "chariott", "druhid"), WALL).turn()
    assert (turn.captor, turn.captured) == ("player_1", "dinary-1")
    assert turn.forts("player_1") == ["dinary-1"]
    assert turn.forts("player_0") == turn.forts("player_2") == []
    assert turn.wall == [None, "legion-1", "dinary-3", "dinary-4", "signal-4", "dinary-6"]


def test_4_5_the_second_turn_is_for_the_second_slot():
    stage = Stage(players("archr chariott", "chariott axx"), WALL)
    stage.turn()
    turn = stage.turn()
    assert (turn.captor, turn.captured) == ("player_0", "legion-1")


def test_4_5_if_no_clan_fights_nobody_captures():
    turn = Stage(players("filchy", "filchy"), WALL).turn()
    assert (turn.captor, turn.lost_forts) == (None, ["dinary-1"])


# -- 4.6 ties


def test_4_6_the_only_archr_of_the_tied_wins():
    stage = Stage(players("axx archr", "horsie chariott"))
    stage.turn()
    turn = stage.turn()
    assert turn.totals == {"player_0": 9, "player_1": 9}
    assert turn.captor == "player_0"


def test_4_6_without_an_archr_nobody_captures():
    turn = Stage(players("axx", "axx"), WALL).turn()
    assert (turn.captor, turn.lost_forts) == (None, ["dinary-1"])


def test_4_6_several_archrs_nobody_captures():
    turn = Stage(players("archr", "archr"), WALL).turn()
    assert turn.totals == {"player_0": 5, "player_1": 5}
    assert (turn.captor, turn.lost_forts) == (None, ["dinary-1"])


def test_4_6_two_archrs_in_a_three_way_tie_nobody_captures():
    stage = Stage(players("axx archr", "axx archr", "horsie chariott"))
    stage.turn()
    turn = stage.turn()
    assert turn.totals == {"player_0": 9, "player_1": 9, "player_2": 9}
    assert turn.captor is None


def test_4_6_one_archr_in_a_three_way_tie_wins():
    stage = Stage(players("axx archr", "horsie chariott", "druhid horsie"))
    stage.turn()
    turn = stage.turn()
    assert turn.totals == {"player_0": 9, "player_1": 9, "player_2": 9}
    assert turn.captor == "player_0"


def test_4_6_an_archr_of_an_earlier_turn_wins_no_tie():
    stage = Stage(players("archr axx", "horsie chariott"))
    stage.turn()
    turn = stage.turn()
    assert turn.totals == {"player_0": 9, "player_1": 9}
    assert turn.captor is None


def test_4_6_an_archr_below_the_tied_does_not_matter():
    turn = Stage(players("horsie", "archr", "horsie")).turn()
    assert turn.totals == {"player_0": 7, "player_1": 5, "player_2": 7}
    assert turn.captor is None


def test_4_6_only_fighting_clans_tie():
    stage = Stage(players("zvord filchy", "horsie chariott"))
    stage.turn("player_0 reorder:filchy", "player_0 reorder:archr", "player_0 reorder:horsie")
    turn = stage.turn()
    assert turn.totals == {"player_0": 9, "player_1": 9}
    assert turn.captor == "player_1"


# -- 4.7 Dru'hid


def test_4_7_druhid_takes_any_fort_and_this_turns_goes_into_its_slot():
    turn = Stage(players("druhid", "filchy"), WALL).turn("player_0 take:4")
    assert turn.asked == [("player_0", [f"take:{slot}" for slot in range(1, 7)])]
    assert turn.forts("player_0") == ["dinary-4"]
    assert turn.wall == [None, "legion-1", "dinary-3", "dinary-1", "signal-4", "dinary-6"]


def test_4_7_druhid_may_take_this_turns_fort():
    turn = Stage(players("druhid", "filchy"), WALL).turn("player_0 take:1")
    assert turn.forts("player_0") == ["dinary-1"]
    assert turn.wall == [None, "legion-1", "dinary-3", "dinary-4", "signal-4", "dinary-6"]


def test_4_7_only_forts_still_in_the_wall():
    stage = Stage(players("archr chariott druhid", "axx horsie filchy"), WALL)
    stage.turns(2)
    turn = stage.turn("player_0 take:6")
    assert turn.asked == [("player_0", ["take:3", "take:4", "take:5", "take:6"])]
    assert turn.captured == "dinary-6"
    assert turn.wall == [None, None, None, "dinary-4", "signal-4", "dinary-3"]


def test_4_7_the_effect_of_the_fort_taken_applies():
    turn = Stage(players("druhid", "filchy"), WALL).turn("player_0 take:5")
    assert turn.captured == "signal-4"
    assert turn.face_up("player_1") == []


def test_4_7_the_effect_of_the_fort_left_does_not_apply():
    wall = "signal-4 dinary-4 dinary-4 dinary-4 dinary-4 dinary-5"
    turn = Stage(players("druhid", "filchy"), wall).turn("player_0 take:6")
    assert turn.captured == "dinary-5"
    assert turn.face_up("player_1") == ["filchy"]


def test_4_7_no_choice_without_the_capture_or_on_a_later_turn():
    stage = Stage(players("druhid archr", "axx filchy"))
    assert choices_of(stage.turn("player_1 axx:discard")) == [["axx:discard", "axx:keep"]]
    turn = stage.turn()
    assert (turn.totals["player_0"], turn.captor, turn.asked) == (7, "player_0", [])


# -- 4.8 Axx


@pytest.mark.parametrize(("choice", "stays"), [("axx:keep", ["axx"]), ("axx:discard", [])])
def test_4_8_axx_may_stay_when_he_captures(choice, stays):
    stage = Stage(players("druhid axx", "archr filchy"))
    stage.turn()
    turn = stage.turn(f"player_0 {choice}")
    assert turn.asked == [("player_0", ["axx:discard", "axx:keep"])]
    assert turn.face_up("player_0") == stays  # Dru'hid goes either way


def test_4_8_axx_kept_counts_next_turn():
    stage = Stage(players("axx archr", "druhid filchy"))
    stage.turn("player_0 axx:keep")
    assert stage.turn().totals == {"player_0": 9, "player_1": 8}


def test_4_8_axx_of_an_earlier_turn_does_not_stay():
    stage = Stage(players("axx archr", "horsie druhid"))
    assert stage.turn().face_up("player_0") == ["axx"]
    turn = stage.turn()
    assert (turn.captor, turn.asked, turn.face_up("player_0")) == ("player_0", [], [])


def test_4_8_1_a_lone_axx_is_discarded_at_a_signal_fort():
    wall = "signal-4 dinary-4 dinary-4 dinary-4 dinary-4 dinary-5"
    turn = Stage(players("axx", "druhid"), wall).turn()
    assert (turn.captor, turn.captured) == ("player_0", "signal-4")
    assert (turn.asked, turn.face_up("player_0")) == ([], [])


def test_4_8_1_axx_may_stay_at_a_signal_fort_when_he_is_not_alone():
    stage = Stage(players("druhid axx", "horsie archr"), SIGNAL_SECOND)
    stage.turn()
    turn = stage.turn("player_0 axx:keep")
    assert (turn.captor, turn.captured) == ("player_0", "signal-4")
    assert turn.face_up("player_0") == ["axx"]
    assert turn.face_up("player_1") == []


# -- 4.9 Horsie


def test_4_9_horsie_costs_another_warrior_when_she_does_not_capture():
    stage = Stage(players("druhid axx horsie", "archr horsie qween"))
    stage.turns(2)
    turn = stage.turn("player_0 lose:axx")
    assert turn.totals == {"player_0": 6, "player_1": 8}
    # Horsie herself can be discarded only when she is alone.
    assert turn.asked == [("player_0", ["lose:axx", "lose:druhid"])]
    assert turn.face_up("player_0") == ["druhid", "horsie"]


def test_4_9_with_one_other_warrior_that_one_goes():
    stage = Stage(players("druhid horsie", "archr qween"))
    stage.turn()
    turn = stage.turn()
    assert turn.asked == []
    assert turn.face_up("player_0") == ["horsie"]


def test_4_9_horsie_alone_is_discarded_herself():
    turn = Stage(players("horsie", "chariott")).turn()
    assert turn.face_up("player_0") == []


def test_4_9_horsie_loses_nobody_when_she_captures():
    stage = Stage(players("archr horsie", "chariott axx"))
    stage.turn()
    turn = stage.turn()
    assert (turn.captor, turn.totals["player_0"], turn.asked) == ("player_0", 12, [])


def test_4_9_horsie_loses_a_warrior_when_nobody_captures():
    turn = Stage(players("horsie", "horsie")).turn()
    assert turn.captor is None
    assert turn.face_up("player_0") == turn.face_up("player_1") == []


def test_4_9_a_horsie_of_an_earlier_turn_costs_nothing():
    stage = Stage(players("druhid horsie axx", "archr qween chariott"))
    stage.turns(2)
    turn = stage.turn("player_0 axx:discard")
    assert turn.totals == {"player_0": 11, "player_1": 9}
    loser = Stage(players("druhid horsie filchy", "archr qween chariott"))
    loser.turns(2)
    assert loser.turn().face_up("player_0") == ["filchy", "horsie"]


# -- 4.10 Zvord


def test_4_10_zvord_puts_the_hidden_warriors_in_any_order():
    stage = Stage(players("zvord qween druhid axx archr filchy horsie", "chariott"))
    order = ["archr", "filchy", "qween", "axx"]
    turn = stage.turn(*[f"player_0 reorder:{name}" for name in order])
    assert choices_of(turn) == [
        ["reorder:archr", "reorder:axx", "reorder:druhid", "reorder:filchy", "reorder:qween"],
        ["reorder:axx", "reorder:druhid", "reorder:filchy", "reorder:qween"],
        ["reorder:axx", "reorder:druhid", "reorder:qween"],
        ["reorder:axx", "reorder:druhid"],
    ]
    cards = turn.position["clans"]["player_0"]
    assert cards["hidden"] == [*order, "druhid"]
    assert (cards["set_aside"], cards["face_up"]) == ("horsie", ["zvord"])


def test_4_10_whoever_captured():
    stage = Stage(players("zvord qween druhid axx archr filchy horsie", "filchy"))
    turn = stage.turn(*[f"player_0 reorder:{name}" for name in ("archr", "filchy", "qween", "axx")])
    assert turn.captor == "player_0"
    assert turn.position["clans"]["player_0"]["hidden"] == ["archr", "filchy", "qween", "axx", "druhid"]


def test_4_10_the_warriors_come_in_the_new_order():
    stage = Stage(players("zvord qween druhid axx archr filchy", "chariott chariott"))
    stage.turn(*[f"player_0 reorder:{name}" for name in ("archr", "filchy", "qween", "axx")])
    assert stage.turn().totals == {"player_0": 8, "player_1": 9}


def test_4_10_only_the_hidden_ones_can_be_reordered():
    stage = Stage(players("archr axx chariott zvord filchy qween", "horsie chariott archr axx filchy"))
    stage.turns(3)
    turn = stage.turn("player_1 axx:keep", "player_0 reorder:qween")
    assert choices_of(turn)[1:] == [["reorder:filchy", "reorder:qween"]]
    assert turn.position["clans"]["player_0"]["hidden"] == ["qween", "filchy"]


def test_4_10_equal_warriors_make_no_choice():
    stage = Stage(players("zvord chariott archr chariott filchy axx", "horsie"))
    turn = stage.turn("player_0 reorder:archr", "player_0 reorder:filchy", "player_0 reorder:axx")
    assert choices_of(turn)[-1] == ["reorder:axx", "reorder:chariott"]
    assert turn.position["clans"]["player_0"]["hidden"] == ["archr", "filchy", "axx", "chariott", "chariott"]


# -- 4.11 and 4.12: who stays


def test_4_11_the_winner_discards_all_and_the_others_keep_theirs():
    stage = Stage(players("archr chariott", "filchy axx", "horsie druhid"))
    assert stage.turn().captor == "player_2"
    turn = stage.turn()
    assert turn.totals == {"player_0": 14, "player_1": 10, "player_2": 2}
    assert turn.face_up("player_0") == []
    assert turn.face_up("player_1") == ["axx", "filchy"]
    assert turn.face_up("player_2") == ["druhid"]


def test_4_11_strength_counts_again_but_effects_do_not():
    # Filchy of the first turn does not keep her clan from fighting in the second.
    stage = Stage(players("filchy axx", "archr chariott"))
    stage.turn()
    turn = stage.turn("player_0 axx:discard")
    assert turn.totals == {"player_0": 10, "player_1": 9}
    assert turn.captor == "player_0"


def test_4_12_if_nobody_captures_the_fort_is_discarded_and_all_stay():
    stage = Stage(players("axx filchy", "axx filchy"), WALL)
    first = stage.turn()
    assert first.wall == [None, "legion-1", "dinary-3", "dinary-4", "signal-4", "dinary-6"]
    assert first.face_up("player_0") == first.face_up("player_1") == ["axx"]
    second = stage.turn()
    assert second.wall == [None, None, "dinary-3", "dinary-4", "signal-4", "dinary-6"]
    assert second.lost_forts == ["dinary-1", "legion-1"]
    assert second.face_up("player_0") == second.face_up("player_1") == ["axx", "filchy"]
    assert second.forts("player_0") == second.forts("player_1") == []


# -- 4.13 the order of the decisions


def busy_turn() -> Stage:
    """In the third turn a Qween, a capturing Dru'hid, a Horsie and a Zvord are revealed, before an Unwary fort."""
    stage = Stage(
        players(
            "qween chariott zvord archr axx filchy", "chariott filchy druhid", "axx druhid horsie", "filchy archr qween"
        ),
        "dinary-1 dinary-3 unwary-2 dinary-4 dinary-5 dinary-6",
    )
    stage.turn("player_0 charm:+1")
    assert stage.turn().captor == "player_3"
    return stage


BUSY_CHOICES = (
    "player_3 charm:+1",
    "player_1 take:3",
    "player_2 lose:druhid",
    "player_0 reorder:filchy",
    "player_0 reorder:archr",
    "player_1 unwary:keep",
)


def test_4_13_the_order_of_the_decisions():
    turn = busy_turn().turn(*BUSY_CHOICES)
    assert turn.asked == [
        ("player_3", ["charm:+1", "charm:+2", "charm:+3"]),
        ("player_1", ["take:3", "take:4", "take:5", "take:6"]),
        ("player_2", ["lose:axx", "lose:druhid"]),
        ("player_0", ["reorder:archr", "reorder:axx", "reorder:filchy"]),
        ("player_0", ["reorder:archr", "reorder:axx"]),
        ("player_1", ["unwary:discard", "unwary:keep"]),
    ]
    assert turn.totals == {"player_0": 9, "player_1": 17, "player_2": 13, "player_3": 4}


def test_4_13_what_is_on_the_table_at_each_decision():
    charm, take, lose, reorder, _, unwary = busy_turn().turn(*BUSY_CHOICES).before

    def shown(position, clan):
        return position["clans"][clan]["face_up"]

    assert charm["this_turn"]["charmed"] is None
    assert take["this_turn"]["charmed"] == "player_0"
    assert take["this_turn"]["captor"] == "player_1"
    # A captured fort lies with its winner from 4.7 on, the winner's warriors are still shown until the fort's effect.
    assert take["clans"]["player_1"]["forts"] == []
    for position in (lose, reorder, unwary):
        assert position["clans"]["player_1"]["forts"] == ["unwary-2"]
        assert position["wall"][2] is None
        assert shown(position, "player_1") == ["chariott", "druhid", "filchy"]
    # A warrior discarded by anyone else leaves at once.
    assert shown(lose, "player_2") == ["axx", "druhid", "horsie"]
    assert shown(reorder, "player_2") == ["axx", "horsie"]


def test_4_13_axx_then_horsie_then_the_signal_discards_in_seat_order():
    stage = Stage(
        {
            "player_0": "archr filchy axx",
            "player_1": "druhid archr horsie",
            "player_2": "axx druhid archr",
            "neutral_0": "chariott chariott filchy",
        },
        "dinary-3 dinary-3 signal-4 dinary-3 dinary-3 dinary-5",
    )
    stage.turns(2)
    turn = stage.turn("player_0 axx:keep", "player_1 lose:druhid", "player_1 lose:horsie", "player_2 lose:archr")
    assert turn.totals == {"player_0": 15, "player_1": 14, "player_2": 11, "neutral_0": 6}
    assert turn.asked == [
        ("player_0", ["axx:discard", "axx:keep"]),
        ("player_1", ["lose:archr", "lose:druhid"]),
        ("player_1", ["lose:archr", "lose:horsie"]),
        ("player_2", ["lose:archr", "lose:axx", "lose:druhid"]),
    ]
    # The winner's warriors are gone when the Signal fort calls, and each sees what those before it chose.
    assert turn.before[2]["clans"]["player_0"]["face_up"] == ["axx"]
    assert turn.before[3]["clans"]["player_1"]["face_up"] == ["archr"]
    assert {clan: turn.face_up(clan) for clan in turn.totals} == {
        "player_0": ["axx"],
        "player_1": ["archr"],
        "player_2": ["axx", "druhid"],
        "neutral_0": [],
    }


def test_4_13_zvords_orders_are_given_in_seat_order_and_stay_hidden():
    line = "zvord qween druhid axx archr filchy"
    stage = Stage(players("chariott", line, line))
    order = ["druhid", "filchy", "qween", "axx"]
    turn = stage.turn(*[f"{player} reorder:{name}" for player in ("player_1", "player_2") for name in order])
    assert [agent for agent, _ in turn.asked] == ["player_1"] * 4 + ["player_2"] * 4
    seen = []
    for name in ("druhid", "filchy"):
        game = Stage(players("chariott", line, line)).planned_game()
        game.act(f"reorder:{name}")
        while game.agent_to_act == "player_1":
            game.act(game.legal_actions()[0])
        seen.append(game.position("player_2"))
        assert seen[-1]["clans"]["player_1"]["hidden"] == [None] * 5
    assert seen[0] == seen[1]


# -- 4.14 no forced decisions


def test_4_14_a_single_legal_choice_is_made_by_the_engine():
    game = Stage(players("archr axx druhid zvord chariott chariott filchy", "")).game
    game.act("discard:filchy")
    for name in ("archr", "axx", "druhid", "zvord"):
        assert game.agent_to_act == "player_0"
        game.act(f"place:{name}")
    # Two Ch'ariotts for two slots: nothing is left to choose.
    assert game.agent_to_act == "player_1"
    assert game.position()["clans"]["player_0"]["hidden"] == ["archr", "axx", "druhid", "zvord", "chariott", "chariott"]


@pytest.mark.parametrize("seed", range(5))
def test_4_14_an_agent_is_asked_only_where_it_can_choose(seed):
    for game in decisions(new_game((3, 1, "vogel"), seed), seed):
        assert len(game.legal_actions()) >= 2
