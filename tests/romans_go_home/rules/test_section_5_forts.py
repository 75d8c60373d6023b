"""RULES 5: effects of forts, for the clan that captures."""

from tests.romans_go_home.stages import (
    SIGNAL_SECOND,
    UNWARY_SECOND,
    Attack,
    Stage,
    attacks,
    check_attack,
    clans,
    give_forts,
)

UNWARY_FIRST = "unwary-2 dinary-3 dinary-3 dinary-3 dinary-3 dinary-5"
TAX_LAST = "dinary-1 dinary-3 dinary-4 dinary-4 dinary-5 tax-8"
LEGIONS = "dinary-1 legion-1 legion-2 legion-3 dinary-3 dinary-5"


@attacks(
    Attack(
        "kept",
        "druhid horsie / archr axx",
        turn=2,
        choices={2: ["player_0 unwary:keep"]},
        captured="unwary-2",
        asked=[("player_0", ["unwary:discard", "unwary:keep"])],
        up=("druhid", "axx"),
    ),
    Attack(
        "discarded",
        "druhid horsie / archr axx",
        turn=2,
        choices={2: ["player_0 unwary:discard"]},
        captured="unwary-2",
        asked=[("player_0", ["unwary:discard", "unwary:keep"])],
        up=("", "axx"),
    ),
    Attack(
        "the one revealed",
        "archr druhid / horsie filchy",
        turn=2,
        choices={2: ["player_0 take:2", "player_0 unwary:keep"]},
        captured="unwary-2",
        up=("druhid", "filchy"),
    ),
    Attack(
        "one of two equal ones",
        "chariott chariott / qween archr",
        turn=2,
        choices={2: ["player_0 unwary:keep"]},
        totals=(18, 5),
        up=("chariott", "archr"),
    ),
    Attack(
        "Axx of an earlier turn like any",
        "axx horsie / chariott filchy",
        turn=2,
        choices={2: ["player_0 unwary:keep"]},
        asked=[("player_0", ["unwary:discard", "unwary:keep"])],
        up=("axx", "filchy"),
    ),
    Attack(
        "Axx of this turn by 4.8 alone",
        "axx / druhid",
        choices={1: ["player_0 axx:keep"]},
        wall=UNWARY_FIRST,
        captured="unwary-2",
        asked=[("player_0", ["axx:discard", "axx:keep"])],
        up=("axx", "druhid"),
    ),
    Attack(
        "or not",
        "axx / druhid",
        choices={1: ["player_0 axx:discard"]},
        wall=UNWARY_FIRST,
        captured="unwary-2",
        asked=[("player_0", ["axx:discard", "axx:keep"])],
        up=("", "druhid"),
    ),
    Attack(
        "both he and the weakest",
        "druhid axx / archr filchy",
        turn=2,
        choices={2: ["player_0 axx:keep", "player_0 unwary:keep"]},
        asked=[("player_0", ["axx:discard", "axx:keep"]), ("player_0", ["unwary:discard", "unwary:keep"])],
        up=("axx druhid", "filchy"),
    ),
    Attack(
        "Axx alone",
        "druhid axx / archr filchy",
        turn=2,
        choices={2: ["player_0 axx:keep", "player_0 unwary:discard"]},
        captured="unwary-2",
        up=("axx", "filchy"),
    ),
    Attack(
        "the weakest alone",
        "druhid axx / archr filchy",
        turn=2,
        choices={2: ["player_0 axx:discard", "player_0 unwary:keep"]},
        captured="unwary-2",
        up=("druhid", "filchy"),
    ),
    Attack(
        "neither of them",
        "druhid axx / archr filchy",
        turn=2,
        choices={2: ["player_0 axx:discard", "player_0 unwary:discard"]},
        captured="unwary-2",
        up=("", "filchy"),
    ),
    wall=UNWARY_SECOND,
)
def test_5_1_unwary_may_keep_the_weakest_warrior(attack):
    check_attack(attack)


