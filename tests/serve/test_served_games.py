"""A served game is the game: rebuilt from its entries, shown to each viewer as far as it may know."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest

import romans_env
from romans_serve.games.served_game import ServedGame
from romans_serve.games.spectator import SPECTATOR, spectators_position
from romans_serve.games.store import GameEntry, GameStoreError, Seat
from romans_serve.games.views import frame_as_json, view_of
from tests.serve.servers import GAMES, rules_of

SETUPS = [*GAMES.items(), ("romans-go-home", "3+0"), ("romans-go-home", "2+1")]
SETUPS_WITH_SECRETS = [("romans-go-home", "2+0"), ("romans-go-home", "3+0"), ("roma", "Roma"), ("struggle", "2 rounds")]


def served_game(game, setup=None, entries=()):
    rules = rules_of(game, setup)
    return ServedGame(rules, [Seat(f"name of {player}") for player in rules.players], entries)


def played(served, rng, actions=10**6, undo=0.0):
    """Play at random, and take choices back now and then; all entries."""
    entries = served.first_entries()
    for _ in range(actions):
        if served.game.is_over:
            break
        seat = served.game.seat_to_act
        entries += served.act(rng.choice(served.game.legal_actions())).entries
        if served.may_undo(seat) and rng.random() < undo:
            try:
                served.undo(seat)
            except ValueError:
                continue
            entries.append(GameEntry("undo", seat, None))
    return entries


def written(entries):
    """The entries as they come back from the database."""
    return [GameEntry(entry.kind, entry.seat, json.loads(json.dumps(entry.value))) for entry in entries]


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_a_game_is_rebuilt_from_its_entries_wherever_it_stands(game, setup):
    rng = random.Random(7)
    for stop in (0, 3, 11, 60 if game == "struggle" else 10**6):
        served = served_game(game, setup)
        entries = written(played(served, rng, stop, undo=0.3))
        again = served_game(game, setup, entries)
        assert again.game.states.tobytes() == served.game.states.tobytes()
        assert again.game.history == served.game.history
        assert (again.moves, again.entries) == (served.moves, served.entries)
        for viewer in served.viewers:
            assert view_of(served, viewer) == view_of(again, viewer)


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_the_log_is_the_story_of_the_game(game, setup):
    served = served_game(game, setup)
    played(served, random.Random(3), undo=0.2)
    assert served.game.is_over
    for viewer in served.rules.players:
        assert list(served.frames[viewer].lines) == served._text_interface.story(served.game, viewer)


def test_the_end_is_shown_by_the_last_frame_alone():
    """What leads to it is shown before, and tells no result."""
    served, rng = served_game("romans-go-home"), random.Random(3)
    while not served.game.is_over:
        played = served.act(rng.choice(served.game.legal_actions()))
    for viewer, frames in played.frames.items():
        shown = [frame_as_json(served, viewer, frame) for frame in frames]
        assert len(shown) > 1
        assert [one["is_over"] for one in shown] == [False] * (len(shown) - 1) + [True]
        assert [one["result"] is not None for one in shown] == [one["is_over"] for one in shown]


@pytest.mark.parametrize("game", GAMES)
def test_the_record_of_a_game_replays_and_says_which_hints_were_given(game):
    served = served_game(game)
    played(served, random.Random(5), 4)
    seat = served.game.seat_to_act
    served.add(GameEntry("hint", seat, {"agent": "random", "probabilities": {}, "value": None}))
    served.add(GameEntry("note", seat, "a remark"))
    while not served.game.is_over:
        served.act(served.game.legal_actions()[0])
    record = json.loads(json.dumps(served.record()))
    assert romans_env.replay(record).states.tobytes() == served.game.states.tobytes()
    assert record["hints"] == [
        {"action": 4, "player": f"player_{seat}", "agent": "random", "probabilities": {}, "value": None}
    ]
    assert record["notes"] == [{"action": 4, "player": f"player_{seat}", "text": "a remark"}]
    assert set(record["agents"].values()) == {"human"}


@pytest.mark.parametrize("setup", ["2+0", "3+0", "2+1"])
def test_a_plan_can_be_taken_back_until_it_is_committed_and_others_see_nothing_of_it(setup):
    served = served_game("romans-go-home", setup)
    others = [viewer for viewer in served.viewers if viewer != "player_0"]
    start, seen = served.game.states.tobytes(), {viewer: view_of(served, viewer) for viewer in others}
    chosen = 0
    while served.game.seat_to_act == 0:
        assert served.may_undo(0) == (chosen > 0)
        assert not served.may_undo(1)
        before = served.game.states.tobytes()
        shown = served.act(served.game.legal_actions()[-1]).frames
        if served.game.seat_to_act == 0:
            assert {viewer: view_of(served, viewer) for viewer in others} == seen
            assert served.undo(0) == ["player_0"]
            assert served.game.states.tobytes() == before
            assert {viewer: view_of(served, viewer) for viewer in others} == seen
            shown = served.act(served.game.legal_actions()[-1]).frames
        chosen += 1
    assert all(len(shown[viewer]) == 1 for viewer in others)
    assert served.game.states.tobytes() != start
    assert not served.may_undo(0) and not served.may_undo(1)
    with pytest.raises(ValueError, match="another player, or chance, has decided since"):
        served.undo(0)


@pytest.mark.parametrize(("game", "setup"), SETUPS_WITH_SECRETS)
def test_a_view_holds_nothing_that_its_viewer_may_not_know(game, setup):
    """A determinization of a viewer's view in the place of the game gives the same bytes."""
    rng, generator = random.Random(2), np.random.default_rng(0)
    differed = 0
    # A served game has chance of its own, so one alone may have hardly any secrets.
    for _ in range(30):
        if differed > 4:
            break
        served = served_game(game, setup)
        for _ in range(60):
            if served.game.is_over:
                break
            seat = served.game.seat_to_act
            viewer = served.rules.players[seat]
            frames, shown = served.frames, json.dumps(view_of(served, viewer))
            other = served.game.view(seat).sample_game(generator).states
            differed += other.tobytes() != frames[viewer].states.tobytes()
            served.frames = {**frames, viewer: replace(frames[viewer], states=other)}
            assert json.dumps(view_of(served, viewer)) == shown
            served.frames = frames
            served.act(rng.choice(served.game.legal_actions()))
    assert differed > 4


