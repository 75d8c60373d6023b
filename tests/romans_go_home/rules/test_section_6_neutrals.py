"""RULES 6: neutral clans."""

from tests.romans_go_home.stages import SIGNAL_SECOND, UNWARY_SECOND, Stage, attacks, check_attack, clans, with_forts

WALL = "dinary-1 legion-1 dinary-3 dinary-4 signal-4 dinary-6"
TAXES = "dinary-1 legion-2 tax-8 dinary-3 dinary-3 tax-8"
SIGNAL_FIRST = "signal-4 dinary-4 dinary-4 dinary-4 dinary-4 dinary-5"
LEGIONS = "dinary-1 legion-1 legion-2 legion-3 dinary-3 dinary-5"


@attacks(
    f"""
it captures | axx // archr filchy | | totals 4 / 5, captor neutral_0, forts / dinary-1, up axx /
its Qween charms nobody | archr // qween | | totals 5 / 1
its Dru'hid takes this turn's fort | filchy // druhid | | captor neutral_0, captured dinary-1, asked
its Arch'r wins ties | horsie chariott // axx archr | ; | totals 9 / 9, captor neutral_0
its Filchy keeps it from fighting | archr // filchy | | captor player_0, up / filchy
its Horsie costs it a warrior | chariott // horsie | | up /
its Ch'ariott is wrecked and wrecks | chariott // chariott / archr | | totals 0 / 0 / 5
its Axx stays | filchy // axx | | captor neutral_0, up filchy / axx
its lone Axx is discarded at a Signal fort | filchy // axx | | captured signal-4, up / | {SIGNAL_FIRST}
""",
    WALL,
)
def test_6_1_a_neutral_is_like_a_player(attack):
    check_attack(attack)


def test_6_1_its_zvord_reorders_nothing():
    stage = Stage(clans("chariott // zvord qween druhid axx archr filchy"))
    assert stage.turn().position["clans"]["neutral_0"]["hidden"] == ["qween", "druhid", "axx", "archr", "filchy"]


@attacks(f"""
for Horsie | archr horsie qween // druhid axx horsie | ;; | totals 8 / 6, up / axx horsie
not Horsie, though she is the weakest | qween filchy / filchy qween // chariott horsie | 0 charm:+2; 1 charm:+1
    | totals 6 / 14 / 9, up filchy / / horsie
for a Signal fort | horsie chariott // archr druhid | ;
    | captor player_0, captured signal-4, up / archr | {SIGNAL_SECOND}
""")
def test_6_2_it_discards_the_weakest_other_warrior(attack):
    check_attack(attack)


@attacks(
    f"""
it keeps Axx whenever it may | archr filchy // druhid axx | ;
    | captor neutral_0, captured signal-4, up / axx | {SIGNAL_SECOND}
the weakest at an Unwary fort | horsie filchy // druhid horsie | ;
    | captor neutral_0, captured unwary-2, up filchy / druhid | {UNWARY_SECOND}
the weakest, revealed | horsie filchy // archr druhid | ; | captor neutral_0, up filchy / druhid | {UNWARY_SECOND}
both | horsie filchy // druhid axx | ; | captor neutral_0, up filchy / axx druhid | {UNWARY_SECOND}
it pays its lowest-valued other fort | druhid axx filchy // archr horsie chariott | ;;
    | forts / dinary-1 tax-8, lost legion-2
of two worth 4 the fort Dinary | druhid axx filchy // archr horsie chariott | ;;
    | forts / signal-4 tax-8, lost dinary-4 | signal-4 dinary-4 tax-8 dinary-5 dinary-6 tax-8
in whatever order they came | druhid axx filchy // archr horsie chariott | ; 0 lose:druhid;
    | forts / signal-4 tax-8, lost dinary-4 | dinary-4 signal-4 tax-8 dinary-5 dinary-6 tax-8
the Tax-collector's fort only without another | horsie chariott filchy // archr qween horsie | ;;
    | forts dinary-1 legion-2 /, lost tax-8
""",
    TAXES,
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
