"""A test for each rule, and for everything that the library relies on."""

import pytest
from tollgate import SPEC, Tollgate

from romans_env import Game
from romans_env.render.plain import RENDERER
from romans_env.testing import check_game

DEAL = {"outcomes": [12, 2, 5, 9, 1, 7]}


def new_game(**settings):
    return Game(Tollgate.from_settings(**settings), deal=DEAL if not settings else None)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_library_can_rely_on_it(num_players):
    assert check_game(SPEC, [{"num_players": num_players}]) == []


def test_rule_1_three_cards_each_that_nobody_else_sees():
    game = new_game()
    assert game.position("player_0")["player_0's hand"] == [12, 5, 2]
    assert game.position("player_0")["player_1's hand"] == [None, None, None]


def test_rule_2_the_highest_card_takes_a_toll_and_the_next_player_begins():
    game = new_game()
    assert game.agent_to_act == "player_0"
    game.act("play:5")
    game.act("play:7")
    assert game.points() == {"player_0": 0, "player_1": 1} and game.agent_to_act == "player_1"


def test_rule_3_the_last_cards_are_played():
    game = new_game()
    for action in ("play:5", "play:7", "play:9", "play:12"):
        game.act(action)
    assert game.is_over and game.points() == {"player_0": 5, "player_1": 1}  # 2 beats 1


def test_rule_4_the_most_points_win():
    game = new_game()
    for action in ("play:2", "play:9", "play:1", "play:5"):
        game.act(action)
    assert game.points() == {"player_0": 5, "player_1": 1} and game.winners() == ["player_0"]


def test_what_happens_is_told_to_each_as_it_may_know_it():
    game = new_game()
    for action in ("play:5", "play:7", "play:9", "play:12"):
        game.act(action)
    assert RENDERER.story(game, "player_0") == [
        "The game begins.",
        "player_0 is dealt: cards 12, 5, 2",
        "player_1 is dealt: cards 3 hidden",
        "player_0 plays: card 5",
        "player_1 plays: card 7",
        "player_1 takes: points 1",
        "player_1 plays: card 9",
        "player_0 plays: card 12",
        "player_0 takes: points 2",
        "player_0 plays: card 2",  # rule 3
        "player_1 plays: card 1",
        "player_0 takes: points 3",
        "player_0 won.",
    ]


def test_two_to_four_play():
    with pytest.raises(ValueError, match="2 to 4 play Tollgate, not 5"):
        new_game(num_players=5)
