"""`romans_env.draw` draws a position of any game."""

import pytest

from romans_env import Game, Roma, RomansGoHome, Table, draw
from romans_env.render.roma.drawing import draw as draw_roma
from romans_env.render.romans_go_home.drawing import draw as draw_romans_go_home
from romans_env.render.struggle.drawing import draw as draw_struggle
from romans_env.struggle import StruggleForRome

GAMES = {
    "romans-go-home": (lambda: Game(RomansGoHome(Table(2, 1)), seed=3), draw_romans_go_home),
    "roma": (lambda: Game(Roma(), seed=3), draw_roma),
    "struggle": (lambda: Game(StruggleForRome(), seed=3), draw_struggle),
}
every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_a_game_a_view_and_a_position_give_the_picture_of_its_game(name):
    make, expected = GAMES[name]
    game = make()
    for player in (None, "player_0", "player_1"):
        picture = expected(game.position(player), player)
        assert draw(game, player) == picture
        assert draw(game.position(player), player, game=name) == picture
    view = game.view("player_1")
    assert draw(view) == draw(view, "player_1") == expected(view.position(), "player_1")
    assert draw(game, theme="dark").svg == expected(game.position(), theme="dark").svg


def test_a_game_that_is_over_marks_its_winners():
    game = Game(Roma(), seed=1)
    while not game.is_over:
        game.act(game.legal_actions()[-1])
    assert draw(game) == draw_roma(game.position(), winners=game.winners())


def test_what_cannot_be_drawn_is_refused():
    roma, view = Game(Roma(), seed=1), Game(Roma(), seed=1).view("player_0")
    with pytest.raises(ValueError, match=r"no position of romans-go-home: it lacks wall, clans; .*game=\"roma\""):
        draw(roma.position())
    with pytest.raises(ValueError, match="one of roma, not of romans-go-home"):
        draw(roma, game="romans-go-home")
    with pytest.raises(ValueError, match="that of player_0, not of player_1"):
        draw(view, "player_1")
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        draw({}, game="chess")
