"""Pictures, texts and replay pages of every game: what is shown is what the position says, and no more."""

import re
from functools import cache
from itertools import islice

import gymnasium
import pytest

from romans_env import Game, Opinion, draw, replay, replay_page
from romans_env.core.games import spec_of
from romans_env.render.replay_frames import FULL_STATE
from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import NO_BREAK, phrases_of, result_in_words, text_interface_of
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE
from tests.pages import data_of
from tests.render.pictures import words_of
from tests.tools import Lcg, decisions, played, state_bytes

GAMES = ((ROMANS_GO_HOME, {"num_neutrals": 1}), (ROMA, {}), (STRUGGLE, {"max_rounds": 1}))
RULES = {game.name: game.rules(**setup) for game, setup in GAMES}
SCRAMBLED = {game.name: game.scrambled for game, _ in GAMES}
every_game = pytest.mark.parametrize("name", RULES)


@cache
def finished(name):
    """A game at its end; it is not to be changed."""
    return played(Game(RULES[name], seed=23), 23)


def renderer_of(name):
    return spec_of(name).part("renderer")


@every_game
def test_at_its_end_a_game_says_why_it_is_over(name):
    found = set()
    for seed in range(12 if name != "struggle" else 1):
        game = played(Game(RULES[name], seed=seed), seed)
        end = list(game.events())[-1].details
        reason = reason_of(end)
        result, why = result_in_words(game, SeatNames({seat: seat for seat in game.rules.seats}, game.players[0]))
        assert reason in why and ". Points: you " in why
        assert result.startswith("You ") == ("player_0" in end["winners"])
        assert how_of(end, game) in result
        found.add(reason)
    assert len(found) > 1 or name != "romans-go-home"


def reason_of(end):
    """What the last event says, as a part of the sentence."""
    if "by_legion" in end:
        return "Three Legion forts" if end["by_legion"] else "three rounds"
    said = {"stock": "stock is empty", "turn 200": "Turn 200", "final": "Ten points", "rounds": "last round"}
    return said.get(end["why"], "no points left")


def how_of(end, game):
    """How the game was won, as a part of the result."""
    points = end["points"]
    if len(end["winners"]) > 1:
        return "share the win"
    if end.get("by_legion"):
        return "by three Legion forts"
    empty = [player for player in game.players if points[player] == 0]
    if game.rules.name == "roma" and empty:
        return "because you have no points left" if empty == ["player_0"] else "because player_1 has no points left"
    best, second = sorted((points[player] for player in game.players), reverse=True)[:2]
    if best == second:
        return "with as many points and"
    return f"with {best} point" if game.rules.name == "struggle" else "on points"


@every_game
def test_what_brought_the_points_adds_up_to_them(name):
    for seed in range(12 if name != "struggle" else 2):
        rules = RULES[name] if name != "struggle" else STRUGGLE.rules(max_rounds=25)
        game = played(Game(rules, seed=seed), seed)
        seat_names = SeatNames({seat: f"seat {seat}" for seat in game.rules.seats}, game.players[1])
        table = text_interface_of(name).points_table(game, seat_names)
        in_all = table.columns.index("in all")
        for (seat, points), row in zip(game.points().items(), table.rows, strict=True):
            assert row[0] == ("you" if seat == "player_1" else f"seat {seat}") and len(row) == len(table.columns)
            assert int(row[in_all]) == points == sum(map(int, row[1:in_all]))
        numbers = [int(number) for row in table.rows for number in row[1:in_all]]
        assert any(numbers) and not any("player_" in part for row in table.rows for part in row[1:])


def test_forts_and_cards_that_brought_points_are_named():
    game = played(Game(RULES["romans-go-home"], seed=0), 0)
    seat_names = SeatNames({seat: seat for seat in game.rules.seats})
    table = text_interface_of("romans-go-home").points_table(game, seat_names)
    for row in table.rows:
        assert sum(int(fort.replace(NO_BREAK, " ").rpartition(" ")[2]) for fort in row[-1].split(", ")) == int(row[-2])
    roma = played(Game(RULES["roma"], seed=1), 1)
    told = [
        row[-1]
        for row in text_interface_of("roma").points_table(roma, SeatNames({"player_0": "a", "player_1": "b"})).rows
    ]
    assert told == ["mercatus\u00a03", "none"]


def in_words(game):
    """What was chosen, as the terminal words it."""
    again = Game.of_deal(game.rules, game.deal())
    for seat, action in game.actions:
        yield phrases_of(again, seat, again.legal_actions())[action]
        again.act(action)


@every_game
def test_a_seat_is_shown_nothing_that_it_cannot_know(name):
    """Neither in a picture nor in a text: with other hidden cards they are the same."""
    lcg, changed, lines_of = Lcg(1), 0, renderer_of(name).position_lines
    games = (game for seed in range(3) for game in decisions(Game(RULES[name], seed=seed), seed))
    for game in islice(games, 0, None, 7):
        for seat, player in enumerate(game.players):
            other = SCRAMBLED[name](game, seat, lcg)
            changed += state_bytes(other) != state_bytes(game)
            assert draw(other, player) == draw(game, player)
            assert lines_of(other, player) == lines_of(game, player)
    assert changed > 15


@every_game
def test_clans_and_themes_can_be_told_apart(name):
    """With colours and, on paper, without: what lies on a surface differs from it in lightness."""
    light, dark, auto = (draw(finished(name), theme=theme) for theme in ("light", "dark", "auto"))
    assert "prefers-color-scheme:dark" in auto.svg and "class=" not in light.svg
    assert light.pixels().mean() > 150 > 100 > dark.pixels().mean()
    assert (auto.pixels() == light.pixels()).all()
    for picture in (light, dark):
        grey = picture.pixels().mean(axis=2)
        assert grey.min() < 70 and grey.max() > 200
    with pytest.raises(ValueError, match="theme is one of 'auto', 'light', 'dark', not 'blue'"):
        draw(finished(name), theme="blue")


