"""Replays as pages: what is shown is what happened, to those who may know it, with nothing from anywhere else."""

import html
import re

import numpy as np
import pytest

from romans_env import Game, draw, load_record, replay, replay_page, save_record
from romans_env.render.replay_frames import FULL_STATE, moments_of
from romans_env.render.romans_go_home.renderer import replayed_game
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES
from tests.pages import data_of
from tests.romans_go_home.drawing.opinions import opinions_on
from tests.romans_go_home.stages import COVERING, SMALL_TABLES, random_game, table_id


def games_by_action(game):
    """Copies of the game as it stood before every action and at its end."""
    again = Game(game.rules, deal=game.deal())
    yield again.clone()
    for _, action in game.actions:
        again.act(action)
        yield again.clone()


@pytest.mark.parametrize("table", COVERING, ids=table_id)
def test_moments_are_the_game(table):
    game = random_game(table, seed=1)
    moments = list(moments_of(game))
    assert [event for moment in moments for event in moment.events] == game.events()
    decided = [moment.game.position() for moment in moments if moment.action is not None]
    assert decided == [copy.position() for copy in games_by_action(game)]
    for moment in moments:
        if moment.action is None:
            position = moment.game.position()
            assert position["decision"] is None and moment.events
            for event in moment.events:
                if event.kind == "reveal":
                    assert event.details["warriors"] == position["this_turn"]["revealed"]
                elif event.kind == "totals":
                    totals = {clan: total for clan, total in event.details["totals"].items() if total is not None}
                    assert totals.items() <= position["this_turn"]["totals"].items()
                elif event.kind == "capture":
                    assert event.details["clan"] == position["this_turn"]["captor"]
                    assert event.details["fort"] in position["clans"][event.details["clan"]]["forts"] or any(
                        later.kind == "pays" for later in moment.events
                    )


@pytest.mark.parametrize("table", COVERING[1::2], ids=table_id)
def test_frames_are_the_positions_of_the_record(table):
    record = random_game(table, seed=2).record()
    game = replay(record)
    shown = replayed_game(game).frames
    assert list(shown) == [FULL_STATE, *game.players]
    moments = list(moments_of(game))
    for viewer, frames in shown.items():
        player = None if viewer == FULL_STATE else viewer
        stood = list(games_by_action(game))
        for frame in frames:
            action = moments[frame.moment].action
            if action is not None:
                position = stood[action].position(player)
                assert frame.picture == draw(position, player, stood[action].winners())
                assert (frame.section, frame.turn) == (f"Round {position['round']}", position["turn"])
    assert [frame.moment for frame in shown[FULL_STATE]] == list(range(len(moments)))


@pytest.mark.parametrize("table", [(2, 0, "standard"), (4, 0, "vogel")], ids=table_id)
def test_a_seat_sees_nothing_of_the_others_secret_decisions(table):
    game = random_game(table, seed=4)
    moments = list(moments_of(game))
    shown = replayed_game(game, opinions=opinions_on(game)).frames
    for viewer in game.players:
        for frame in shown[viewer]:
            assert frame.opinion is None or moments[frame.moment].game.agent_to_act == viewer
            assert not any(
                line.startswith(f"  {other} {does} ")
                for line in frame.lines
                for other in set(game.players) - {viewer}
                for does in ("sets", "places", "puts")
            )


def test_a_page_for_a_seat_does_not_tell_how_often_the_others_were_asked():
    game = random_game((2, 0, "standard"), seed=5)
    (data,) = data_of(replay_page(game.record(), viewer="player_1").html)
    planning = [frame for frame in data["views"][0]["frames"] if frame["turn"] == 0 and frame["section"] == "Round 1"]
    asked = [action for player, action in game.actions[:12] if player == "player_1"]
    kinds = {"discard": "set", "place": "place", "reorder": "put"}
    assert [frame["chosen"].split()[0] for frame in planning] == [kinds[one.partition(":")[0]] for one in asked][
        : len(planning)
    ]
    assert [frame["moment"] for frame in planning] == list(range(len(planning)))


def test_several_games_on_one_page():
    games = [random_game((2, 0, "standard"), seed=8), random_game((3, 1, "vogel"), seed=9)]
    games[0].agents = {"player_0": "greedy", "player_1": "a <b> & 'c'"}
    page = replay_page([game.record() for game in games])
    first, second = data_of(page.html)
    assert first["agents"] == {"player_0": "greedy", "player_1": "a <b> & 'c'"}
    assert [len(first["views"]), len(second["views"])] == [3, 4]
    assert repr(page) == "<ReplayPage, 2 games>"
    assert "a <b>" not in page.html


def test_names_in_a_record_cannot_break_out_of_the_page():
    game = random_game((2, 0, "standard"), seed=8)
    game.agents = {"player_0": "</script><script>alert(1)</script>", "player_1": "</title><b>"}
    page = replay_page(game.record()).html
    assert "alert(1)" not in re.sub(r"<title>.*?</title>", "", page)
    assert "&lt;/script&gt;" in page
    assert page.count("<script") == 2 and page.count("</title>") == 1


def test_names_in_a_record_are_no_placeholders():
    game = random_game((2, 0, "standard"), seed=8)
    game.agents = {"player_0": "greedy", "player_1": "greedy"}
    usual = len(replay_page(game.record()).html)
    for name in ("{{script}}", "{{games}}{{style}}", "{{title}}", "{{nothing}}", r"\1 \g"):
        game.agents["player_0"] = name
        page = replay_page(game.record()).html
        assert f": {name}, greedy" in re.search(r"<title>(.*?)</title>", page)[1]
        assert abs(len(page) - usual) < 100


