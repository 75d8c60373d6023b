"""ROMA 10: positions and views."""

import json

from tests.roma.stages import PLAYERS, Stage, has_value, positions

KEYS = {"turn", "stock", "essedum", "dice", "pile", "pile_size", "discard", "decision", "players"}
PLAYER_KEYS = {"points", "money", "hand", "hand_size", "aside", "known", "discs", "face_down", "blocked"}


def test_10_1_the_keys():
    for game in positions([1]):
        position = game.position()
        assert json.loads(json.dumps(position)) == position
        assert set(position) == KEYS and list(position["players"]) == list(PLAYERS)
        for player in position["players"].values():
            assert set(player) == PLAYER_KEYS and len(player["discs"]) == 6
            for key in ("hand", "aside", "known"):
                assert all(count > 0 for count in player[key].values())
            assert player["hand_size"] == sum(player["hand"].values())
        assert position["dice"] == sorted(position["dice"])
        assert (position["decision"] is None) == game.is_over
        if not game.is_over:
            assert set(position["decision"]) == {"agent", "kind", "effect", "disc", "value"}


def test_10_2_effect_disc_and_value():
    for game in positions(range(20)):
        decision = game.position()["decision"]
        if decision is None:
            continue
        effect, kind = decision["effect"], decision["kind"]
        assert (effect is None) == (decision["disc"] is None)
        if kind in ("give", "triple", "main", "keep"):
            assert effect is None
        assert (decision["value"] is not None) == has_value(kind, effect)


def test_10_3_a_seats_view():
    for game in positions(range(6)):
        full = game.position()
        for player, rival in (PLAYERS, PLAYERS[::-1]):
            seen = game.position(player)
            hidden = full["players"][rival]
            num_hidden = hidden["hand_size"] + len(hidden["face_down"])
            if full["decision"] and full["decision"]["kind"] in ("give", "keep"):
                num_hidden += sum(hidden["aside"].values())
            knows = sum(hidden["known"].values()) == num_hidden
            assert seen["pile"] == (full["pile"] if knows else None)
            assert {key: seen[key] for key in KEYS - {"pile", "players"}} == {
                key: full[key] for key in KEYS - {"pile", "players"}
            }
            assert seen["players"][player] == full["players"][player]
            assert seen["players"][rival]["hand"] is None


def test_10_3_at_the_first_main_both_views_show_the_pile():
    for game in positions(range(3)):
        if game.position()["decision"] and game.position()["decision"]["kind"] == "main":
            assert game.position("player_0")["pile"] == game.position("player_1")["pile"] == game.position()["pile"]
            break


def test_10_3_after_the_end_too():
    stage = Stage((3, 1, 2), turn=200, hand=["nero"], rival_hand=["forum"]).play("end")
    assert stage.game.position("player_0")["players"]["player_1"]["hand"] is None
    assert stage.game.position("player_0")["pile"] is None and stage.game.position("player_0")["decision"] is None