@attacks(
    Attack(
        "of its choice",
        "chariott horsie / axx druhid / archr filchy",
        turn=2,
        choices={2: ["player_1 lose:druhid", "player_2 lose:archr"]},
        captor="player_0",
        captured="signal-4",
        asked=[("player_1", ["lose:axx", "lose:druhid"]), ("player_2", ["lose:archr", "lose:filchy"])],
        up=("", "axx", "filchy"),
    ),
    Attack(
        "after Horsie (4.9): Dru'hid goes for her, then she",
        "chariott qween / druhid horsie",
        turn=2,
        totals=(8, 2),
        up=("", ""),
    ),
    Attack(
        "a clan without any discards nothing",
        "horsie archr / chariott chariott / druhid chariott",
        turn=2,
        captor="player_0",
        captured="signal-4",
        up=("", "", ""),
        asked=[],
    ),
    Attack(
        "not the winner, whose Qween charms Axx",
        "druhid axx / horsie qween",
        turn=2,
        choices={2: ["player_0 lose:axx"]},
        captor="player_1",
        asked=[("player_0", ["lose:axx", "lose:druhid"])],
        up=("druhid", ""),
    ),
    wall=SIGNAL_SECOND,
)
def test_5_2_every_other_clan_discards_a_face_up_warrior(attack):
    check_attack(attack)


@attacks(
    Attack(
        "of its choice",
        "chariott chariott druhid / archr zvord filchy",
        turn=3,
        choices={
            2: ["player_1 reorder:filchy", "player_1 reorder:chariott", "player_1 reorder:horsie"],
            3: ["player_0 take:6", "player_0 give_up:dinary-1"],
        },
        asked=[
            ("player_0", ["take:3", "take:4", "take:5", "take:6"]),
            ("player_0", ["give_up:dinary-1", "give_up:dinary-3"]),
        ],
        forts=("dinary-3 tax-8", ""),
        lost="dinary-1",
    ),
    Attack(
        "a single one without asking",
        "chariott druhid / archr filchy",
        turn=2,
        choices={2: ["player_0 take:6"]},
        forts=("tax-8", ""),
        lost="dinary-1",
    ),
    Attack(
        "itself only without another",
        "druhid / filchy",
        choices={1: ["player_0 take:6"]},
        captured="tax-8",
        forts=("", ""),
        lost="tax-8",
    ),
    Attack(
        "an earlier Tax-collector's fort is another one",
        "archr chariott druhid / axx druhid filchy",
        turn=3,
        choices={3: ["player_0 take:6"]},
        wall="dinary-1 tax-8 dinary-3 dinary-3 dinary-3 tax-8",
        forts=("tax-8", ""),
        lost="dinary-1 tax-8",
    ),
    wall=TAX_LAST,
)
def test_5_3_the_winner_discards_one_of_its_other_forts(attack):
    turn = check_attack(attack)
    points = sum(int(fort[-1]) for fort in turn.forts("player_0"))
    assert turn.position["clans"]["player_0"]["points"] == points


def test_5_4_a_player_with_three_legion_forts_wins_at_once():
    stage = Stage(clans("filchy chariott chariott horsie / horsie druhid archr filchy"), LEGIONS)
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
    stage = Stage(clans("filchy chariott chariott horsie // horsie druhid archr filchy"), LEGIONS)
    stage.turns(4)
    assert stage.game.is_over
    assert (stage.game.winners(), stage.game.returns()) == (["player_0"], {"player_0": 1.0})


def test_5_4_discarded_legion_forts_do_not_count():
    wall = "dinary-1 legion-3 dinary-3 dinary-3 dinary-3 tax-8"
    stage = Stage(clans("druhid chariott / filchy druhid"), wall)
    # Two Legion forts of earlier rounds are written into the record: to win two rounds first would be laborious.
    for states in (stage.game.states, stage.states):
        give_forts(states, 0, "legion-1 legion-2")
    stage.turn("player_0 take:6", "player_0 give_up:legion-2")
    turn = stage.turn()
    assert turn.forts("player_0") == ["legion-1", "legion-3", "tax-8"]
    assert not stage.game.is_over
    # The same without the loss is a win.
    stage = Stage(clans("druhid chariott / filchy druhid"), wall)
    for states in (stage.game.states, stage.states):
        give_forts(states, 0, "legion-1 legion-2")
    stage.turn("player_0 take:2")
    assert stage.game.winners() == ["player_0"]


def test_5_4_the_turns_other_decisions_come_first():
    # Zvord's order (4.13) is asked for before the third Legion fort ends the game.
    stage = Stage(clans("filchy horsie axx chariott / horsie druhid filchy zvord archr axx"), LEGIONS)
    stage.turns(2)
    stage.turn("player_0 axx:keep")
    assert not stage.game.is_over
    turn = stage.turn("player_1 reorder:axx")
    assert turn.totals == {"player_0": 13, "player_1": 11}
    assert turn.asked == [("player_1", ["reorder:archr", "reorder:axx"])]
    assert turn.before[0]["clans"]["player_0"]["forts"] == ["legion-1", "legion-2", "legion-3"]
    assert stage.game.winners() == ["player_0"]
