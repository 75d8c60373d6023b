"""What happened, as events and in words: on the worked examples, in the recorded games, and as a viewer knows it."""

import functools
import json
from collections import Counter
from typing import Any

import pytest

from romans_env import Game
from romans_env.render.roma.sentences import EVENT_KINDS, in_words
from romans_env.render.roma.text import transcript
from tests.roma.golden.regenerate import TEXTS
from tests.roma.openings import example_game
from tests.roma.stages import PLAYERS, Stage, before_the_last_payment, copying, new_game, short_pile
from tests.roma.twins import opening_twins, twins
from tests.tools import recorded_games


def lines_of(stage: Stage, *actions: str) -> list[str]:
    """The lines of actions that are played in the middle of a game."""
    return [line.strip() for line in in_words(stage.game, stage.events(*actions))]


def test_11_1_opening_and_two_turns():
    game = example_game()
    for action in ("activate:1", "activate:3", "activate:3", "activate:2", "rival:4"):
        game.act(action)
    lines = [line.strip() for line in in_words(game, game.events())]
    assert lines[:2] == ["== Opening ==", "player_0 draws forum, legat, turris, consul"]
    assert "player_0 gets basilica, forum from player_1" in lines
    assert "player_1 gets consul, turris from player_0" in lines
    turns = lines.index("== Turn 1: player_0 ==")
    assert lines[turns - 1] == (
        "all cards are turned face-up: player_0 has legat on 1, forum on 3, basilica on 4, forum on 5; "
        "player_1 has onager on 2, legionarius on 3, turris on 5, consul on 6"
    )
    assert lines[turns:] == [
        "== Turn 1: player_0 ==",
        "player_0 pays 2 points for 2 free discs (8 now, stock 18)",
        "player_0 throws 1, 3, 6",
        "player_0 uses a 1 to activate legat on disc 1",
        "legat: player_0 gets 2 points from the stock, for 2 free discs of the rival (10 now, stock 16)",
        "player_0 uses a 3 to activate forum on disc 3",
        "forum: player_0 gets 8 points from the stock, die 6 + 2 basilica (18 now, stock 8)",
        "== Turn 2: player_1 ==",
        "player_1 pays 2 points for 2 free discs (8 now, stock 10)",
        "player_1 throws 2, 3, 5",
        "player_1 uses a 3 to activate legionarius on disc 3",
        "battle die 5 against defence 5: forum on player_0's disc 3 is discarded",
        "player_1 uses a 2 to activate onager on disc 2",
        "onager attacks basilica on player_0's disc 4",
        "battle die 4 against defence 5: basilica on player_0's disc 4 stays",
    ]


def test_11_2_defence_and_copying():
    assert lines_of(copying(), "activate:2", "activate:4", "own:6", "die:5") == [
        "player_0 uses a 2 to activate essedum on disc 2",
        "essedum: player_1's cards have 2 less defence in this turn",
        "player_0 uses a 4 to activate scaenicus on disc 4",
        "scaenicus on disc 4 copies centurio of disc 6",
        "battle die 1 against defence 5 (5, +2 turris, -2 essedum): forum on player_1's disc 4 stays",
        "centurio adds a 5: 1 + 5 against defence 5 (5, +2 turris, -2 essedum): "
        "forum on player_1's disc 4 is discarded",
        "== Turn 2: player_1 ==",
        "player_1 pays 4 points for 4 free discs (6 now, stock 20)",
        "player_1 throws 1, 2, 4",
    ]


def test_11_3_templum_and_the_last_payment():
    assert lines_of(before_the_last_payment(), "activate:3", "die:6", "die:2") == [
        "player_0 uses a 3 to activate forum on disc 3",
        "forum: 8 points are due, die 6 + 2 basilica",
        "forum: player_0 gets 10 points from the stock, die 6 + 2 basilica + 2 templum, 1 of them credited "
        "(24 now, stock 0)",
        "== The end: the stock is empty == player_0 wins; points: player_0 24, player_1 13",
    ]
    assert lines_of(before_the_last_payment(), "activate:3", "die:6", "stop")[2:] == [
        "player_0 uses no die for templum",
        "forum: player_0 gets 8 points from the stock, die 6 + 2 basilica (22 now, stock 1)",
    ]