def test_a_spectator_sees_what_all_players_know():
    served = served_game("romans-go-home", "3+0")
    while served.game.seat_to_act == 0:
        served.act(served.game.legal_actions()[0])
    position = spectators_position(served.rules, served.game.states)
    full = served.game.position()
    assert position["wall"] == full["wall"]
    for clan, cards in position["clans"].items():
        assert cards["hand"] == [None] * len(full["clans"][clan]["hand"])
        assert set(cards["hidden"]) <= {None}
        assert cards["set_aside"] is None
    names = [card for cards in full["clans"].values() for card in cards["hand"] + cards["hidden"]]
    assert names
    text = json.dumps(view_of(served, SPECTATOR)["log"]) + json.dumps(position)
    assert not any(f'"{name}"' in text for name in names)


def test_a_spectator_of_struggle_for_rome_sees_no_development_card_in_a_hand():
    # The dice of a served game are nobody's to choose: in some games hardly any card is drawn.
    rng, drawn = random.Random(4), 0
    while drawn <= 2:
        served = served_game("struggle", "2 rounds")
        while not served.game.is_over:
            names = served.game.legal_actions()
            cards = [action for action in names if served.game.action_name(action).startswith("card")]
            served.act(cards[0] if cards else rng.choice(names))
            players = spectators_position(served.rules, served.game.states)["players"].values()
            drawn = max(drawn, sum(one["development_size"] for one in players))
            assert {one["development"] for one in players} == {None} or served.game.is_over
    assert any("draws a development card" in line for line in served.frames[SPECTATOR].lines)


@pytest.mark.parametrize("game", ["romans-go-home", "roma"])
def test_damaged_entries_are_refused(game):
    entries = played(served_game(game), random.Random(0), 2)
    for wrong, why in (
        *(([GameEntry("deal", None, deal)], "do not fit the rules") for deal in ({"forts": []}, None)),
        *(([GameEntry(*one)], "do not fit") for one in (("action", 0, "discard:axx"), ("chance", None, "a card"))),
        ([*entries[:-1], entries[-1]._replace(seat=1 - entries[-1].seat)], "not an action of the seat to act"),
    ):
        with pytest.raises(GameStoreError, match=why):
            served_game(game, None, wrong)
