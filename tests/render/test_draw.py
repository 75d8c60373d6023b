"""`romans_env.draw` refuses what it cannot draw."""

import pytest

from romans_env import Game, Roma, draw


def test_what_cannot_be_drawn_is_refused():
    roma, view = Game(Roma(), seed=1), Game(Roma(), seed=1).view("player_0")
    with pytest.raises(ValueError, match=r"not a position of romans-go-home: it lacks wall, clans; .*game=\"roma\""):
        draw(roma.position())
    with pytest.raises(ValueError, match="belongs to roma, not to romans-go-home"):
        draw(roma, game="romans-go-home")
    with pytest.raises(ValueError, match="belongs to player_0, not to player_1"):
        draw(view, "player_1")
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        draw({}, game="chess")
