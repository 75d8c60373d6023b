"""STRUGGLE 9: position, views, interface."""

import inspect
import json

import pytest

from romans_env import struggle_v0
from tests.struggle.stages import SETTINGS, Stage, game_at, new_game, played, positions

KEYS = """round phase first active markers legion final bank pasture_pile pasture_discard development_pile
    development_size counters cities diplomacy moved card_played offers decision players"""
PLAYER_KEYS = "gold points hand development development_size played substituted reserve tribes"


@pytest.mark.parametrize("settings", SETTINGS)
def test_9_1_the_keys_of_a_position(settings):
    for game in positions([3], every=17, **settings):
        position = game.position()
        assert list(position) == KEYS.split()
        for one in position["players"].values():
            assert list(one) == PLAYER_KEYS.split() and list(one["reserve"]) == ["horseman", "warrior", "wagon"]
            for tribe in one["tribes"].values():
                assert list(tribe) == ["at", "kingdom", "army", "wagons", "counters"]
                assert all(count > 0 for count in tribe["counters"].values())
        assert all(list(city) == ["counter", "owner", "tribe"] for city in position["cities"].values())
        assert position["decision"] is None or list(position["decision"]) == ["agent", "kind", "offer", "target"]
        assert json.loads(json.dumps(position)) == position
        sizes = sum(position["development_pile"].values()), position["development_size"]
        assert sizes[0] == sizes[1] and position["markers"] == sorted(position["markers"])


def test_9_2_offer_and_target():
    decision = game_at("answer").position()["decision"]
    assert decision["offer"].startswith("offer:") and decision["target"] is None
    decision = game_at("fare").position()["decision"]
    assert decision["offer"] is None and isinstance(decision["target"], int)
    for kind in ("build", "tribe", "legion", "rob"):
        decision = game_at(kind).position()["decision"]
        assert decision["offer"] is decision["target"] is None


def test_9_2_what_a_turn_forgets():
    stage = Stage(2, hands={0: "grain", 1: "ore"}, cards={0: "treasure"})
    stage.play("offer:grain:ore:1-1", "decline", "play:treasure")
    assert (stage.position["offers"], stage.position["card_played"]) == (1, True)
    stage.play("end")
    assert (stage.position["offers"], stage.position["card_played"]) == (0, False)


def test_9_2_in_rob_the_legionnaire_has_moved_and_in_fare_the_figure_has_not():
    position = game_at("rob").position()
    assert position["decision"]["kind"] == "rob" and position["legion"] != 41
    position = game_at("fare").position()
    active = position["players"][position["active"]]["tribes"]
    assert not position["moved"] and position["decision"]["target"] not in [one["at"] for one in active.values()]


def test_9_2_the_end_leaves_all_else():
    stage = Stage(4, 3, cards={0: "treasure", 3: "treasure culture"}, gold={3: 9}, max_rounds=2)
    stage.play("play:treasure", "end")
    position = stage.position
    assert position["decision"] is None and position["card_played"] and not position["moved"]
    assert (position["round"], position["phase"], position["active"]) == (2, 4, "player_3")


@pytest.mark.parametrize("settings", SETTINGS)
def test_9_3_a_view_lacks_the_rivals_development_cards_and_the_deck(settings):
    for game in positions([5], every=19, **settings):
        whole = game.position()
        for viewer in game.players:
            expected = whole | {"development_pile": None}
            expected["players"] = {
                player: one if player == viewer else one | {"development": None}
                for player, one in whole["players"].items()
            }
            assert game.position(viewer) == expected


def test_9_4_names_and_arguments():
    for make in (struggle_v0.env, struggle_v0.raw_env):
        defaults = {name: one.default for name, one in inspect.signature(make).parameters.items()}
        assert defaults == {
            "num_players": 4,
            "board": None,
            "player_trade": True,
            "max_offers": 3,
            "max_rounds": 60,
            "reward": "win",
            "render_mode": None,
        }


def test_9_4_a_record_has_the_board_only_where_it_is_not_the_stand_in(tmp_path):
    game = played(new_game(seed=1, max_rounds=1), 1)
    record = game.record()
    assert record["format"] == "struggle/1" and list(record["deal"]) == ["outcomes"]
    assert record["table"] == {"num_players": 4, "player_trade": True, "max_offers": 3, "max_rounds": 1}
    board = game.rules.board.as_json()
    assert new_game(seed=1, board=board).record()["table"].keys() == record["table"].keys()
    board["note"] = "mine"
    path = tmp_path / "board.json"
    path.write_text(json.dumps(board))
    for given in (board, str(path), path):
        assert new_game(seed=1, board=given).record()["table"]["board"] == board
