"""Records: whole games as JSON."""

from __future__ import annotations

import json

import pytest

from romans_env import Game, RecordError, load_record, replay, romans_go_home_v0, save_record
from tests.romans_go_home.stages import COVERING, random_game, table_id
from tests.tools import state_bytes


@pytest.mark.parametrize("table", COVERING, ids=table_id)
def test_what_a_record_holds(table):
    game = random_game(table, seed=1)
    game.agents = dict.fromkeys(game.players, "random")
    record = game.record()
    assert set(record) == {"format", "table", "deal", "agents", "actions", "result"}
    assert record["format"] == "romans-go-home/1"
    assert record["table"] == game.rules.setup.as_json()
    assert record["table"].items() >= dict(zip(("num_players", "num_neutrals", "variant"), table, strict=False)).items()
    assert record["deal"] == game.deal()
    assert record["agents"] == dict.fromkeys(game.players, "random")
    assert record["actions"][0].split()[0] == "player_0"
    assert record["result"] == {"winners": game.winners(), "points": game.points()}
    assert json.loads(json.dumps(record)) == record
    assert state_bytes(replay(record)) == state_bytes(game)


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


def refusal(record=None, **changes) -> str:
    """The line with which a record is refused; without one a whole record, in which something is changed."""
    if changes:
        record = {**whole_record(), **changes}
    with pytest.raises(RecordError) as refused:
        replay(record)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_record_that_lacks_a_key():
    for key in whole_record():
        record = whole_record()
        del record[key]
        assert f"lacks {key}" in refusal(record)
    for record in (None, [], "romans-go-home/1", 3):
        assert "load_record(path)" in refusal(record)


def test_a_table_that_lacks_a_setting():
    for key in ("num_players", "num_neutrals", "variant"):
        record = whole_record()
        del record["table"][key]
        assert "a table is an object with the keys" in refusal(record)


def test_agents_that_fit():
    for agents in (None, {}, {"player_0": "greedy", "player_1": None}, {"player_1": "random"}):
        record = {**whole_record(), "agents": agents}
        assert replay(record).record() == record


def test_the_agents_of_a_record_are_its_own():
    agents = {"player_0": "greedy"}
    game = replay({**whole_record(), "agents": agents})
    record = game.record()
    agents["player_0"] = record["agents"]["player_0"] = "changed"
    assert game.record()["agents"] == {"player_0": "greedy"}


STANDARD = {"num_players": 2, "num_neutrals": 0, "variant": "standard"}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        *(({"table": {**STANDARD, "num_players": players}}, "no table has") for players in (2.0, True, "2", 5)),
        ({"table": {**STANDARD, "colour": "red"}}, "keys"),
        ({"table": {**STANDARD, "variant": "house"}}, "house"),
        ({"table": {**STANDARD, "fort_deck": 7}}, "a list of 18 forts"),
        ({"table": [2, 0]}, "table"),
        ({"format": "romans-go-home/2"}, "romans-go-home/2"),
        ({"format": ["romans-go-home/1"]}, "format"),
        ({"deal": None, "actions": [], "result": None}, "deal is missing"),  # it is not played on another
        *(
            ({"agents": agents}, "agents")
            for agents in ("random", ["random"] * 2, {"player_7": "random"}, {"player_0": 3})
        ),
        *(({"actions": actions}, "not a list") for actions in (None, "player_0 discard:axx", {})),
        *(({"result": result}, "result") for result in ({"winners": [], "points": {}}, None, "player_0", 1)),
    ],
    ids=str,
)
def test_a_part_that_does_not_fit(changes, why):
    assert why in refusal(**changes)


def test_a_deal_that_does_not_fit():
    record = whole_record()
    record["deal"]["rounds"][1]["player_1"][0] = "knight"
    message = refusal(record)
    assert "round 2, player_1" in message and "knight" in message


@pytest.mark.parametrize(
    ("number", "entry", "why"),
    [
        (9, "{player} give_up:tax-8", ["give_up:tax-8", "legal are"]),
        (0, "player_0 discard:caesar", ["discard:caesar"]),
        (0, "player_1 {action}", ["it is player_0 who must act"]),
        *((3, entry, []) for entry in (None, 7, "", "player_0", ["player_0", "discard:axx"])),
    ],
)
def test_a_wrong_action_is_named_with_its_place(number, entry, why):
    record = whole_record()
    player, action = record["actions"][number].split()
    record["actions"][number] = entry.format(player=player, action=action) if isinstance(entry, str) else entry
    message = refusal(record)
    assert f"action {number + 1} of {len(record['actions'])}" in message
    assert all(part in message for part in why)


def test_too_many_actions():
    record = whole_record()
    number = len(record["actions"]) + 1
    record["actions"].append("player_0 discard:axx")
    message = refusal(record)
    assert f"action {number} of {number}" in message and "over" in message


def test_a_result_though_the_actions_stop_early():
    record = whole_record()
    del record["actions"][-1]
    assert "stop before the end" in refusal(record)


def test_a_file_that_is_no_record(tmp_path):
    path = tmp_path / "game.json"
    save_record(whole_record(), path)
    text = path.read_text()
    for length in (0, 1, len(text) // 2, len(text) - 3):
        path.write_text(text[:length])
        with pytest.raises(RecordError, match=r"game\.json is not a whole record"):
            load_record(path)
    for content, why in ((b"\xff\xfe\x00\x01", r"game\.json"), (b"[1, 2]", "not a record")):
        path.write_bytes(content)
        with pytest.raises(RecordError, match=why):
            load_record(path)
    with pytest.raises(RecordError, match=r"cannot read .*absent\.json"):
        load_record(tmp_path / "absent.json")
