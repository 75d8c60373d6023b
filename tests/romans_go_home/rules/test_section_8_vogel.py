"""RULES 8: the vogel variant."""

from tests.romans_go_home.stages import attacks, check_attack

WALL = "dinary-1 legion-1 dinary-3 dinary-4 signal-4 dinary-6"
# Nobody ever captures: the clans reveal the same warrior every turn.
SAME = " / ".join(["axx archr filchy chariott chariott qween"] * 2)


@attacks(
    f"""
the last fort goes and the others slide | axx / axx |
    | lost dinary-6, wall - dinary-1 legion-1 dinary-3 dinary-4 signal-4
the same fort is fought for next turn: 9 against 13 | axx archr / axx chariott | ;
    | captor player_1, captured dinary-1, wall - - legion-1 dinary-3 dinary-4 signal-4
also when nobody fights | filchy / filchy | | lost dinary-6, wall - dinary-1 legion-1 dinary-3 dinary-4 signal-4
twice | {SAME} | ; | wall - - dinary-1 legion-1 dinary-3 dinary-4
three times | {SAME} | ;; | wall - - - dinary-1 legion-1 dinary-3
four times | {SAME} | ;;; | wall - - - - dinary-1 legion-1
five times | {SAME} | ;;;; | wall - - - - - dinary-1
on the sixth turn the fort is the last one | {SAME} | ;;;;;
    | wall - - - - - -, lost dinary-1 dinary-3 dinary-4 dinary-6 legion-1 signal-4
""",
    WALL,
    "vogel",
)
def test_8_1_when_nobody_captures_the_last_fort_goes(attack):
    check_attack(attack)


@attacks(f"five times | {SAME} | ;;;; | wall - - - - - dinary-6", WALL)
def test_8_1_the_standard_game_loses_the_forts_from_the_left(attack):
    check_attack(attack)


@attacks(
    """
the first | druhid / filchy | 0 take:1 | forts dinary-1 /, wall - legion-1 dinary-3 dinary-4 signal-4 dinary-6
the second | druhid / filchy | 0 take:2 | forts legion-1 /, wall - dinary-1 dinary-3 dinary-4 signal-4 dinary-6
the fourth | druhid / filchy | 0 take:4 | forts dinary-4 /, wall - dinary-1 legion-1 dinary-3 signal-4 dinary-6
the last | druhid / filchy | 0 take:6 | forts dinary-6 /, wall - dinary-1 legion-1 dinary-3 dinary-4 signal-4
only forts still in the wall | archr druhid / axx filchy | ; 0 take:4
    | forts dinary-1 dinary-4 /, wall - - legion-1 dinary-3 signal-4 dinary-6
""",
    WALL,
    "vogel",
)
def test_8_2_the_forts_to_the_left_of_the_one_druhid_takes_slide(attack):
    check_attack(attack)