def test_11_4_drawing_over_an_empty_pile():
    assert lines_of(short_pile(), "cards:4", "keep:legat") == [
        "player_0 uses a 4 to draw 4 cards",
        "player_0 draws nero, forum",
        "the pile is empty: both players can infer all hidden cards",
        "the discard pile becomes the pile: 3 cards",
        "player_0 draws legat, turris",
        "player_0 keeps legat and discards nero, forum, turris",
    ]


@functools.cache
def recorded_events() -> tuple[tuple[Game, tuple[Any, ...]], ...]:
    """The recorded games with their events by action."""
    found = []
    for recorded in recorded_games("roma", 0, 2):
        game = new_game(outcomes=recorded["outcomes"])
        for step in recorded["steps"]:
            game.act(step["action"])
        found.append((game, tuple(game.events_by_action())))
    return tuple(found)


def test_every_kind_of_event_occurs_and_has_words():
    kinds: Counter[str] = Counter()
    for game, parts in recorded_events():
        events = [event for part in parts for event in part]
        kinds.update(event.kind for event in events)
        assert json.loads(json.dumps([event.details for event in events])) == [event.details for event in events]
        assert all(len(line) < 240 for line in in_words(game, events))
        assert events == game.events()
    assert set(kinds) == set(EVENT_KINDS)


def test_the_numbers_of_events_add_up():
    """From the events alone: points, stock, money and the discards of every game."""
    for game, parts in recorded_events():
        points, stock, money = dict.fromkeys(PLAYERS, 10), 16, dict.fromkeys(PLAYERS, 0)
        for event in (event for part in parts for event in part):
            one = event.details
            if event.kind == "pays":
                points[one["player"]] -= one["paid"]
                stock += one["paid"]
            elif event.kind == "gets":
                points[one["player"]] += one["points"]
                stock -= one["points"] - one["credited"]
                assert one["points"] == sum(one["why"].values())
            elif event.kind == "takes_points":
                points[one["player"]] += one["points"]
                points[one["rival"]] -= one["points"]
                assert one["left"] == points[one["rival"]]
                paid = one["why"].get("paid", 0)
                assert paid in (0, 2 * one["points"])
                money[one["player"]] -= paid
                money[one["rival"]] += paid
            elif event.kind == "money":
                money[one["player"]] += one["die"]
                assert one["money"] == money[one["player"]]
            elif event.kind == "lays" and one["paid"] is not None:
                money[one["player"]] -= one["paid"]
                assert one["money"] == money[one["player"]]
            if "total" in one:
                assert (one["total"], one["stock"]) == (points[one["player"]], stock)
        end = parts[-1][-1]
        assert end.kind == "end" and end.details["points"] == game.points() == points
        assert end.details["winners"] == game.winners()


def test_battles_are_those_of_the_rules():
    """A battle is won when the die reaches the defence, and the card is gone then."""
    battles = 0
    for game, parts in recorded_events():
        again = new_game(outcomes=game.deal()["outcomes"])
        for (_, action), part in zip(game.actions, parts[1:], strict=True):
            discard = Counter(again.position()["discard"])
            again.act(action)
            for event in part:
                if event.kind in ("battle", "adds"):
                    one = event.details
                    score = one["die"] + one.get("score", 0)
                    won = one.get("won", True)
                    assert won == (score >= one["defence"])
                    assert one["defence"] == one["printed"] + one["turris"] - one["essedum"]
                    now = Counter(again.position()["discard"])
                    assert not won or now[one["card"]] > discard[one["card"]] or "refill" in {e.kind for e in part}
                    battles += 1
    assert battles > 150


def test_dice_and_cards_of_events_are_the_outcomes():
    for game, parts in recorded_events():
        outcomes = Counter(map(str, game.deal()["outcomes"]))
        said: Counter[str] = Counter()
        for event in (event for part in parts for event in part):
            if event.kind == "dice":
                said.update(map(str, event.details["dice"]))
            elif event.kind == "battle":
                said[str(event.details["die"])] += 1
            elif event.kind == "draws":
                said.update(event.details["cards"])
        assert said == outcomes


def test_a_log_shows_a_viewer_nothing_that_it_cannot_know():
    pairs = twins(range(8)) + opening_twins()
    assert len(pairs) > 20
    for game, twin, viewer in pairs:
        assert transcript(game) != transcript(twin)
        assert transcript(game, viewer) == transcript(twin, viewer)
        assert [event.seen_by(viewer) for event in game.events()] == [event.seen_by(viewer) for event in twin.events()]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_golden_texts(path):
    assert TEXTS[path]() == path.read_text(encoding="utf-8")
