"""Records: whole games as JSON."""

from __future__ import annotations

import json

import pytest

from romans_env import Game, RecordError, load_record, replay, romans_go_home_v0, save_record
from tests.romans_go_home.stages import TABLES, new_game, random_game, table_id
from tests.tools import state_bytes


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_what_a_record_holds(table):
    game = random_game(table, seed=1)
    game.agents = dict.fromkeys(game.players, "random")
    record = game.record()
    assert set(record) == {"format", "table", "deal", "agents", "actions", "result"}
    assert record["format"] == "romans-go-home/1"
    assert record["table"] == dict(zip(("num_players", "num_neutrals", "variant"), table, strict=True))
    assert record["deal"] == game.deal()
    assert record["agents"] == dict.fromkeys(game.players, "random")
    assert record["actions"][0].split()[0] == "player_0"
    assert record["result"] == {"winners": game.winners(), "points": game.points()}
    assert json.loads(json.dumps(record)) == record


def test_a_deck_of_ones_own_is_in_the_record():
    deck = ("legion-1",) * 4 + ("signal-4",) * 14
    game = random_game((2, 0, "standard", deck), seed=2)
    assert sorted(game.record()["table"]["fort_deck"]) == sorted(deck)
    assert state_bytes(replay(game.record())) == state_bytes(game)


def test_a_game_in_progress_has_no_result_and_goes_on_from_its_record():
    game = random_game((2, 1, "vogel"), seed=3, stop_after=25)
    record = game.record()
    assert record["result"] is None and len(record["actions"]) == 25
    again = replay(record)
    assert not again.is_over and again.legal_actions() == game.legal_actions()


def test_every_way_to_replay():
    game = random_game((2, 0, "standard"), seed=4)
    env = romans_go_home_v0.env()
    for again in (replay(game.record()), Game.replay(game.record()), env.unwrapped.replay(game.record())):
        assert isinstance(again, Game)
        assert state_bytes(again) == state_bytes(game)


def test_a_record_made_by_the_environment():
    env = romans_go_home_v0.raw_env(2, 1)
    env.reset(seed=5)
    while env.agents and not env.terminations[env.agent_selection]:
        env.step(env.legal_actions()[-1])
    again = replay(env.record())
    assert (again.winners(), again.returns()) == (env.winners(), env.returns())


def test_a_record_does_not_change_with_the_game_that_goes_on():
    game = random_game((2, 0, "standard"), seed=6, stop_after=10)
    record = game.record()
    text = json.dumps(record)
    game.act(game.legal_actions()[0])
    assert json.dumps(record) == text


def test_files(tmp_path):
    path = tmp_path / "folder" / "game.json"
    record = random_game((2, 0, "standard"), seed=7).record()
    save_record(record, path)
    save_record(record, path)  # over the older one
    assert load_record(path) == record
    assert [file.name for file in path.parent.iterdir()] == ["game.json"]


# -- records that do not fit


def whole_record():
    return random_game((2, 0, "standard"), seed=8).record()


def refusal(record) -> str:
    with pytest.raises(RecordError) as refused:
        replay(record)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("key", ["format", "table", "deal", "agents", "actions", "result"])
def test_a_record_that_lacks_a_key(key):
    record = whole_record()
    del record[key]
    assert f"lacks {key}" in refusal(record)


@pytest.mark.parametrize("record", [None, [], "romans-go-home/1", 3])
def test_something_that_is_no_record(record):
    assert "load_record(path)" in refusal(record)


def test_a_record_without_its_deal_is_not_played_on_another():
    assert "deal is missing" in refusal({**whole_record(), "deal": None, "actions": [], "result": None})


@pytest.mark.parametrize("key", ["num_players", "num_neutrals", "variant"])
def test_a_table_that_lacks_a_setting(key):
    record = whole_record()
    del record["table"][key]
    assert "a table is an object with the keys" in refusal(record)


@pytest.mark.parametrize("value", [2.0, True, "2"])
def test_a_table_whose_numbers_are_none(value):
    record = whole_record()
    record["table"]["num_players"] = value
    assert "no table has" in refusal(record)


def test_an_unknown_format():
    assert "romans-go-home/2" in refusal({**whole_record(), "format": "romans-go-home/2"})


def test_a_format_that_is_no_text():
    assert "format" in refusal({**whole_record(), "format": ["romans-go-home/1"]})


