"""Pictures and replay pages of Struggle for Rome: what is shown is what position and board say, and no more."""

import re
from itertools import combinations

import numpy as np
import pytest

from romans_env import Game, replay_page
from romans_env import draw as draw_any
from romans_env.render.labels import around, overlaps
from romans_env.render.picture import Band, Picture
from romans_env.render.struggle.board_drawing import board_drawing, name_boxes
from romans_env.render.struggle.drawing import board_of, draw
from romans_env.render.struggle.map_layout import MAP_HEIGHT, MAP_WIDTH, layout_of
from romans_env.render.struggle.names import PROVINCE_TITLES, city_title
from romans_env.render.struggle.pieces import ids
from romans_env.render.struggle.questions import QUESTIONS, about, turn_in_words
from romans_env.render.struggle.symbols import SEAT_MARKS, SIGNS
from romans_env.render.struggle.text import render_text
from romans_env.struggle import StruggleForRome, StruggleSetup, load_board
from romans_env.struggle.board_form import DEVELOPMENT
from romans_env.struggle.state import DECISION_KINDS
from tests.pages import data_of
from tests.render.pictures import words_of
from tests.struggle.drawing.shown_games import decisions, other_board, played

RECONSTRUCTED = "reconstructed board (stand-in)"


def started(**settings):
    return Game(StruggleForRome(StruggleSetup(**settings)), seed=5)


@pytest.mark.parametrize(("part", "number"), [(0, 0), (4, 1)])
def test_every_position_is_drawn_for_everybody(part, number):
    sizes = set()
    for game in decisions(part, number, every=12):
        for viewer in (None, *game.players):
            position = game.position(viewer)
            picture = draw(position, viewer, game.winners())
            sizes.add((picture.width, picture.height, len(picture.bands)))
            words = words_of(picture.svg)
            assert {*game.players, turn_in_words(position), RECONSTRUCTED} <= set(words)
            for one in position["players"].values():
                assert {str(one["points"]), str(one["gold"])} <= set(words)
                if one["development"] is None and one["development_size"]:
                    assert f"\N{MULTIPLICATION SIGN}{one['development_size']}" in words
            decision = position["decision"]
            if decision:
                assert f"{decision['agent']} decides {QUESTIONS[decision['kind']]}" in words
                assert about(decision) in words
            else:
                assert any("win" in word for word in words)
    assert len(sizes) == 1


def test_every_kind_of_decision_has_a_picture_and_a_text():
    left = set(DECISION_KINDS)
    assert left == set(QUESTIONS)
    for part in range(11):
        for game in decisions(part, 0, every=3):
            position = game.position()
            kind = position["decision"] and position["decision"]["kind"]
            if kind in left:
                left.remove(kind)
                assert any(QUESTIONS[kind] in word for word in words_of(draw(position).svg))
                assert QUESTIONS[kind] in render_text(game)
        if not left:
            return
    raise AssertionError(f"no decision of the kinds {left}")


def test_own_development_cards_are_named_and_others_are_not():
    seen = 0
    for game in decisions(1, 3, every=30):
        hands = {player: one["development"] for player, one in game.position()["players"].items()}
        for viewer in game.players:
            titles = {name.replace("_", " ") for name in DEVELOPMENT}
            words = {
                word.partition(" \N{MULTIPLICATION SIGN}")[0] for word in words_of(draw(game.position(viewer)).svg)
            }
            assert titles & words == {name.replace("_", " ") for name in hands[viewer]}
            seen += bool(hands[viewer])
    assert seen > 5


def test_ids_are_shown_where_a_decision_needs_them():
    shown = {}
    for game in decisions(2, 1):
        position = game.position()
        decision = position["decision"]
        if decision and decision["kind"] not in shown:
            words = set(words_of(draw(position).svg))
            shown[decision["kind"]] = {"hex 20" in words, {"107", "31", "152"} <= words}
            if decision["kind"] == "legion":
                assert {f"hex {one.id}" for one in load_board().hexes if one.province != "limes"} <= words
                assert not {f"hex {one.id}" for one in load_board().hexes if one.province == "limes"} & words
    assert shown["legion"] == {True, False} and shown["build"] == {False} and shown["tribe"] == {False, True}


def test_a_layer_is_drawn_beneath_what_follows():
    """The pixels of layers that are drawn apart are those of one drawing of all of them."""
    picture = draw(started().position(), theme="light")
    head, *layers, band, strip = picture.bands
    assert not any(layer.height for layer in layers) and band.height == MAP_HEIGHT
    content = tuple(part for layer in layers for part in layer.content)
    whole = Picture((head, Band(MAP_HEIGHT, content), strip), picture.width, picture.style, "light")
    one, other = picture.pixels().astype(int), whole.pixels().astype(int)
    assert one.shape == other.shape == (picture.height, picture.width, 3)
    assert np.abs(one - other).mean() < 0.5 and (np.abs(one - other) > 40).mean() < 0.001


