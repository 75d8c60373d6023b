"""RULES 8: the vogel variant."""

from tests.romans_go_home.stages import Attack, attacks, check_attack

WALL = "dinary-1 legion-1 dinary-3 dinary-4 signal-4 dinary-6"
# Nobody ever captures: the clans reveal the same warrior every turn.
SAME = " / ".join(["axx archr filchy chariott chariott qween"] * 2)


@attacks(
    Attack(
        "the last fort goes and the others slide",
        "axx / axx",
        lost="dinary-6",
        wall_after="- dinary-1 legion-1 dinary-3 dinary-4 signal-4",
    ),
    Attack(
        "the same fort is fought for next turn: 9 against 13",
        "axx archr / axx chariott",
        turn=2,
        captor="player_1",
        captured="dinary-1",
        wall_after="- - legion-1 dinary-3 dinary-4 signal-4",
    ),
    Attack(
        "also when nobody fights",
        "filchy / filchy",
        lost="dinary-6",
        wall_after="- dinary-1 legion-1 dinary-3 dinary-4 signal-4",
    ),
    Attack("twice", SAME, turn=2, wall_after="- - dinary-1 legion-1 dinary-3 dinary-4"),
    Attack("three times", SAME, turn=3, wall_after="- - - dinary-1 legion-1 dinary-3"),
    Attack("four times", SAME, turn=4, wall_after="- - - - dinary-1 legion-1"),
    Attack("five times", SAME, turn=5, wall_after="- - - - - dinary-1"),
    Attack(
        "on the sixth turn the fort is the last one",
        SAME,
        turn=6,
        wall_after="- - - - - -",
        lost="dinary-1 dinary-3 dinary-4 dinary-6 legion-1 signal-4",
    ),
    wall=WALL,
    variant="vogel",
)
def test_8_1_when_nobody_captures_the_last_fort_goes(attack):
    check_attack(attack)


@attacks(
    Attack("five times", SAME, turn=5, wall_after="- - - - - dinary-6"),
    wall=WALL,
)
def test_8_1_the_standard_game_loses_the_forts_from_the_left(attack):
    check_attack(attack)


@attacks(
    Attack(
        "the first",
        "druhid / filchy",
        choices={1: ["player_0 take:1"]},
        forts=("dinary-1", ""),
        wall_after="- legion-1 dinary-3 dinary-4 signal-4 dinary-6",
    ),
    Attack(
        "the second",
        "druhid / filchy",
        choices={1: ["player_0 take:2"]},
        forts=("legion-1", ""),
        wall_after="- dinary-1 dinary-3 dinary-4 signal-4 dinary-6",
    ),
    Attack(
        "the fourth",
        "druhid / filchy",
        choices={1: ["player_0 take:4"]},
        forts=("dinary-4", ""),
        wall_after="- dinary-1 legion-1 dinary-3 signal-4 dinary-6",
    ),
    Attack(
        "the last",
        "druhid / filchy",
        choices={1: ["player_0 take:6"]},
        forts=("dinary-6", ""),
        wall_after="- dinary-1 legion-1 dinary-3 dinary-4 signal-4",
    ),
    Attack(
        "only forts still in the wall",
        "archr druhid / axx filchy",
        turn=2,
        choices={2: ["player_0 take:4"]},
        forts=("dinary-1 dinary-4", ""),
        wall_after="- - legion-1 dinary-3 signal-4 dinary-6",
    ),
    wall=WALL,
    variant="vogel",
)
def test_8_2_the_forts_to_the_left_of_the_one_druhid_takes_slide(attack):
    check_attack(attack)
