"""Pictures: what is drawn is what the position says and no more, in every mode, at every table."""

from __future__ import annotations

import copy
import pickle
import re
import sys
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled

from romans_env import Game, draw, romans_go_home_v0
from romans_env.envs import rendering
from romans_env.render import window
from romans_env.render.lettering import outlined
from romans_env.render.raster import pixels
from romans_env.render.romans_go_home.drawing import DECISIONS
from romans_env.render.romans_go_home.symbols import FORT_SIGNS, WARRIOR_SIGNS
from romans_env.render.romans_go_home.words import WARRIOR_TITLES
from romans_env.render.svg import as_text, element
from romans_env.romans_go_home.actions import BLOCKS
from romans_env.romans_go_home.cards import FORTS, WARRIORS
from tests.romans_go_home.stages import TABLES, new_game, random_game, table_id
from tests.tools import Lcg

SOME_TABLES = [(1, 2, "standard"), (2, 0, "standard"), (3, 1, "standard"), (4, 0, "vogel")]


def words_of(svg: str) -> list[str]:
    """The lines of text of a picture; it must be well-formed."""
    root = ElementTree.fromstring(svg)
    return ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]


def positions(table, seed):
    """Every position of a random game, and its game."""
    finished = random_game(table, seed)
    game = Game(finished.rules, deal=finished.deal())
    yield game
    for _, action in finished.actions:
        game.act(action)
        yield game


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_every_position_is_drawn_for_everybody(table):
    sizes = set()
    for game in positions(table, seed=3):
        for viewer in (None, *game.players):
            position = game.position(viewer)
            picture = draw(position, viewer)
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
    assert len(sizes) == 1


@pytest.mark.parametrize("table", SOME_TABLES, ids=table_id)
def test_a_picture_for_a_seat_names_the_cards_it_may_know_and_no_other(table):
    for game in positions(table, seed=4):
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


def test_a_picture_depends_on_nothing_but_the_position():
    game = random_game((2, 1, "standard"), seed=5)
    position = game.position()
    assert draw(position).svg == draw(copy.deepcopy(position)).svg


def test_the_totals_and_the_captor_are_shown():
    for game in positions((3, 0, "standard"), seed=6):
        this_turn = game.position()["this_turn"]
        if this_turn["captor"] and game.position()["turn"]:
            words = words_of(draw(game.position()).svg)
            fighting = [clan for clan in game.players if this_turn["revealed"][clan] != "filchy"]
            assert words.count("total") == len(fighting)
            assert words.count("does not fight") == 3 - len(fighting)
            assert all(str(this_turn["totals"][clan]) in words for clan in fighting)


def test_the_end_names_the_winners():
    game = random_game((2, 0, "standard"), seed=7)
    (winner,) = game.winners()
    assert f"{winner} wins" in words_of(draw(game.position(), winners=game.winners()).svg)


def test_there_is_a_sign_for_every_card_and_words_for_every_decision():
    assert set(WARRIOR_SIGNS) == set(WARRIORS) == set(WARRIOR_TITLES)
    assert set(FORT_SIGNS) == {fort.partition("-")[0] for fort in FORTS}
    assert set(DECISIONS) == {block.kind for block in BLOCKS}
    assert len({str(sign) for sign in (*WARRIOR_SIGNS.values(), *FORT_SIGNS.values())}) == 13


def test_names_cannot_break_out_of_the_picture():
    position = random_game((2, 0, "standard"), seed=8).position()
    evil = "</text><script>x()</script>&"
    svg = draw(position, viewer=evil).svg
    assert "<script" not in svg
    assert f"as {evil} sees it" in words_of(svg)


def test_themes():
    position = new_game((2, 0, "standard"), seed=1).position()
    light, dark, auto = (draw(position, theme=theme) for theme in ("light", "dark", "auto"))
    assert "prefers-color-scheme:dark" in auto.svg
    assert "<style" not in light.svg and "class=" not in light.svg
    assert light.svg != dark.svg
    assert light.pixels().mean() > 150 > 100 > dark.pixels().mean()
    assert (auto.pixels() == light.pixels()).all()
    with pytest.raises(ValueError, match="theme is one of 'auto', 'light', 'dark', not 'blue'"):
        draw(position, theme="blue")


