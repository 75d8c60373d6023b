"""RULES 4: the attack, six turns from left to right.

Strengths, to follow the sums: Qween 1, Dru'hid 2, Zvord 3, Axx 4, Arch'r 5, Filchy 6, Horsie 7, Ch'ariott 9.
"""

import pytest

from tests.romans_go_home.stages import SIGNAL_SECOND, Attack, Stage, attacks, check_attack, clans

WALL = "dinary-1 legion-1 dinary-3 dinary-4 signal-4 dinary-6"
SIGNAL_FIRST = "signal-4 dinary-4 dinary-4 dinary-4 dinary-4 dinary-5"


def choices_of(turn) -> list[list[str]]:
    return [names for _, names in turn.asked]


def test_4_1_all_clans_turn_up_their_leftmost_hidden_warrior():
    stage = Stage(clans("archr axx / chariott horsie"))
    first = stage.turn()
    assert first.position["this_turn"]["revealed"] == {"player_0": "archr", "player_1": "chariott"}
    assert first.totals == {"player_0": 5, "player_1": 9}
    assert first.face_up("player_0") == ["archr"]
    assert len(first.position["clans"]["player_0"]["hidden"]) == 5
    second = stage.turn("player_0 axx:discard")
    assert second.position["this_turn"]["revealed"] == {"player_0": "axx", "player_1": "horsie"}
    assert second.totals == {"player_0": 9, "player_1": 7}


@attacks(
    Attack(
        "rivals are discarded before points count",
        "chariott / chariott / archr",
        totals=(0, 0, 5),
        captor="player_2",
        up=("", "", ""),
    ),
    Attack("three all go", "chariott / chariott / chariott / archr", totals=(0, 0, 0, 5)),
    Attack("one stays", "chariott / archr", totals=(9, 5)),
    Attack(
        "one is charmed",
        "chariott chariott / qween filchy / archr chariott",
        choices={1: ["player_1 charm:+2"]},
        totals=(0, 10, 5),
    ),
    Attack(
        "one of an earlier turn stays",
        "chariott chariott / qween filchy / archr chariott",
        turn=2,
        choices={1: ["player_1 charm:+2"]},
        totals=(9, 6, 5),
        captor="player_0",
        up=("", "filchy", "archr"),
    ),
    Attack(
        "one face up wrecks none that is revealed later",
        "chariott druhid / qween filchy / archr chariott",
        turn=2,
        choices={1: ["player_1 charm:+2"]},
        totals=(11, 6, 14),
    ),
)
def test_4_2_chariotts(attack):
    check_attack(attack)


# In the first turn of some, a Ch'ariott is charmed so that it stays.
@attacks(
    Attack("her own", "qween / archr / axx", choices={1: ["player_0 charm:+1"]}, totals=(6, 0, 4), captor="player_0"),
    Attack(
        "any rival's",
        "archr / druhid / qween / axx",
        choices={1: ["player_2 charm:+2"]},
        totals=(0, 2, 6, 4),
        asked=[("player_2", ["charm:+1", "charm:+2", "charm:+3"])],
    ),
    Attack("the only rival's without asking, as it is not optional", "qween / archr", totals=(6, 0), asked=[]),
    Attack(
        "for one turn",
        "qween filchy / archr druhid / axx chariott",
        turn=2,
        choices={1: ["player_0 charm:+1"]},
        totals=(6, 7, 13),
    ),
    Attack("a neutral's", "qween // horsie", totals=(8, 0)),
    Attack("a neutral's by choice", "qween / axx // archr", choices={1: ["player_0 charm:+2"]}, totals=(6, 4, 0)),
    Attack("two charm nobody", "qween / qween / archr", totals=(1, 1, 5), asked=[]),
    Attack("a neutral's cancels a player's", "qween / archr // qween", totals=(1, 5, 1), asked=[]),
    Attack(
        "nobody is left", "qween / chariott / chariott", totals=(1, 0, 0), charmed="nobody", captor="player_0", asked=[]
    ),
    Attack(
        "a wrecked Ch'ariott cannot be charmed", "qween / chariott / archr / chariott", totals=(6, 0, 0, 0), asked=[]
    ),
    Attack(
        "charmed, Filchy keeps her own clan from fighting",
        "horsie qween / chariott filchy / qween axx",
        turn=2,
        choices={1: ["player_2 charm:+2"], 2: ["player_0 charm:+1"]},
        totals=(7, 9, 4),
        captor="player_0",
    ),
    Attack(
        "charmed, Arch'r wins ties for his owner",
        "zvord qween / chariott archr / qween filchy",
        turn=2,
        choices={
            1: ["player_2 charm:+2", "player_0 reorder:qween", "player_0 reorder:filchy", "player_0 reorder:archr"],
            2: ["player_0 charm:+1"],
        },
        totals=(9, 9, 6),
        captor="player_1",
    ),
    Attack("charmed, Horsie costs her owner a warrior", "qween / horsie", totals=(8, 0), up=("", "")),
    Attack(
        "charmed, Axx may stay",
        "druhid qween / chariott axx / qween filchy",
        turn=2,
        choices={1: ["player_2 charm:+2"], 2: ["player_0 charm:+1", "player_1 axx:keep"]},
        totals=(7, 9, 6),
        up=("druhid qween", "axx", "filchy"),
    ),
    Attack(
        "the printed strength says who is weakest: Axx, not the Ch'ariott",
        "horsie qween // axx chariott",
        turn=2,
        wall=SIGNAL_SECOND,
        totals=(10, 4),
        captured="signal-4",
        up=("", "chariott"),
    ),
)
def test_4_3_the_strength_moves_to_the_qween_and_all_else_stays(attack):
    check_attack(attack)