@pytest.mark.parametrize("agents", ["random", ["random", "random"], {"player_7": "random"}, {"player_0": 3}])
def test_agents_that_do_not_fit(agents):
    assert "agents" in refusal({**whole_record(), "agents": agents})


@pytest.mark.parametrize("agents", [None, {}, {"player_0": "greedy", "player_1": None}, {"player_1": "random"}])
def test_agents_that_fit(agents):
    record = {**whole_record(), "agents": agents}
    assert replay(record).record() == record


def test_the_agents_of_a_record_are_its_own():
    agents = {"player_0": "greedy"}
    game = replay({**whole_record(), "agents": agents})
    record = game.record()
    agents["player_0"] = record["agents"]["player_0"] = "changed"
    assert game.record()["agents"] == {"player_0": "greedy"}


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"num_players": 5, "num_neutrals": 0, "variant": "standard"}, "5 players"),
        ({"num_players": 2, "num_neutrals": 0, "variant": "standard", "colour": "red"}, "keys"),
        ([2, 0], "table"),
        ({"num_players": 2, "num_neutrals": 0, "variant": "house"}, "house"),
        ({"num_players": 2, "num_neutrals": 0, "variant": "standard", "fort_deck": 7}, "a list of 18 forts"),
    ],
)
def test_a_table_that_does_not_fit(table, why):
    assert why in refusal({**whole_record(), "table": table})


def test_a_deal_that_does_not_fit():
    record = whole_record()
    record["deal"]["rounds"][1]["player_1"][0] = "knight"
    message = refusal(record)
    assert "round 2, player_1" in message and "knight" in message


def test_a_wrong_action_is_named_with_its_place():
    record = whole_record()
    number = len(record["actions"])
    record["actions"][9] = record["actions"][9].split()[0] + " give_up:tax-8"
    message = refusal(record)
    assert f"action 10 of {number}" in message and "give_up:tax-8" in message and "legal are" in message


def test_an_unknown_action_is_named_with_its_place():
    record = whole_record()
    record["actions"][0] = "player_0 discard:caesar"
    message = refusal(record)
    assert "action 1 of" in message and "discard:caesar" in message


def test_a_wrong_seat_is_named_with_its_place():
    record = whole_record()
    record["actions"][0] = record["actions"][0].replace("player_0", "player_1")
    message = refusal(record)
    assert "action 1 of" in message and "it is player_0 who must act" in message


@pytest.mark.parametrize("entry", [None, 7, "", "player_0", ["player_0", "discard:axx"]])
def test_an_action_that_is_none(entry):
    record = whole_record()
    record["actions"][3] = entry
    assert "action 4 of" in refusal(record)


def test_too_many_actions():
    record = whole_record()
    number = len(record["actions"]) + 1
    record["actions"].append("player_0 discard:axx")
    message = refusal(record)
    assert f"action {number} of {number}" in message and "over" in message


@pytest.mark.parametrize("actions", [None, "player_0 discard:axx", {}])
def test_actions_that_are_no_list(actions):
    assert "not a list" in refusal({**whole_record(), "actions": actions})


@pytest.mark.parametrize("result", [{"winners": [], "points": {}}, None, "player_0", 1])
def test_a_wrong_result(result):
    assert "result" in refusal({**whole_record(), "result": result})


def test_a_result_though_the_actions_stop_early():
    record = whole_record()
    del record["actions"][-1]
    assert "stop before the end" in refusal(record)


def test_a_truncated_file(tmp_path):
    path = tmp_path / "game.json"
    save_record(whole_record(), path)
    text = path.read_text()
    for length in (0, 1, len(text) // 2, len(text) - 3):
        path.write_text(text[:length])
        with pytest.raises(RecordError, match=r"game\.json is not a whole record"):
            load_record(path)


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "game.json"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(RecordError, match=r"game\.json"):
        load_record(path)


def test_a_missing_file(tmp_path):
    with pytest.raises(RecordError, match=r"cannot read .*absent\.json"):
        load_record(tmp_path / "absent.json")


def test_a_file_that_holds_something_else(tmp_path):
    path = tmp_path / "list.json"
    path.write_text("[1, 2]")
    with pytest.raises(RecordError, match="not a record"):
        load_record(path)


def test_a_game_of_a_seed_is_recorded_with_its_deal():
    game = new_game((2, 0, "standard"), seed=9)
    assert replay(game.record()).deal() == game.deal()
