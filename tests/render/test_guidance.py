"""What goes with a first game and with the end of one: a coach, the margin, a table of points, setups in words."""

import random
import re
from types import SimpleNamespace

import pytest

from romans_env import Game
from romans_env.core.games import spec_of
from romans_env.render.seat_names import SeatNames
from romans_env.render.struggle.places import place_in_sentence, places_in_words
from romans_env.render.text_interface import by_points, result_in_words, text_interface_of
from romans_env.struggle.board import load_board
from tests.harness import TOY
from tests.tools import played

GAMES = ("romans-go-home", "roma", "struggle")
every_game = pytest.mark.parametrize("name", GAMES)


def finished(name, seeds, **settings):
    """Games that were played at random to their ends."""
    rules = spec_of(name).make_rules(**settings)
    return [played(Game(rules, seed=seed), seed) for seed in seeds]


def with_points(points, winners):
    """A game that has ended so, as far as a margin asks it."""
    players = [seat for seat in points if seat.startswith("player")]
    rules = SimpleNamespace(seats=list(points))
    return SimpleNamespace(players=players, rules=rules, points=lambda: points, winners=lambda: winners)


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
    assert text_interface.coach is None and text_interface.score is None
    (game,) = finished(TOY.name, [1])
    assert result_in_words(game, SeatNames({seat: seat for seat in game.rules.seats}))[0].endswith((" wins.", " win."))


# -- the end


def test_points_by_round_are_those_of_the_captures():
    is_cut_short = False
    for game in finished("romans-go-home", range(40)):
        table = text_interface_of("romans-go-home").score(game)
        for clan, *rounds, points, forts in table.rows:
            assert sum(map(int, rounds)) == int(points) == game.points()[clan]
            named = [int(part.split()[1]) for part in forts.split(", ")] if forts != "none" else []
            assert sum(named) == int(points)
        assert len(table.columns) == len(table.rows[0])
        is_cut_short |= len(table.columns) < 6
    assert is_cut_short, "no game has ended before its third round"


@pytest.mark.parametrize("seeds", [range(2)])
def test_points_of_struggle_are_for_cities_special_cards_and_culture(seeds):
    for game in finished("struggle", seeds, num_players=3, max_rounds=12):
        for player, *parts, points, gold in text_interface_of("struggle").score(game).rows:
            assert sum(map(int, parts)) == int(points) == game.points()[player]
            assert int(gold) == game.position()["players"][player]["gold"]


def test_an_end_says_how_it_was_won():
    seen = set()
    for game in finished("romans-go-home", range(30), num_players=3):
        result, _ = result_in_words(game, SeatNames({seat: seat for seat in game.rules.seats}))
        if len(game.winners()) > 1:
            continue
        points = game.points()
        (winner,), best = game.winners(), sorted(points.values())[-2]
        forts = {clan: len(one["forts"]) for clan, one in game.position()["clans"].items()}
        if list(game.events())[-1].details["by_legion"]:
            assert result == f"{winner} wins by three Legion forts."
            seen.add("legion")
        elif points[winner] > best:
            assert re.fullmatch(rf"{winner} wins with {points[winner]} points? to {best}\.", result)
            seen.add("points")
        else:
            level = max(forts[clan] for clan in forts if clan != winner and points[clan] == points[winner])
            assert result == f"{winner} wins with {forts[winner]} forts to {level}."
            seen.add("forts")
    assert seen == {"legion", "points", "forts"}


def test_a_margin_counts_rivals_and_neutral_seats_only_for_somebody_alone():
    three = {"player_0": 9, "player_1": 4, "neutral_0": 12}
    assert by_points(with_points(three, ["player_0"])) == "with 9 points to 4"
    assert by_points(with_points({**three, "player_1": 9}, ["player_0"])) == ""
    assert by_points(with_points({"player_0": 1, "neutral_0": -2}, ["player_0"])) == "with 1 point to -2"


# -- setups and places


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("romans-go-home", {}, "2 players, no neutral clan"),
        ("romans-go-home", {"num_players": 1, "num_neutrals": 1}, "1 player, 1 neutral clan"),
        ("romans-go-home", {"num_players": 2, "num_neutrals": 2, "variant": "vogel"}, "2 players, 2 neutral clans"),
        ("roma", {}, "Roma"),
        ("struggle", {"num_players": 3}, "3 players"),
        ("struggle", {"player_trade": False, "max_rounds": 9}, "4 players, no trade 9 rounds"),
    ],
)
def test_a_setup_is_said_in_words(name, settings, words):
    said = text_interface_of(name).setup(spec_of(name).make_setup(**settings))
    assert said.startswith(words)
    assert ("vogel variant" in said) == (settings.get("variant") == "vogel")


def test_no_two_crossroads_have_the_same_name_and_none_has_a_number():
    board = load_board()
    names = places_in_words(board)
    assert len(set(names)) == len(board.crossroads)
    assert (names[115], names[107]) == ("Roma", "between Roma and Corfinium")
    assert names[31].startswith("at field 8")
    assert place_in_sentence(board, 115) == "Roma"
    assert place_in_sentence(board, 107) == "a place between Roma and Corfinium"