@attacks(
    Attack("the total of the first turn", "druhid axx chariott / archr horsie qween", totals=(2, 5)),
    Attack("of two", "druhid axx chariott / archr horsie qween", turn=2, totals=(6, 7)),
    Attack("of three", "druhid axx chariott / archr horsie qween", turn=3, totals=(6, 10)),
    Attack("Filchy does not fight", "filchy druhid / archr horsie", captor="player_1", up=("filchy", "")),
    Attack(
        "on the next turn her strength counts",
        "filchy druhid / archr horsie",
        turn=2,
        choices={2: ["player_0 take:2"]},
        totals=(8, 7),
        captor="player_0",
    ),
    Attack(
        "she does not with the highest total",
        "archr filchy / horsie axx",
        turn=2,
        choices={2: ["player_1 axx:discard"]},
        totals=(11, 4),
        captor="player_1",
    ),
)
def test_4_4_a_total_is_the_strength_of_all_face_up_warriors_where_a_clan_fights(attack):
    check_attack(attack)


@attacks(
    Attack(
        "the highest total",
        "archr / chariott / druhid",
        captor="player_1",
        captured="dinary-1",
        forts=("", "dinary-1", ""),
        wall_after="- legion-1 dinary-3 dinary-4 signal-4 dinary-6",
    ),
    Attack(
        "the second turn is for the second slot",
        "archr chariott / chariott axx",
        turn=2,
        captor="player_0",
        captured="legion-1",
    ),
    Attack("if no clan fights, nobody captures", "filchy / filchy", captor="nobody", lost="dinary-1"),
    wall=WALL,
)
def test_4_5_the_fort_of_this_turns_slot_is_captured(attack):
    check_attack(attack)


@attacks(
    Attack("the only Arch'r of the tied wins", "axx archr / horsie chariott", turn=2, totals=(9, 9), captor="player_0"),
    Attack("without one nobody captures", "axx / axx", captor="nobody", lost="dinary-1"),
    Attack("with several nobody does", "archr / archr", totals=(5, 5), captor="nobody", lost="dinary-1"),
    Attack(
        "two in a three-way tie", "axx archr / axx archr / horsie chariott", turn=2, totals=(9, 9, 9), captor="nobody"
    ),
    Attack(
        "one in a three-way tie",
        "axx archr / horsie chariott / druhid horsie",
        turn=2,
        totals=(9, 9, 9),
        captor="player_0",
    ),
    Attack("one of an earlier turn", "archr axx / horsie chariott", turn=2, totals=(9, 9), captor="nobody"),
    Attack("one below the tied", "horsie / archr / horsie", totals=(7, 5, 7), captor="nobody"),
    Attack(
        "only fighting clans tie",
        "zvord filchy / horsie chariott",
        turn=2,
        choices={1: ["player_0 reorder:filchy", "player_0 reorder:archr", "player_0 reorder:horsie"]},
        totals=(9, 9),
        captor="player_1",
    ),
    wall=WALL,
)
def test_4_6_ties(attack):
    check_attack(attack)


