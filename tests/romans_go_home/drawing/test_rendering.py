"""Pictures: what is drawn is what the position says and no more, in every mode, at every table."""

import re
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled

from romans_env import draw, romans_go_home_v0
from romans_env.render import window
from romans_env.render.lettering import outlined
from romans_env.render.raster import pixels
from romans_env.render.romans_go_home.drawing import DECISIONS
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES
from romans_env.render.romans_go_home.symbols import FORT_SIGNS, WARRIOR_SIGNS
from romans_env.render.svg import as_text, element
from romans_env.romans_go_home.actions import BLOCKS
from romans_env.romans_go_home.material import FORTS, WARRIORS
from tests.render.pictures import words_of
from tests.romans_go_home.stages import COVERING, new_game, table_id
from tests.tools import positions


@pytest.mark.parametrize("table", COVERING[1::2], ids=table_id)
def test_every_position_is_drawn_for_everybody(table):
    sizes = set()
    for game in positions(new_game(table, seed=3), 3):
        for viewer in (None, *game.players):
            position = game.position(viewer)
            picture = draw(position, viewer, winners=game.winners())
            words = words_of(picture.svg)
            sizes.add((picture.width, picture.height))
            for clan, cards in position["clans"].items():
                assert clan in words
                points = f"{cards['points']}".replace("-", "\N{MINUS SIGN}")
                assert points in words
            for slot, fort in enumerate(position["wall"], 1):
                assert fort is None or fort.partition("-")[0] in words, slot
            if position["decision"]:
                said = f"{position['decision']['agent']} decides {DECISIONS[position['decision']['kind']]}"
                assert said in words
            else:
                assert f"{game.winners()[0]} wins" in words
    assert len(sizes) == 1


@pytest.mark.parametrize("table", COVERING[:3], ids=table_id)
def test_a_picture_for_a_seat_names_the_cards_it_may_know_and_no_other(table):
    for game in positions(new_game(table, seed=4), 4):
        for viewer in game.players:
            position = game.position(viewer)
            known: list[str] = []
            for clan, cards in position["clans"].items():
                known += [card for card in (*cards["face_up"], *cards["hidden"], *cards["hand"]) if card]
                known += [cards["set_aside"]] if cards["set_aside"] else []
                revealed = position["this_turn"]["revealed"][clan]
                # Where a warrior lay that left the table on the turn it was revealed, its name is struck out.
                known += [revealed] if revealed and position["turn"] else []
            words = words_of(draw(position).svg)
            for warrior, title in WARRIOR_TITLES.items():
                least = sum(card == warrior for card in known)
                still = sum(
                    position["this_turn"]["revealed"][clan] == warrior for clan in position["clans"] if position["turn"]
                )
                assert least - still <= words.count(title) <= least


def names_by_place(part: ElementTree.Element, x: float = 0.0, scale: float = 1.0) -> list[tuple[float, str]]:
    """Lines of text with how far from the left edge they are, for groups that are moved and scaled alone."""
    transform = part.get("transform", "")
    for move in re.findall(r"translate\((\S+)", transform):
        x += scale * float(move.rstrip(")"))
    for factor in re.findall(r"scale\((\S+)\)", transform):
        scale *= float(factor)
    here = [(x + scale * float(part.get("x", 0)), "".join(part.itertext()))] if part.tag.endswith("text") else []
    return here + [found for child in part for found in names_by_place(child, x, scale)]


def test_the_column_of_the_warrior_set_aside_is_empty_until_there_is_one():
    game, aside = new_game((2, 0), seed=3), 509
    before, after = [], []
    while not game.position()["turn"]:
        position = game.position()
        names = names_by_place(ElementTree.fromstring(draw(position).svg))
        at_the_right = sum(x > aside for x, name in names if name in WARRIOR_TITLES.values())
        num_aside = sum(cards["set_aside"] is not None for cards in position["clans"].values())
        (after if num_aside else before).append((at_the_right, num_aside))
        game.act(game.legal_actions()[0])
    assert before and all(at_the_right == 0 for at_the_right, _ in before)
    assert after and all(at_the_right == num_aside for at_the_right, num_aside in after)


def test_the_totals_and_the_captor_are_shown():
    for game in positions(new_game((3, 0, "standard"), seed=6), 6):
        this_turn = game.position()["this_turn"]
        if this_turn["captor"] and game.position()["turn"]:
            words = words_of(draw(game.position()).svg)
            fighting = [clan for clan in game.players if this_turn["revealed"][clan] != "filchy"]
            assert sum(word.endswith("total") for word in words) == len(fighting)
            assert words.count("does not fight") == 3 - len(fighting)
            assert all(str(this_turn["totals"][clan]) in words for clan in fighting)


def test_there_is_a_sign_for_every_card_and_words_for_every_decision():
    assert set(WARRIOR_SIGNS) == set(WARRIORS) == set(WARRIOR_TITLES)
    assert set(FORT_SIGNS) == {fort.partition("-")[0] for fort in FORTS}
    assert set(DECISIONS) == {block.kind for block in BLOCKS}
    assert len({str(sign) for sign in (*WARRIOR_SIGNS.values(), *FORT_SIGNS.values())}) == 13


def test_pictures_as_files(tmp_path):
    picture = draw(new_game((2, 0, "standard"), seed=1).position(), theme="light")
    picture.save(tmp_path / "position.svg")
    assert words_of((tmp_path / "position.svg").read_text(encoding="utf-8")) == words_of(picture.svg)
    picture.save(tmp_path / "position.png", scale=1)
    assert (tmp_path / "position.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"ends in \.svg or \.png, not"):
        picture.save(tmp_path / "position.gif")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["position.png", "position.svg"]


def test_a_screen_without_pygame_says_what_to_install(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(DependencyNotInstalled, match=r"pip install 'romans-env\[window\]'"):
        romans_go_home_v0.env(render_mode="human")


@pytest.mark.usefixtures("no_screen")
def test_whether_there_is_a_screen(monkeypatch):
    assert not window.has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert window.has_screen()


def test_letters_become_outlines_where_they_stood():
    """Two texts of a width: an outline covers the pixels that its text is said to."""
    look = {"font_size": 20, "fill": "#000"}
    for anchor, left in (("start", 100), ("middle", 70), ("end", 40)):
        text = element("text", "H", element("tspan", "H", font_weight="700"), "H", x=100, y=50, **look)
        outlines = as_text(outlined(text, dict))
        assert "<text" not in outlines and outlines.count("<path") == 3
        text = element("text", "MMM", x=100, y=50, text_anchor=anchor, textLength=60, **look)
        ground = element("rect", width=200, height=100, fill="#fff")
        svg = element("svg", ground, text, xmlns="http://www.w3.org/2000/svg", width=200, height=100)
        columns = np.flatnonzero((pixels(svg, dict) < 128).any(axis=(0, 2)))
        rows = np.flatnonzero((pixels(svg, dict) < 128).any(axis=(1, 2)))
        assert abs(columns[0] - left) <= 3 and abs(columns[-1] - (left + 60)) <= 3
        assert 33 <= rows[0] <= 37 and 48 <= rows[-1] <= 50
