"""`check_game` looks at the games of the library as it does at any."""

from romans_env.testing import check_game
from tests.harness import each_game


@each_game
def test_the_games_of_the_library_pass(game):
    assert check_game(game.spec, seeds=[3]) == []