def other_hidden_cards(game, viewer):
    """A deal that the viewer cannot tell from the game's while it plans for the first time."""
    deal, on_the_wall = game.deal(), len(game.position()["wall"])
    for seed in range(1000, 1100):
        other = Game(game.rules, seed=seed).deal()
        other["rounds"][0][viewer] = deal["rounds"][0][viewer]
        other["forts"] = [*deal["forts"][:on_the_wall], *reversed(deal["forts"][on_the_wall:])]
        if all(other["rounds"][0][clan] != deal["rounds"][0][clan] for clan in game.rules.seats if clan != viewer):
            return other
    raise AssertionError("there is no other deal")


@pytest.mark.parametrize("table", [(2, 0, "standard"), (3, 1, "vogel"), (1, 2, "standard"), SMALL_TABLES[3]])
def test_a_record_that_stops_early_is_shown_to_everybody(table):
    whole = random_game(table, seed=5)
    for num_actions in range(7):
        assert_shown_to_everybody(random_game(table, seed=5, stop_after=num_actions), whole)


def assert_shown_to_everybody(game, whole):
    num_actions = len(game.actions)
    (data,) = data_of(replay_page(game.record()).html)
    assert [view["viewer"] for view in data["views"]] == [FULL_STATE, *game.players]
    assert all(view["frames"] for view in data["views"])
    for viewer in game.players:
        page = replay_page(game.record(), viewer=viewer, start=num_actions).html
        (data,) = data_of(page)
        first = data["views"][0]["frames"][0]
        assert (first["moment"], first["section"], first["turn"]) == (0, "Round 1", 0)
        assert data["start"] < len(data["views"][0]["frames"])
        drawn = html.unescape("".join(data["bands"][number] for number in first["bands"]))
        hand = game.deal()["rounds"][0][viewer]
        for warrior, title in WARRIOR_TITLES.items():
            assert drawn.count(f">{title}<") == hand.count(warrior)
        asked = [number for number, (player, _) in enumerate(whole.actions) if player == viewer]
        if num_actions < asked[0]:
            # Neither how many actions the others have made nor what is hidden is to be seen.
            assert "decides" not in drawn
            assert page == replay_page(Game(game.rules, deal=game.deal()), viewer=viewer).html
            other = Game(game.rules, deal=other_hidden_cards(game, viewer))
            assert page == replay_page(other, viewer=viewer).html


def test_a_page_opens_where_it_is_told_to():
    games = [random_game((2, 0, "standard"), seed=8), random_game((3, 1, "vogel"), seed=9)]
    for game, start, data in zip(games, (0, 17), data_of(replay_page(games, start=[0, 17]).html), strict=True):
        assert list(moments_of(game))[data["start"]].action == start
    game = games[1]
    frames = replayed_game(game).frames[game.players[1]]
    # A page draws the whole game anew, so not every start has one; these meet decisions of all players.
    for start in range(0, len(game.actions) + 1, 43):
        (whole,) = data_of(replay_page(game, start=start).html)
        (data,) = data_of(replay_page(game, viewer="player_1", start=start).html)
        opened = frames[data["start"]]
        assert opened.moment <= max(whole["start"], frames[0].moment)
        if start < len(game.actions) and game.actions[start][0] == "player_1":
            assert opened.moment == whole["start"]


def test_what_cannot_be_shown_is_refused():
    game = random_game((2, 0, "standard"), seed=1)
    for games, settings, why in (
        ([], {}, "there is no game to show"),
        (game, {"viewer": "player_2"}, r"there is no 'player_2'; the players are player_0, player_1"),
        (game, {"opinions": [None]}, r"1 opinions for \d+ actions"),
        ([game, game], {"opinions": [None]}, "opinions on 1 games for 2 games"),
        (game, {"start": 1000}, r"a game of \d+ actions starts at one of them, not at 1000"),
        ([game, game], {"start": [0]}, "1 starts for 2 games"),
        (game.view(0).sample_game(np.random.default_rng(0)), {}, "a determinization has no record"),
    ):
        with pytest.raises(ValueError, match=why):
            replay_page(games, **settings)


def test_notebooks_show_records(tmp_path):
    game = random_game((2, 0, "standard"), seed=2)
    save_record(game.record(), tmp_path / "game.json")
    record = load_record(tmp_path / "game.json")
    assert record == game.record()
    shown = record._repr_html_()
    assert '<img src="data:image/png;base64,' in shown  # what is left where frames are stripped
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', shown)[1]) == replay_page(game).html
    record["actions"] = record["actions"][5:]
    assert record._repr_html_() is None


def test_the_legend_names_every_symbol_of_the_table():
    game = random_game((2, 1, "standard"), seed=7)
    (data,) = data_of(replay_page(game).html)
    sizes = {symbols["title"]: len(symbols["entries"]) for symbols in data["legend"]}
    assert list(sizes.items()) == [("Warriors", 8), ("Forts", 5), ("Clans", 3)]
    for symbol, text in (entry for symbols in data["legend"] for entry in symbols["entries"]):
        assert symbol.startswith("<g") and text
    assert data["legend"][0]["entries"][0][1] == "Qween, strength 1"