def test_clans_and_themes_can_be_told_apart_without_colour():
    """On paper without colours: what lies on a surface differs from it in lightness."""
    position = new_game((4, 0, "standard"), seed=1).position()
    for theme in ("light", "dark"):
        grey = draw(position, theme=theme).pixels().mean(axis=2)
        assert grey.min() < 70 and grey.max() > 200


def test_pictures_as_files(tmp_path):
    picture = draw(new_game((2, 0, "standard"), seed=1).position(), theme="light")
    picture.save(tmp_path / "position.svg")
    assert words_of((tmp_path / "position.svg").read_text(encoding="utf-8")) == words_of(picture.svg)
    picture.save(tmp_path / "position.png", scale=1)
    assert (tmp_path / "position.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"ends in \.svg or \.png, not"):
        picture.save(tmp_path / "position.gif")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["position.png", "position.svg"]


def test_notebooks_show_games_and_views():
    game = new_game((2, 1, "standard"), seed=2)
    assert game._repr_svg_() == draw(game.position()).svg
    assert game.view(1)._repr_svg_() == draw(game.position("player_1"), "player_1").svg


# -- the render modes


def test_rgb_array_of_the_pettingzoo_face():
    env = romans_go_home_v0.env(2, 2, render_mode="rgb_array")
    env.reset(seed=1)
    shapes = set()
    lcg = Lcg(1)
    for _ in range(30):
        pixels = env.render()
        assert pixels.dtype == np.uint8
        shapes.add(pixels.shape)
        assert (pixels == draw(env.unwrapped.position()).pixels()).all()
        env.step(lcg.pick(env.unwrapped.legal_actions()))
    assert len(shapes) == 1 and shapes.pop()[1:] == (600, 3)


def test_rgb_array_of_the_gymnasium_face_is_what_the_learner_may_see():
    env = gymnasium.make("RomansGoHome-v0", opponents=["random"], seat=1, render_mode="rgb_array")
    env.reset(seed=2)
    raw = env.unwrapped
    assert (env.render() == draw(raw.position("player_1"), "player_1").pixels()).all()
    assert (env.render() != draw(raw.position()).pixels()).any()


def test_rgb_array_of_many_games():
    env = gymnasium.make_vec("RomansGoHome-v0", num_envs=2, opponents=["random"], render_mode="rgb_array")
    env.reset(seed=3)
    first, second = env.render()
    assert first.shape == second.shape and (first != second).any()


def test_videos_know_how_fast_they_are():
    for env in (romans_go_home_v0.raw_env(), gymnasium.make("RomansGoHome-v0")):
        assert env.metadata["render_fps"] > 0
        assert "rgb_array" in env.metadata["render_modes"]


@pytest.fixture
def screen(monkeypatch):
    """A screen that nobody sees."""
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(rendering, "RENDER_FPS", 1000)


@pytest.mark.usefixtures("screen")
@pytest.mark.parametrize("make", [romans_go_home_v0.raw_env, lambda **how: gymnasium.make("RomansGoHome-v0", **how)])
def test_human_rendering_opens_a_window_where_there_is_a_screen(make, capsys):
    import pygame

    env = make(render_mode="human")
    env.reset(seed=4)
    raw = env.unwrapped
    viewer = getattr(raw, "player", None)
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    assert (shown == draw(raw.position(viewer), viewer).pixels()).all()
    assert env.render() is None
    env.step(raw.legal_actions()[0])
    assert (pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1) != shown).any()
    assert "Round" not in capsys.readouterr().out
    env.close()
    assert not pygame.display.get_init()


@pytest.mark.usefixtures("screen")
def test_a_window_that_somebody_closes_stays_closed():
    import pygame

    env = romans_go_home_v0.raw_env(render_mode="human")
    env.reset(seed=5)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.render()
    assert not pygame.display.get_init()
    env.render()
    assert not pygame.display.get_init()


@pytest.mark.usefixtures("screen")
def test_copies_of_an_environment_with_a_window():
    env = romans_go_home_v0.raw_env(render_mode="human")
    env.reset(seed=6)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone()):
        assert twin.position() == env.position()
        twin.step(twin.legal_actions()[0])
    env.close()


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


def test_unknown_modes_are_refused():
    with pytest.raises(rendering.RenderModeError, match=re.escape("['ansi', 'human', 'rgb_array'], not 'svg'")):
        romans_go_home_v0.env(render_mode="svg")


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
