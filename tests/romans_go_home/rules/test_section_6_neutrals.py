"""RULES 6: neutral clans."""

from tests.romans_go_home.stages import (
    SIGNAL_SECOND,
    UNWARY_SECOND,
    Attack,
    Stage,
    attacks,
    check_attack,
    clans,
    with_forts,
)

WALL = "dinary-1 legion-1 dinary-3 dinary-4 signal-4 dinary-6"
TAXES = "dinary-1 legion-2 tax-8 dinary-3 dinary-3 tax-8"
SIGNAL_FIRST = "signal-4 dinary-4 dinary-4 dinary-4 dinary-4 dinary-5"
LEGIONS = "dinary-1 legion-1 legion-2 legion-3 dinary-3 dinary-5"


@attacks(
    Attack(
        "it captures", "axx // archr filchy", totals=(4, 5), captor="neutral_0", forts=("", "dinary-1"), up=("axx", "")
    ),
    Attack("its Qween charms nobody", "archr // qween", totals=(5, 1)),
    Attack("its Dru'hid takes this turn's fort", "filchy // druhid", captor="neutral_0", captured="dinary-1", asked=[]),
    Attack("its Arch'r wins ties", "horsie chariott // axx archr", turn=2, totals=(9, 9), captor="neutral_0"),
    Attack("its Filchy keeps it from fighting", "archr // filchy", captor="player_0", up=("", "filchy")),
    Attack("its Horsie costs it a warrior", "chariott // horsie", up=("", "")),
    Attack("its Ch'ariott is wrecked and wrecks", "chariott // chariott / archr", totals=(0, 0, 5)),
    Attack("its Axx stays", "filchy // axx", captor="neutral_0", up=("filchy", "axx")),
    Attack(
        "its lone Axx is discarded at a Signal fort",
        "filchy // axx",
        wall=SIGNAL_FIRST,
        captured="signal-4",
        up=("", ""),
    ),
    wall=WALL,
)
def test_6_1_a_neutral_is_like_a_player(attack):
    check_attack(attack)


def test_6_1_its_zvord_reorders_nothing():
    stage = Stage(clans("chariott // zvord qween druhid axx archr filchy"))
    assert stage.turn().position["clans"]["neutral_0"]["hidden"] == ["qween", "druhid", "axx", "archr", "filchy"]


@attacks(
    Attack("for Horsie", "archr horsie qween // druhid axx horsie", turn=3, totals=(8, 6), up=("", "axx horsie")),
    Attack(
        "not Horsie, though she is the weakest",
        "qween filchy / filchy qween // chariott horsie",
        turn=2,
        choices={1: ["player_0 charm:+2"], 2: ["player_1 charm:+1"]},
        totals=(6, 14, 9),
        up=("filchy", "", "horsie"),
    ),
    Attack(
        "for a Signal fort",
        "horsie chariott // archr druhid",
        turn=2,
        wall=SIGNAL_SECOND,
        captor="player_0",
        captured="signal-4",
        up=("", "archr"),
    ),
)
def test_6_2_it_discards_the_weakest_other_warrior(attack):
    check_attack(attack)


@attacks(
    Attack(
        "it keeps Axx whenever it may",
        "archr filchy // druhid axx",
        turn=2,
        wall=SIGNAL_SECOND,
        captor="neutral_0",
        captured="signal-4",
        up=("", "axx"),
    ),
    Attack(
        "the weakest at an Unwary fort",
        "horsie filchy // druhid horsie",
        turn=2,
        wall=UNWARY_SECOND,
        captor="neutral_0",
        captured="unwary-2",
        up=("filchy", "druhid"),
    ),
    Attack(
        "the weakest, revealed",
        "horsie filchy // archr druhid",
        turn=2,
        wall=UNWARY_SECOND,
        captor="neutral_0",
        up=("filchy", "druhid"),
    ),
    Attack(
        "both",
        "horsie filchy // druhid axx",
        turn=2,
        wall=UNWARY_SECOND,
        captor="neutral_0",
        up=("filchy", "axx druhid"),
    ),
    Attack(
        "it pays its lowest-valued other fort",
        "druhid axx filchy // archr horsie chariott",
        turn=3,
        forts=("", "dinary-1 tax-8"),
        lost="legion-2",
    ),
    Attack(
        "of two worth 4 the fort Dinary",
        "druhid axx filchy // archr horsie chariott",
        turn=3,
        wall="signal-4 dinary-4 tax-8 dinary-5 dinary-6 tax-8",
        forts=("", "signal-4 tax-8"),
        lost="dinary-4",
    ),
    Attack(
        "in whatever order they came",
        "druhid axx filchy // archr horsie chariott",
        turn=3,
        choices={2: ["player_0 lose:druhid"]},
        wall="dinary-4 signal-4 tax-8 dinary-5 dinary-6 tax-8",
        forts=("", "signal-4 tax-8"),
        lost="dinary-4",
    ),
    Attack(
        "the Tax-collector's fort only without another",
        "horsie chariott filchy // archr qween horsie",
        turn=3,
        forts=("dinary-1 legion-2", ""),
        lost="tax-8",
    ),
    wall=TAXES,
)
def test_6_3_what_it_keeps_and_pays_the_tax_with(attack):
    check_attack(attack)


def test_6_4_a_neutral_does_not_end_the_game_by_legion_forts():
    stage = Stage(clans("horsie druhid archr filchy chariott // filchy chariott chariott horsie archr"), LEGIONS)
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
