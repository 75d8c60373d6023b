"""RULES 9: the worked example of the printed rules."""

import pytest

from tests.romans_go_home.stages import Stage

GREEN, RED, GOLD = "player_0", "player_1", "player_2"


@pytest.mark.parametrize(("choice", "stays"), [("keep", ["archr"]), ("discard", [])])
def test_9_the_worked_example(choice, stays):
    stage = Stage(
        {GREEN: "archr chariott", RED: "druhid chariott", GOLD: "chariott archr"},
        "dinary-1 unwary-2 dinary-3 dinary-4 dinary-5 dinary-6",
    )
    before = stage.turn()
    assert {clan: before.face_up(clan) for clan in (GREEN, RED, GOLD)} == {GREEN: ["archr"], RED: ["druhid"], GOLD: []}
    turn = stage.turn(f"{GOLD} unwary:{choice}")
    assert turn.totals == {GREEN: 5, GOLD: 5, RED: 2}
    assert (turn.captor, turn.captured) == (GOLD, "unwary-2")
    assert turn.asked == [(GOLD, ["unwary:discard", "unwary:keep"])]
    assert turn.face_up(GOLD) == stays
    assert (turn.face_up(GREEN), turn.face_up(RED)) == (["archr"], ["druhid"])
    wrecked = [event.details["clans"] for event in stage.game.events() if event.kind == "wrecked"]
    assert wrecked[0] == [GREEN, RED]
