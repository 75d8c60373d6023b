"""RULES 8: the vogel variant."""

from __future__ import annotations

import pytest

from tests.romans_go_home.stages import Stage

WALL = "dinary-1 legion-1 dinary-3 dinary-4 signal-4 dinary-6"
# Nobody ever captures: the clans reveal the same warrior every turn.
SAME = "axx archr filchy chariott chariott qween"


def players(*plans: str) -> dict[str, str]:
    return {f"player_{seat}": plan for seat, plan in enumerate(plans)}


def test_8_1_when_nobody_captures_the_last_fort_goes_and_the_others_slide():
    turn = Stage(players("axx", "axx"), WALL, "vogel").turn()
    assert turn.lost_forts == ["dinary-6"]
    assert turn.wall == [None, "dinary-1", "legion-1", "dinary-3", "dinary-4", "signal-4"]


def test_8_1_the_same_fort_is_fought_for_next_turn():
    stage = Stage(players("axx archr", "axx chariott"), WALL, "vogel")
    stage.turn()
    turn = stage.turn()  # 9 against 13
    assert (turn.captor, turn.captured) == ("player_1", "dinary-1")
    assert turn.wall == [None, None, "legion-1", "dinary-3", "dinary-4", "signal-4"]


def test_8_1_also_when_nobody_fights():
    turn = Stage(players("filchy", "filchy"), WALL, "vogel").turn()
    assert turn.lost_forts == ["dinary-6"]
    assert turn.wall == [None, "dinary-1", "legion-1", "dinary-3", "dinary-4", "signal-4"]


def test_8_1_on_the_sixth_turn_the_fort_is_the_last_one():
    stage = Stage(players(SAME, SAME), WALL, "vogel")
    walls = [stage.turn().wall for _ in range(6)]
    assert walls == [
        [None, "dinary-1", "legion-1", "dinary-3", "dinary-4", "signal-4"],
        [None, None, "dinary-1", "legion-1", "dinary-3", "dinary-4"],
        [None, None, None, "dinary-1", "legion-1", "dinary-3"],
        [None, None, None, None, "dinary-1", "legion-1"],
        [None, None, None, None, None, "dinary-1"],
        [None] * 6,
    ]
    assert stage.position["lost_forts"] == sorted(WALL.split())


def test_8_1_the_standard_game_loses_the_forts_from_the_left():
    stage = Stage(players(SAME, SAME), WALL)
    stage.turns(4)
    assert stage.turn().wall == [None, None, None, None, None, "dinary-6"]


@pytest.mark.parametrize(
    ("slot", "fort", "wall"),
    [
        (1, "dinary-1", [None, "legion-1", "dinary-3", "dinary-4", "signal-4", "dinary-6"]),
        (2, "legion-1", [None, "dinary-1", "dinary-3", "dinary-4", "signal-4", "dinary-6"]),
        (4, "dinary-4", [None, "dinary-1", "legion-1", "dinary-3", "signal-4", "dinary-6"]),
        (6, "dinary-6", [None, "dinary-1", "legion-1", "dinary-3", "dinary-4", "signal-4"]),
    ],
)
def test_8_2_the_forts_to_the_left_of_the_one_druhid_takes_slide(slot, fort, wall):
    turn = Stage(players("druhid", "filchy"), WALL, "vogel").turn(f"player_0 take:{slot}")
    assert turn.forts("player_0") == [fort]
    assert turn.wall == wall


def test_8_2_only_forts_still_in_the_wall_slide():
    stage = Stage(players("archr druhid", "axx filchy"), WALL, "vogel")
    stage.turn()
    turn = stage.turn("player_0 take:4")
    assert turn.forts("player_0") == ["dinary-1", "dinary-4"]
    assert turn.wall == [None, None, "legion-1", "dinary-3", "signal-4", "dinary-6"]
