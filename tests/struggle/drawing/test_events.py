"""What happened, as events: in the recorded games, in staged turns, and as a viewer knows it."""

import itertools
import json
from collections import Counter

import pytest

from romans_env import Game
from romans_env.core.protocol import CHANCE
from romans_env.struggle.events import KINDS
from tests.struggle.scrambling import scrambled
from tests.struggle.stages import Lcg, Stage, new_game, played, rules_of
from tests.tools import recorded_games


def details_of(events, kind):
    return [event.details for event in events if event.kind == kind]


@pytest.mark.parametrize("part", range(3))
def test_events_of_recorded_games_add_up(part):
    """Cards, gold and counters that the events name are those of the positions."""
    for record in recorded_games("struggle", part, 22):
        game = Game(rules_of(**record["table"]), deal=record["deal"])
        for step in record["steps"]:
            game.act(step["action"])
        events = game.events()
        json.dumps([event.details for event in events])
        assert {event.kind for event in events} <= set(KINDS)
        position = game.position()
        kinds = Counter(event.kind for event in events)
        assert kinds["opening"] == kinds["end"] == 1 and kinds["round"] == position["round"]
        assert kinds["plunders"] == kinds["counter"] == kinds["loot"]
        seats = record["table"]["num_players"]
        assert kinds["turn"] == 3 * seats * position["round"]
        cards = Counter(one["player"] for one in details_of(events, "draws_card"))
        played_cards = Counter(one["player"] for one in details_of(events, "plays"))
        end = details_of(events, "end")[0]
        for player, one in position["players"].items():
            left = cards[player] - played_cards[player] - sum(end["played"].get(player, {}).values())
            assert left == one["development_size"]
            cities = [city for city in position["cities"].values() if city["owner"] == player]
            assert len(cities) == sum(one["player"] == player for one in details_of(events, "conquers"))
        assert end["points"] == record["end"]["points"] and end["winners"] == record["end"]["winners"]
        dice = [die for one in details_of(events, "dice") for die in one["dice"]]
        assert dice == [outcome for outcome in record["deal"]["outcomes"] if type(outcome) is int]


def test_a_production_says_who_gets_what_and_why_not():
    hands = {0: "grain " * 5, 1: "grain " * 4, 2: "grain grain grain"}
    stage = Stage(4, 3, hands=hands, outcomes=[1, 4, 1, 1, 6, 6, 5, 6])
    events = stage.events("rest:gold")
    shortage, produces = details_of(events, "shortage")[0], details_of(events, "produces")[0]
    assert shortage == {
        "resource": "grain",
        "due": 4,
        "left": 2,
        "discards": {"player_0": {"grain": 2}, "player_1": {"grain": 2}, "player_2": {"grain": 1}},
    }
    assert produces["number"] == 5 and all(gets["grain"] == 1 for gets in produces["gets"].values())
    assert [event.kind for event in events[:3]] == ["rests", "round", "dice"]


def test_plundering_says_why():
    tribes = {(0, "horseman"): {"at": 107, "army": 1, "wagons": 2}}
    stage = Stage(3, tribes=tribes, cards={0: "traitor"}, outcomes=["card_loss", "diplomacy"])
    events = stage.events("plunder:roma")
    assert [event.kind for event in events] == ["plays", "plunders", "counter", "draws_card", "loot", "turn"]
    assert events[0].details["card"] == "traitor" and events[0].details["why"] == "roma"
    assert events[1].details["traitor"] and events[1].details["towers"] == 5 and events[1].details["army"] == 1
    assert (events[2].details["gets"], events[2].details["army_lost"]) == ("card", 1)
    assert (events[4].details["gold"], events[4].details["purse"]) == (2, 7)


def test_kingdoms_special_cards_and_the_end():
    cities = ["roma", "corfinium", "capua", "ravenna"]
    others = ["narbo", "tolosa", "massilia"]
    tribes = {
        (0, "horseman"): {"cities": cities, "army": 2, "wagons": 2},
        (0, "warrior"): {"cities": others, "army": 4, "wagons": 1},
    }
    stage = Stage(4, tribes=tribes)
    events = stage.events("conquer:lugdunum")
    assert [event.kind for event in events] == ["conquers", "special", "final", "turn"]
    assert not events[0].details["founds"] and events[0].details["cities"] == 4
    assert events[1].details["card"] == "heir" and events[2].details["points"] == 10
    stage = Stage(2, cards={0: "diplomacy"}, played={0: "diplomacy " * 3, 1: "diplomacy " * 3})
    stage.game.states[0].diplomacy = 1
    special = details_of(stage.events("play:diplomacy"), "special")[0]
    assert (special["player"], special["rival"], special["card"]) == ("player_0", "player_1", "diplomacy")


def test_a_trade_in_events():
    stage = Stage(2, hands={0: "grain grain", 1: "ore", 2: "ore"})
    events = stage.events("offer:grain:ore:2-1", "decline", "accept")
    assert [event.kind for event in events] == ["offers", "declines", "accepts"]
    assert events[0].details["asked"] == ["player_1", "player_2"]
    assert (events[2].details["player"], events[2].details["to"]) == ("player_2", "player_0")
    stage = Stage(2, hands={0: "grain grain", 1: "ore"})
    assert [event.kind for event in stage.events("offer:grain:ore:2-1", "decline")][-1] == "no_deal"


def test_a_viewer_does_not_learn_of_a_card_drawn():
    game = played(new_game(seed=3), 3)
    secret = [event for event in game.events() if event.secret is not None]
    assert secret and {event.kind for event in secret} == {"draws_card"}
    for event in secret:
        owner = event.details["player"]
        assert event.seen_by(owner) == event == event.seen_by(None)
        rival = "player_0" if owner != "player_0" else "player_1"
        assert event.seen_by(rival).details["card"] is None and event.details["card"] is not None


def test_open_events_depend_on_nothing_hidden():
    """An action of a seat makes the same events whatever the others hold, until another one's turn begins."""
    lcg, compared = Lcg(2), 0
    game = new_game(seed=6, num_players=3, max_rounds=15)
    while not game.is_over:
        viewer, action = game.seat_to_act, lcg.pick(game.legal_actions())
        other = scrambled(game, viewer, lcg)
        before = [one.states.copy() for one in (game, other)]
        game.act(action)
        if game.history[-1][0] != CHANCE:
            found = [own_events(game.rules.events(states, 0, action, [])) for states in before]
            assert found[0] == found[1]
            compared += len(found[0])
    assert compared > 50


def own_events(events):
    """Those before the next turn: whether its seat has a choice depends on its cards."""
    return list(itertools.takewhile(lambda event: event.kind != "turn", events))