@attacks(
    Attack(
        "any fort, and this turn's goes into its slot",
        "druhid / filchy",
        choices={1: ["player_0 take:4"]},
        asked=[("player_0", ["take:1", "take:2", "take:3", "take:4", "take:5", "take:6"])],
        forts=("dinary-4", ""),
        wall_after="- legion-1 dinary-3 dinary-1 signal-4 dinary-6",
    ),
    Attack(
        "this turn's",
        "druhid / filchy",
        choices={1: ["player_0 take:1"]},
        forts=("dinary-1", ""),
        wall_after="- legion-1 dinary-3 dinary-4 signal-4 dinary-6",
    ),
    Attack(
        "only those still in the wall",
        "archr chariott druhid / axx horsie filchy",
        turn=3,
        choices={3: ["player_0 take:6"]},
        asked=[("player_0", ["take:3", "take:4", "take:5", "take:6"])],
        captured="dinary-6",
        wall_after="- - - dinary-4 signal-4 dinary-3",
    ),
    Attack(
        "the effect of the one taken applies",
        "druhid / filchy",
        choices={1: ["player_0 take:5"]},
        captured="signal-4",
        up=("", ""),
    ),
    Attack(
        "that of the one left does not",
        "druhid / filchy",
        choices={1: ["player_0 take:6"]},
        wall=SIGNAL_FIRST,
        captured="dinary-5",
        up=("", "filchy"),
    ),
    Attack(
        "no choice without the capture",
        "druhid archr / axx filchy",
        choices={1: ["player_1 axx:discard"]},
        asked=[("player_1", ["axx:discard", "axx:keep"])],
    ),
    Attack(
        "none on a later turn",
        "druhid archr / axx filchy",
        turn=2,
        choices={1: ["player_1 axx:discard"]},
        totals=(7, 6),
        captor="player_0",
        asked=[],
    ),
    wall=WALL,
)
def test_4_7_druhid_takes_any_fort(attack):
    check_attack(attack)


@attacks(
    Attack(
        "when he captures",
        "druhid axx / archr filchy",
        turn=2,
        choices={2: ["player_0 axx:keep"]},
        asked=[("player_0", ["axx:discard", "axx:keep"])],
        up=("axx", "filchy"),
    ),
    Attack(
        "he need not",
        "druhid axx / archr filchy",
        turn=2,
        choices={2: ["player_0 axx:discard"]},
        asked=[("player_0", ["axx:discard", "axx:keep"])],
        up=("", "filchy"),
    ),
    Attack(
        "kept, he counts next turn",
        "axx archr / druhid filchy",
        turn=2,
        choices={1: ["player_0 axx:keep"]},
        totals=(9, 8),
    ),
    Attack("of an earlier turn he goes", "axx archr / horsie druhid", up=("axx", "")),
    Attack("and is not asked for", "axx archr / horsie druhid", turn=2, captor="player_0", asked=[], up=("", "druhid")),
)
def test_4_8_axx_may_stay(attack):
    check_attack(attack)


@attacks(
    Attack(
        "alone he goes",
        "axx / druhid",
        wall=SIGNAL_FIRST,
        captor="player_0",
        captured="signal-4",
        asked=[],
        up=("", ""),
    ),
    Attack(
        "not alone he may stay",
        "druhid axx / horsie archr",
        turn=2,
        choices={2: ["player_0 axx:keep"]},
        wall=SIGNAL_SECOND,
        captor="player_0",
        captured="signal-4",
        up=("axx", ""),
    ),
)
def test_4_8_1_axx_at_a_signal_fort(attack):
    check_attack(attack)


@attacks(
    Attack(
        "of her owner's choice, herself only when she is alone",
        "druhid axx horsie / archr horsie qween",
        turn=3,
        choices={3: ["player_0 lose:axx"]},
        totals=(6, 8),
        asked=[("player_0", ["lose:axx", "lose:druhid"])],
        up=("druhid horsie", ""),
    ),
    Attack("the only other one", "druhid horsie / archr qween", turn=2, asked=[], up=("horsie", "")),
    Attack("herself when she is alone", "horsie / chariott", up=("", "")),
    Attack(
        "nobody when she captures", "archr horsie / chariott axx", turn=2, captor="player_0", totals=(12, 4), asked=[]
    ),
    Attack("one when nobody captures", "horsie / horsie", captor="nobody", up=("", "")),
    Attack(
        "nobody of her clan on a later turn that it wins",
        "druhid horsie axx / archr qween chariott",
        turn=3,
        choices={3: ["player_0 axx:discard"]},
        totals=(11, 9),
    ),
    Attack("nor on one that it loses", "druhid horsie filchy / archr qween chariott", turn=3, up=("filchy horsie", "")),
)
def test_4_9_horsie_costs_another_warrior_when_she_does_not_capture(attack):
    check_attack(attack)


