"""ROMA 7: the end."""

import pytest

from romans_env.roma.end import return_of
from tests.roma.stages import Stage


def test_7_1_the_game_ends_at_once():
    stage = Stage((3, 1, 2), own={3: "legat"}, points=(14, 17), outcomes=[1, 2, 4])
    stage.play("activate:3")
    assert stage.game.is_over and stage.decision is None and stage.legal == []
    assert (stage.mine["points"], stage.position["stock"]) == (20, 0)
    assert stage.position["dice"] == [1, 2]  # all else stays


def test_7_1_without_points_in_phase_1_too():
    stage = Stage((3, 1, 2), points=(10, 6), outcomes=[1, 2, 4])
    assert stage.play("end").game.is_over and stage.game.winners() == ["player_0"]
    assert not Stage((3, 1, 2), points=(10, 7), outcomes=[1, 2, 4]).play("end").game.is_over


def test_7_2_the_game_ends_after_turn_200():
    assert Stage((3, 1, 2), turn=200).play("end").game.is_over
    assert not Stage((3, 1, 2), turn=199, outcomes=[1, 2, 4]).play("end").game.is_over


@pytest.mark.parametrize(
    ("points", "winners"), [((12, 11), ["player_1"]), ((9, 11), ["player_0"]), ((10, 10), ["player_0", "player_1"])]
)
def test_7_3_more_points_win_and_equal_points_share_the_win(points, winners):
    stage = Stage((3, 1, 2), turn=200, points=points).play("end")
    assert stage.game.winners() == winners


def test_7_4_returns():
    assert Stage((3, 1, 2), turn=200).play("end").game.returns() == {"player_0": 0.0, "player_1": 0.0}
    stage = Stage((3, 1, 2), turn=200, points=(12, 11))
    assert stage.game.returns() == {"player_0": 0.0, "player_1": 0.0}
    assert stage.play("end").game.returns() == {"player_0": -1.0, "player_1": 1.0}


@pytest.mark.parametrize("points", [(10, 10), (12, 11), (11, 12)])
def test_7_4_returns_in_compiled_loops(points):
    game = Stage((3, 1, 2), turn=200, points=points).play("end").game
    assert [return_of(game.states[0], seat) for seat in range(2)] == list(game.returns().values())
