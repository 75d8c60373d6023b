"""RULES 3: planning."""

import pytest

from tests.romans_go_home.stages import TABLES, new_game, table_id
from tests.tools import legal_names

HAND = ["qween", "druhid", "zvord", "axx", "archr", "chariott", "chariott"]
OTHER = ["druhid", "zvord", "axx", "archr", "filchy", "horsie", "chariott"]


def planning_game(first=HAND, second=OTHER):
    deal = new_game((2, 0), seed=1).deal()
    deal["rounds"] = [{"player_0": list(first), "player_1": list(second)}] * 3
    return new_game((2, 0), deal=deal)


def test_3_1_one_warrior_is_set_aside_then_six_are_placed():
    game = planning_game()
    assert game.position()["decision"] == {"agent": "player_0", "kind": "discard"}
    assert legal_names(game) == sorted(f"discard:{name}" for name in set(HAND))
    game.act("discard:druhid")
    for placed, name in enumerate(["chariott", "qween", "axx", "chariott"]):
        position = game.position()
        assert position["decision"] == {"agent": "player_0", "kind": "place"}
        cards = position["clans"]["player_0"]
        assert cards["set_aside"] == "druhid"
        assert cards["hidden"] == ["chariott", "qween", "axx"][:placed]
        assert len(cards["hand"]) == 6 - placed
        assert legal_names(game) == sorted(f"place:{name}" for name in set(cards["hand"]))
        game.act(f"place:{name}")
    game.act("place:archr")
    # The sixth warrior had only one slot left (RULES 4.14).
    cards = game.position()["clans"]["player_0"]
    assert cards["hidden"] == ["chariott", "qween", "axx", "chariott", "archr", "zvord"]
    assert cards["hand"] == []


def test_3_1_nobody_else_sees_the_plan():
    game = planning_game()
    before = game.view("player_1").states.tobytes()
    game.act("discard:druhid")
    twin = game.clone()
    game.act("place:axx")
    twin.act("place:qween")
    assert game.position("player_1") == twin.position("player_1")
    cards = game.position("player_1")["clans"]["player_0"]
    assert (cards["hand"], cards["hidden"], cards["set_aside"]) == ([None] * 5, [None], None)
    assert before != game.view("player_1").states.tobytes()  # that a card was laid is seen


def test_3_1_a_warrior_is_seen_once_it_is_revealed():
    game = planning_game()
    for name in ["druhid", "chariott", "qween", "axx", "chariott", "archr"]:
        game.act(f"{'discard' if name == 'druhid' else 'place'}:{name}")
    # The second player's first warrior is Zvord, so that the game stops in the first turn.
    for name in ["druhid", "zvord", "axx", "archr", "filchy", "horsie"]:
        game.act(f"{'discard' if name == 'druhid' else 'place'}:{name}")
    position = game.position("player_1")
    assert position["turn"] == 1 and position["decision"]["kind"] == "reorder"
    assert position["this_turn"]["revealed"] == {"player_0": "chariott", "player_1": "zvord"}
    assert position["clans"]["player_0"]["hidden"] == [None] * 5


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_3_2_the_players_plan_in_seat_order(table):
    game = new_game(table, seed=2)
    order = []
    while game.position()["turn"] == 0:
        order.append((game.agent_to_act, game.position()["decision"]["kind"]))
        game.act(game.legal_actions()[0])
    expected = []
    for player in game.players:
        asked = [kind for agent, kind in order if agent == player]
        assert asked[0] == "discard" and set(asked[1:]) == {"place"} and len(asked) in (5, 6)
        expected += [(player, kind) for kind in asked]
    assert order == expected


def test_3_2_slot_1_is_placed_first():
    game = planning_game()
    game.act("discard:qween")
    game.act("place:archr")
    assert game.position()["clans"]["player_0"]["hidden"] == ["archr"]
    game.act("place:zvord")
    assert game.position()["clans"]["player_0"]["hidden"] == ["archr", "zvord"]


def test_3_2_planning_one_after_the_other_is_planning_at_once():
    # What the second player is asked and sees does not depend on what the first one planned.
    seen = []
    for plan in ("qween chariott druhid axx archr zvord", "archr axx zvord chariott druhid qween"):
        game = planning_game()
        spare, *line = plan.split()
        game.act(f"discard:{spare}")
        for name in line:
            game.act(f"place:{name}")
        assert game.agent_to_act == "player_1"
        seen.append((game.position("player_1"), game.view("player_1").states.tobytes(), legal_names(game)))
    assert seen[0] == seen[1]