@pytest.mark.parametrize(("rival", "captor"), [("chariott", "player_1"), ("filchy", "player_0")])
def test_4_10_zvord_puts_the_hidden_warriors_in_any_order_whoever_captures(rival, captor):
    stage = Stage(clans(f"zvord qween druhid axx archr filchy horsie / {rival} chariott"))
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
    assert (cards["set_aside"], cards["face_up"]) == ("horsie", ["zvord"] if captor == "player_1" else [])
    assert turn.captor == captor and stage.turn().position["this_turn"]["revealed"]["player_0"] == "archr"


def test_4_10_only_the_hidden_ones_can_be_reordered():
    stage = Stage(clans("archr axx chariott zvord filchy qween / horsie chariott archr axx filchy"))
    stage.turns(3)
    turn = stage.turn("player_1 axx:keep", "player_0 reorder:qween")
    assert choices_of(turn)[1:] == [["reorder:filchy", "reorder:qween"]]
    assert turn.position["clans"]["player_0"]["hidden"] == ["qween", "filchy"]


def test_4_10_equal_warriors_make_no_choice():
    stage = Stage(clans("zvord chariott archr chariott filchy axx / horsie"))
    turn = stage.turn("player_0 reorder:archr", "player_0 reorder:filchy", "player_0 reorder:axx")
    assert choices_of(turn)[-1] == ["reorder:axx", "reorder:chariott"]
    assert turn.position["clans"]["player_0"]["hidden"] == ["archr", "filchy", "axx", "chariott", "chariott"]


@attacks(
    Attack(
        "the winner discards all and the others keep theirs",
        "archr chariott / filchy axx / horsie druhid",
        turn=2,
        totals=(14, 10, 2),
        captor="player_0",
        up=("", "axx filchy", "druhid"),
    ),
    Attack(
        "strength counts again but effects do not: Filchy's",
        "filchy axx / archr chariott",
        turn=2,
        choices={2: ["player_0 axx:discard"]},
        totals=(10, 9),
        captor="player_0",
    ),
)
def test_4_11_who_stays(attack):
    check_attack(attack)


@attacks(
    Attack(
        "once",
        "axx filchy / axx filchy",
        wall_after="- legion-1 dinary-3 dinary-4 signal-4 dinary-6",
        up=("axx", "axx"),
    ),
    Attack(
        "twice",
        "axx filchy / axx filchy",
        turn=2,
        wall_after="- - dinary-3 dinary-4 signal-4 dinary-6",
        lost="dinary-1 legion-1",
        up=("axx filchy", "axx filchy"),
        forts=("", ""),
    ),
    wall=WALL,
)
def test_4_12_if_nobody_captures_the_fort_is_discarded_and_all_stay(attack):
    check_attack(attack)


def busy_turn() -> Stage:
    """In the third turn a Qween, a capturing Dru'hid, a Horsie and a Zvord are revealed, before an Unwary fort."""
    stage = Stage(
        clans(
            "qween chariott zvord archr axx filchy / chariott filchy druhid / axx druhid horsie / filchy archr qween"
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
    stage = Stage(clans(f"chariott / {line} / {line}"))
    order = ["druhid", "filchy", "qween", "axx"]
    turn = stage.turn(*[f"{player} reorder:{name}" for player in ("player_1", "player_2") for name in order])
    assert [agent for agent, _ in turn.asked] == ["player_1"] * 4 + ["player_2"] * 4
    seen = []
    for name in ("druhid", "filchy"):
        game = Stage(clans(f"chariott / {line} / {line}")).planned_game()
        game.act(f"reorder:{name}")
        while game.agent_to_act == "player_1":
            game.act(game.legal_actions()[0])
        seen.append(game.position("player_2"))
        assert seen[-1]["clans"]["player_1"]["hidden"] == [None] * 5
    assert seen[0] == seen[1]


def test_4_14_a_single_legal_choice_is_made_by_the_engine():
    game = Stage(clans("archr axx druhid zvord chariott chariott filchy /")).game
    game.act("discard:filchy")
    for name in ("archr", "axx", "druhid", "zvord"):
        assert game.agent_to_act == "player_0"
        game.act(f"place:{name}")
    # Two Ch'ariotts for two slots: nothing is left to choose.
    assert game.agent_to_act == "player_1"
    assert game.position()["clans"]["player_0"]["hidden"] == ["archr", "axx", "druhid", "zvord", "chariott", "chariott"]
