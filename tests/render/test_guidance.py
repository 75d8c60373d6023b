"""What goes with a first game: a coach, setups and places in words."""

import random

import pytest

from romans_env import Game
from romans_env.core.games import spec_of
from romans_env.render.seat_names import SeatNames
from romans_env.render.struggle.places import place_in_sentence, places_in_words
from romans_env.render.text_interface import result_in_words, text_interface_of
from romans_env.struggle.board import load_board
from tests.harness import TOY
from tests.tools import played

GAMES = ("romans-go-home", "roma", "struggle")
every_game = pytest.mark.parametrize("name", GAMES)


# -- the coach


def kinds_asked(name, seeds, **settings):
    """Kinds of decision in games that are played at random."""
    rules, kinds = spec_of(name).make_rules(**settings), []
    for seed in seeds:
        game, rng = Game(rules, seed=seed), random.Random(seed)
        while not game.is_over:
            kinds.append(rules.decision_kind(game.states, 0))
            game.act(rng.choice(game.legal_actions()))
    return kinds


@pytest.mark.parametrize(
    ("name", "settings", "seeds"),
    [
        ("romans-go-home", {"num_neutrals": 1}, range(20)),
        ("roma", {}, range(40)),
        ("struggle", {"num_players": 3, "max_rounds": 12}, range(2)),
    ],
)
def test_a_coach_speaks_of_decisions_that_come_and_of_the_first_one(name, settings, seeds):
    lessons, kinds = text_interface_of(name).coach.lessons, kinds_asked(name, seeds, **settings)
    asked = [lesson.decision for lesson in lessons]
    # Those who play at random seldom come to be robbed.
    assert set(asked) - {"rob"} <= set(kinds)
    assert kinds[0] in asked
    # Of what has several lessons, there is more than one decision in a game.
    assert all(kinds.count(kind) > len(seeds) for kind in asked if asked.count(kind) > 1)


@every_game
def test_what_a_coach_says_is_short_enough_for_a_phone(name):
    coach = text_interface_of(name).coach
    assert len(coach.aim) == 3
    for text in (*coach.aim, *(lesson.text for lesson in coach.lessons)):
        assert text[0].isupper() and text.endswith(".") and len(text) <= 170
    assert len({lesson.text for lesson in coach.lessons}) == len(coach.lessons)
    assert coach.as_json()["lessons"][0] == {"decision": coach.lessons[0].decision, "text": coach.lessons[0].text}


def test_a_game_of_a_stranger_has_no_coach_and_no_table_of_points(toy):
    text_interface = text_interface_of(TOY.name)
    game = played(Game(spec_of(TOY.name).make_rules(), seed=1), 1)
    seat_names = SeatNames({seat: seat for seat in game.rules.seats})
    assert text_interface.coach is None and text_interface.points_table(game, seat_names) is None
    assert result_in_words(game, seat_names)[0].endswith((" wins.", " win."))


# -- setups and places


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("romans-go-home", {}, "2 players, no neutral clan"),
        ("romans-go-home", {"num_players": 1, "num_neutrals": 1}, "1 player, 1 neutral clan"),
        ("romans-go-home", {"num_players": 2, "num_neutrals": 2, "variant": "vogel"}, "2 players, 2 neutral clans"),
        ("roma", {}, ""),
        ("struggle", {"num_players": 3}, "3 players"),
        ("struggle", {"player_trade": False, "max_rounds": 9}, "4 players, no trade 9 rounds"),
    ],
)
def test_a_setup_is_said_in_words(name, settings, words):
    said = text_interface_of(name).setup_in_words(spec_of(name).make_setup(**settings))
    assert said.startswith(words) and bool(said) == bool(words)
    assert ("variant vogel" in said) == (settings.get("variant") == "vogel")


def test_no_two_crossroads_have_the_same_name_and_none_has_a_number():
    board = load_board()
    names = places_in_words(board)
    assert len(set(names)) == len(board.crossroads)
    assert (names[115], names[107]) == ("Roma", "between Roma and Corfinium")
    assert names[31].startswith("at field 8")
    assert place_in_sentence(board, 115) == "Roma"
    assert place_in_sentence(board, 107) == "a place between Roma and Corfinium"
