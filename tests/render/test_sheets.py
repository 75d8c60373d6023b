"""The tables of the browser: what is chosen on them lies within them, and a phone shows letters that can be read."""

from itertools import islice
from xml.etree import ElementTree

import pytest

from romans_env.core.game import Game
from romans_env.core.games import spec_of
from romans_serve.games.spectator import SPECTATOR, spectators_position
from tests.render.pictures import words_of
from tests.tools import decisions

SVG = "{http://www.w3.org/2000/svg}"
MUST_BE_ON_BOARD = {
    "romans-go-home": ("discard", "place", "reorder", "charm", "take", "lose", "give_up"),
    "roma": ("give", "keep", "lay", "activate", "own", "rival"),
    "struggle": ("legion", "move", "plunder", "conquer", "rob"),
}


def positions(name, every=7, most=400):
    """Positions of a random game, with those who decide and what they may do."""
    for game in islice(decisions(Game(spec_of(name).make_rules(), seed=4), 4), 0, most, every):
        yield game, [game.action_name(action) for action in game.legal_actions()]


def smallest(element, scale=1.0):
    """The size of the smallest letters within an element."""
    for part in element.get("transform", "").split(")"):
        if part.strip().startswith("scale("):
            scale *= float(part.strip()[6:].split()[0])
    own = (
        [scale * float(element.get("font-size"))] if element.tag == f"{SVG}text" and "".join(element.itertext()) else []
    )
    return min([*own, *(smallest(child, scale) for child in element)], default=99.0)


@pytest.mark.parametrize("is_narrow", [False, True])
@pytest.mark.parametrize("name", MUST_BE_ON_BOARD)
def test_what_can_be_chosen_lies_on_the_table(name, is_narrow):
    table, kinds = spec_of(name).part("renderer").sheets, set()
    for game, legal in positions(name):
        viewer = game.agent_to_act
        sheets = table(game.position(viewer), viewer, (), legal, is_narrow)
        found = {action for sheet in sheets for hit_area in sheet.hit_areas for action in hit_area.actions}
        assert found <= set(legal)
        assert {action for action in legal if action.partition(":")[0] in MUST_BE_ON_BOARD[name]} <= found
        kinds |= {action.partition(":")[0] for action in found}
        for picture, hit_areas in sheets:
            for hit_area in hit_areas:
                assert 0 <= hit_area.x < hit_area.x + hit_area.width <= picture.width + 1
                assert 0 <= hit_area.y < hit_area.y + hit_area.height <= picture.height + 1
    assert len(kinds) > 2


@pytest.mark.parametrize("name", MUST_BE_ON_BOARD)
def test_a_narrow_table_has_letters_that_can_be_read(name):
    table = spec_of(name).part("renderer").sheets
    for game, legal in positions(name, every=11):
        viewer = game.agent_to_act
        for sheet in table(game.position(viewer), viewer, (), legal, True):
            # A map is shown larger than it is drawn; what lies beside it is as wide as the screen.
            scale = (
                344 / sheet.picture.width if sheet.picture.width < 360 else 1.1 if sheet.picture.width > 360 else 1.0
            )
            assert scale * smallest(ElementTree.fromstring(sheet.picture.svg)) > 11.4


@pytest.mark.parametrize("name", MUST_BE_ON_BOARD)
def test_a_spectator_is_shown_every_seat_and_chooses_nothing(name):
    table = spec_of(name).part("renderer").sheets
    for game, _ in positions(name, every=31):
        for is_narrow in (False, True):
            sheets = table(spectators_position(game.rules, game.states), SPECTATOR, (), (), is_narrow)
            words = [word for sheet in sheets for word in words_of(sheet.picture.svg)]
            assert set(game.rules.seats) <= set(words)
            assert not any(hit_area.actions for sheet in sheets for hit_area in sheet.hit_areas)