def test_every_seat_has_a_mark_of_its_own_and_every_card_a_sign():
    assert len(set(SEAT_MARKS)) == 4
    assert {*DEVELOPMENT, "grain", "ore", "cattle", "horse", "horseman", "warrior", "wagon"} <= set(SIGNS)
    assert len({str(sign) for sign in SIGNS.values()}) == len(SIGNS)


def test_three_players_leave_the_marked_cities_neutral():
    words = words_of(draw(started(num_players=3).position()).svg)
    assert words.count("III") == 10 and "player_3" not in words
    assert "III" not in words_of(draw(started().position()).svg)


def test_names_cover_neither_numbers_nor_each_other():
    board = load_board()
    places = name_boxes(board)
    layout = layout_of(board)
    assert len(places) == 40
    for one, other in combinations(places, 2):
        assert overlaps([one], [other]) < 12
    for place in places:
        assert place.left >= 0 and place.right <= MAP_WIDTH and place.top >= 0 and place.bottom <= MAP_HEIGHT
        for number, (x, y) in enumerate(layout.middles):
            if board.hexes[number].number:
                assert not (place.left < x < place.right and place.top < y < place.bottom)


def test_ids_leave_the_names_free():
    board = load_board()
    game = next(one for one in decisions(2, 1) if (one.position()["decision"] or {}).get("kind") == "legion")
    drawn = ids(game.position(), board)
    assert len(drawn) == sum(one.province != "limes" for one in board.hexes)
    for part in drawn:
        x, y, scale = map(float, re.findall(r"[-\d.]+", dict(part.attributes)["transform"]))
        size = dict(part.children[0].children[0].attributes)
        place = around(x, y, scale * size["width"], scale * size["height"])
        assert overlaps([place], name_boxes(board)).sum() < 5


def test_another_board_draws_itself():
    """Half as large, mirrored from east to west, and with an island more."""
    data = other_board()
    for one in data["hexes"]:
        one["q"] = -one["q"] - one["r"]
    for one in data["crossroads"]:
        one["x"] = -one["x"]
    data["cities"][32]["name"] = "Nova Roma"
    rules = StruggleForRome(StruggleSetup(board=data))
    game = Game(rules, seed=5)
    position = game.position("player_1")
    assert position["board"] == data and board_of(position) == rules.board
    picture = draw(position, "player_1")
    words = words_of(picture.svg)
    assert "Nova Roma" in words and "Roma" not in words and "board: mine" in words and RECONSTRUCTED not in words
    assert draw_any(game, "player_1") == picture
    stand_in = draw(started().position("player_1"), "player_1")
    assert (picture.width, picture.height) == (stand_in.width, stand_in.height)
    assert picture.bands[1] != stand_in.bands[1]
    mirrored = [MAP_WIDTH - x for x, _ in layout_of(rules.board).points]
    assert mirrored == pytest.approx([x for x, _ in layout_of(load_board()).points])


def test_a_larger_board_fits_the_map():
    data = other_board()
    number, far = len(data["hexes"]), len(data["crossroads"])
    data["hexes"].append({"id": number, "q": 40, "r": 2, "terrain": "field", "number": 2, "province": "limes"})
    for k, (dx, dy) in enumerate(((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))):
        data["crossroads"].append({"id": far + k, "x": 82 + dx, "y": 6 + dy, "hexes": [number]})
    board = load_board(data)
    layout = layout_of(board)
    assert all(0 < x < MAP_WIDTH and 0 < y < MAP_HEIGHT for x, y in (*layout.points, *layout.middles))
    assert layout.scale < 0.5 and board_drawing(board) != board_drawing(load_board())


def test_a_name_cannot_break_out_of_the_picture():
    data = other_board()
    data["cities"][0]["name"] = "</text><script>x()</script>&"
    svg = draw(Game(StruggleForRome(StruggleSetup(board=data)), seed=1).position(), viewer="<script>").svg
    assert "<script" not in svg and words_of(svg)


def test_the_board_of_the_stand_in_is_not_in_positions():
    assert "board" not in started().position()
    assert all(city_title(city.name) in words_of(draw(started().position()).svg) for city in load_board().cities)


def test_a_page_names_the_board_and_explains_its_symbols():
    game = played(7, 0)
    page = replay_page(game).html
    assert len(page.encode()) < 2_000_000
    (data,) = data_of(page)
    assert data["title"].startswith("Struggle for Rome (reconstructed board): ")
    # What never changes is there once.
    assert sum(RECONSTRUCTED in band for band in data["bands"]) == 1
    titles = {group["title"] for group in data["legend"]}
    assert {"Seats", "Provinces", "Development cards"} <= titles
    said = {text for group in data["legend"] for _, text in group["entries"]}
    assert {*game.players, *PROVINCE_TITLES.values()} <= said
