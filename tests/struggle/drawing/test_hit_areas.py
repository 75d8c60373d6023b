"""The areas of a picture that are clicked: every action of a place has one, and it lies where the place is drawn."""

import math
import re

import pytest

from romans_env.render.struggle.drawing import board_of
from romans_env.render.struggle.map_layout import layout_of
from romans_env.render.struggle.sheets import sheets
from tests.struggle.drawing.shown_games import decisions, played
from tests.tools import legal_names

OF_PLACES = ("legion", "move", "plunder", "conquer", "rob")


def hit_areas(position, viewer, actions):
    """The hit areas of both sheets of the table."""
    return [hit_area for sheet in sheets(position, viewer, (), actions, False) for hit_area in sheet.hit_areas]


@pytest.mark.parametrize(("part", "number"), [(0, 0), (1, 2)])
def test_every_action_of_a_place_is_chosen_on_one_spot(part, number):
    kinds = set()
    for game in decisions(part, number):
        if game.is_over:
            continue
        viewer = game.agent_to_act
        legal = legal_names(game)
        found = [name for hit_area in hit_areas(game.position(viewer), viewer, legal) for name in hit_area.actions]
        assert sorted(found) == sorted(name for name in legal if name.partition(":")[0] in OF_PLACES)
        kinds |= {name.partition(":")[0] for name in found}
    assert kinds >= {"legion", "move", "plunder"}


def test_spots_lie_within_the_picture_at_their_places():
    for game in decisions(0, 0, every=5):
        if game.is_over:
            continue
        viewer = game.agent_to_act
        position = game.position(viewer)
        layout, board = layout_of(board_of(position)), board_of(position)
        on_map, beside = sheets(position, viewer, (), legal_names(game), False)
        for sheet in (on_map, beside):
            for hit_area in sheet.hit_areas:
                assert 0 <= hit_area.x < hit_area.x + hit_area.width <= sheet.picture.width
                assert 0 <= hit_area.y < hit_area.y + hit_area.height <= sheet.picture.height
        assert all(name.startswith("rob:") for hit_area in beside.hit_areas for name in hit_area.actions)
        for hit_area in on_map.hit_areas:
            middle = hit_area.x + hit_area.width / 2, hit_area.y + hit_area.height / 2
            for name in hit_area.actions:
                kind, _, place = name.partition(":")
                if kind == "legion":
                    assert middle == pytest.approx(layout.middles[int(place)])
                elif kind == "move":
                    assert middle == pytest.approx(layout.points[int(place)])
                else:
                    city = next(city for city in board.cities if city.name == place)
                    assert middle == pytest.approx(layout.points[city.crossroads])


def test_cities_are_explained_to_those_who_look_on_and_offer_them_nothing():
    game = next(iter(decisions(0, 0)))
    found = hit_areas(game.position(), None, ())
    assert len(found) == len(board_of(game.position()).cities)
    assert all(hit_area.text and not hit_area.actions for hit_area in found)


def test_the_owner_of_a_city_is_named():
    position = played(1, 2).position()
    owned = {now["owner"] for now in position["cities"].values()} - {None, "neutral"}
    assert owned
    texts = " ".join(hit_area.text for hit_area in hit_areas(position, None, ()))
    assert all(f"It is {player}'s" in texts for player in owned)


def test_a_page_looks_at_the_tribe_that_is_asked():
    """Crossroads that are far from it are smaller than those near it; where the legionnaire goes, all are looked at."""
    kinds = set()
    for game in decisions(0, 0, every=3):
        position = game.position()
        if game.is_over or position["decision"]["kind"] in kinds:
            continue
        kinds.add(kind := position["decision"]["kind"])
        points, tribes = layout_of(board_of(position)).points, position["players"][position["active"]]["tribes"]
        sheet = sheets(position, game.agent_to_act, (), legal_names(game), False)[0]
        asked = {3: ("horseman",), 4: ("warrior",)}.get(position["phase"], tuple(tribes))
        places = [points[tribes[tribe]["at"]] for tribe in asked] if kind != "legion" else []
        assert re.findall(r'data-focus="(.*?)"', sheet.picture.svg) == [f"{x:.0f} {y:.0f}" for x, y in places]
        if kind == "tribe":
            moves = [
                hit_area
                for hit_area in sheet.hit_areas
                if hit_area.actions[:1] and hit_area.actions[0].startswith("move")
            ]
            away = sorted(moves, key=lambda hit_area: math.dist(places[0], (hit_area.x, hit_area.y)))
            assert away[0].width > away[-1].width
    assert kinds >= {"build", "legion", "tribe"}