@every_game
def test_a_game_a_view_and_a_position_give_the_picture_of_its_game(name):
    game, expected = Game(RULES[name], seed=3), renderer_of(name).draw
    for player in (None, "player_0", "player_1"):
        picture = expected(game.position(player), player)
        assert draw(game, player) == draw(game.position(player), player, game=name) == picture
    view = game.view("player_1")
    assert draw(view) == draw(view, "player_1") == expected(view.position(), "player_1")
    assert draw(game, theme="dark").svg == expected(game.position(), theme="dark").svg
    over = finished(name)
    assert draw(over) == expected(over.position(), winners=over.winners())


@every_game
def test_a_name_cannot_break_out_of_the_picture(name):
    svg = renderer_of(name).draw(finished(name).position(), viewer="</text><script>x()</script>&").svg
    assert "<script" not in svg and words_of(svg)


@every_game
def test_notebooks_show_games_and_views(name):
    game = Game(RULES[name], seed=2)
    assert game._repr_svg_() == draw(game).svg
    assert game.view(1)._repr_svg_() == draw(game, "player_1").svg


@every_game
def test_the_story_only_grows(name):
    game, renderer, story = finished(name), renderer_of(name), []
    again = Game(game.rules, deal=game.deal())
    for number, (_, action) in enumerate(game.actions):
        again.act(action)
        if number % 4 == 0:
            now = renderer.story(again, "player_1")
            assert now[: len(story)] == story
            story = now
    assert story


@pytest.mark.parametrize("name", ["romans-go-home", "roma"])
def test_a_learner_is_rendered_what_it_may_see(name):
    single = gymnasium.make(spec_of(name).env_id, opponents=["random"], seat=1, render_mode="rgb_array")
    single.reset(seed=2)
    raw = single.unwrapped
    assert (single.render() == draw(raw.game, "player_1").pixels()).all()
    assert (single.render() != draw(raw.game).pixels()).any()
    texts = gymnasium.make(spec_of(name).env_id, opponents=["random"], seat=1, render_mode="ansi")
    texts.reset(seed=2)
    shown, game = texts.render(), texts.unwrapped.game
    assert shown == renderer_of(name).text(game, "player_1") != renderer_of(name).text(game)


@pytest.mark.parametrize("name", ["roma", "struggle"])
def test_frames_are_the_positions_of_the_record(name):
    """Romans Go Home! has frames between actions, and tests of its own."""
    game, renderer = finished(name), renderer_of(name)
    shown = renderer.replay(replay(game.record())).frames
    assert list(shown) == [FULL_STATE, *game.players]
    for viewer, frames in shown.items():
        player = None if viewer == FULL_STATE else viewer
        again = Game(game.rules, deal=game.deal())
        assert len(frames) == len(game.actions) + 1 and frames[-1].chosen is None
        assert frames[-1].picture == renderer.picture(game, player)
        for (seat, action), phrase, frame in zip(game.actions, in_words(game), frames, strict=False):
            assert frame.picture == renderer.picture(again, player)
            number = again.position().get("turn", again.position().get("round"))
            assert frame.section.split(" ")[-1] in (str(number), "Opening")
            assert frame.chosen == (phrase if player in (None, seat) else None)
            again.act(action)


@every_game
def test_the_log_is_the_story(name):
    for shown_to, frames in renderer_of(name).replay(finished(name)).frames.items():
        viewer = None if shown_to == FULL_STATE else shown_to
        lines = [line for frame in frames for line in frame.lines]
        # The wall of a round of Romans Go Home! is in the picture.
        assert lines == [line.partition(" wall ")[0] for line in renderer_of(name).story(finished(name), viewer)]


@every_game
def test_a_page_needs_nothing_else(name):
    game = finished(name)
    page = replay_page(game).html
    assert len(page.encode()) < 1_000_000 and "{{" not in page and "default-src 'none'" in page
    for loads in ("src=", "@import", "url(", '<link rel="stylesheet"', "fetch(", "XMLHttpRequest", "import("):
        assert loads not in page
    assert set(re.findall(r"https?://[^\s\"'`]+", page)) <= {"http://www.w3.org/2000/svg"}
    (data,) = data_of(page)
    assert [view["viewer"] for view in data["views"]] == [FULL_STATE, *game.players]
    assert data["title"].endswith(" won")
    (data,) = data_of(replay_page(game, viewer="player_1").html)
    assert [view["viewer"] for view in data["views"]] == ["player_1"]


@every_game
def test_choices_and_opinions_are_shown_to_the_deciding_seat(name):
    game = finished(name)
    opinions = [Opinion("oracle", {action: 1.0}, 0.5) for _, action in game.actions]
    (data,) = data_of(replay_page(game, opinions=opinions, start=5).html)
    for view in data["views"]:
        chosen = zip(game.actions, in_words(game), strict=True)
        own = [phrase for (seat, _), phrase in chosen if view["viewer"] in (FULL_STATE, seat)]
        said = [frame["opinion"] for frame in view["frames"] if "opinion" in frame]
        assert [frame["chosen"] for frame in view["frames"] if "chosen" in frame] == own
        assert said == [{"agent": "oracle", "value": 0.5, "probabilities": [[action, 1.0]]} for action in own]


@every_game
def test_a_game_that_still_runs(name):
    game = played(Game(RULES[name], seed=3), 3, 2)
    (data,) = data_of(replay_page(game.record()).html)
    assert "not over" in data["title"]
    said = [frame["chosen"] for frame in data["views"][0]["frames"] if "chosen" in frame]
    assert said == list(in_words(game))
