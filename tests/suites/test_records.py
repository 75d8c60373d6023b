"""Records: whole games of any kind as JSON, and what is refused in one line."""

import json

import pytest

from romans_env import Game, RecordError, load_record, replay, save_record
from tests.harness import GAMES, ROMA, ROMANS_GO_HOME, STRUGGLE, each_game, each_setup
from tests.tools import kept, played

pytestmark = pytest.mark.usefixtures("toy")

in_play = pytest.mark.parametrize("game", [game for game in GAMES if game.in_play], ids=lambda game: game.name)


def whole_record(game, seed=2):
    """A record of a whole game, as JSON gives it back."""
    return json.loads(json.dumps(played(game.new_game(seed, **game.short), seed).record()))


@each_setup
def test_a_record_replays_without_a_generator(game, setup, monkeypatch):
    made = [played(game.new_game(seed, **setup), seed, stop) for seed, stop in enumerate((None, None, 0, 7, 30, 150))]
    monkeypatch.setattr(type(made[0].rules), "draw_outcome", None)
    for one in made:
        one.agents = dict.fromkeys(one.players, "random")
        record = json.loads(json.dumps(one.record()))
        assert set(record) == {"format", "table", "deal", "agents", "actions", "result"}
        assert record["format"] == f"{game.name}/1" and record["table"] == one.rules.setup.as_json()
        assert record["deal"] == one.deal() and record["agents"] == one.agents
        ended = {"winners": one.winners(), "points": one.points()}
        assert record["result"] == (ended if one.is_over else None)
        again = replay(record)
        assert kept(again) == kept(one) == kept(Game.replay(record)) and again.rules.setup == one.rules.setup


@each_game
def test_a_record_and_its_agents_do_not_change_with_what_goes_on(game):
    one = played(game.new_game(6), 6, 4)
    record = one.record()
    text = json.dumps(record)
    one.act(one.legal_actions()[0])
    assert json.dumps(record) == text
    for agents in (None, {}, {"player_0": "greedy", "player_1": None}, {"player_1": "random"}):
        assert replay({**record, "agents": agents}).record() == {**record, "agents": agents}
    agents = {"player_0": "greedy"}
    again = replay({**record, "agents": agents})
    agents["player_0"] = again.record()["agents"]["player_0"] = "changed"
    assert again.record()["agents"] == {"player_0": "greedy"}


@each_game
def test_files(game, tmp_path):
    path, record = tmp_path / "folder" / "game.json", whole_record(game)
    for _ in range(2):  # over the older one
        save_record(record, path)
        assert load_record(path) == record
        assert [file.name for file in path.parent.iterdir()] == ["game.json"]


def test_files_that_are_not_records_are_refused(tmp_path):
    path = tmp_path / "game.json"
    save_record(whole_record(GAMES[0]), path)
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


@in_play
@pytest.mark.parametrize("deal", [[], {}, {"outcomes": None}, {"outcomes": [], "more": 1}, "outcomes", 7])
def test_a_wrong_deal_is_refused_and_changes_nothing(game, deal):
    one = played(game.new_game(0), 0, 3)
    before = kept(one)
    with pytest.raises(ValueError, match="a deal is an object with the key 'outcomes'"):
        one.reset(deal=deal)
    assert kept(one) == before


def refusal(record):
    """The line with which a record is refused."""
    with pytest.raises(RecordError) as refused:
        replay(record)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@in_play
def test_outcomes_that_are_too_few_or_too_many(game):
    record = whole_record(game)
    outcomes = record["deal"]["outcomes"]
    assert "the game needs more" in refusal({**record, "deal": {"outcomes": outcomes[:-1]}})
    assert "its actions need" in refusal({**record, "deal": {"outcomes": [*outcomes, 3]}})


@each_game
def test_a_part_that_does_not_fit(game):
    record = whole_record(game)
    for key in record:
        assert f"lacks {key}" in refusal({name: part for name, part in record.items() if name != key})
    for odd in (None, [], "romans-go-home/1", 3):
        assert "load_record(path)" in refusal(odd)
    points = {**record["result"]["points"], "player_0": 99}
    for name, parts, why in (
        ("format", (f"{game.name}/2",), "unknown record format"),
        ("format", ([f"{game.name}/1"],), "format"),
        ("table", ([2, 0],), "table"),
        ("deal", (None,), "deal"),
        ("agents", ("random", ["random"] * 2, {"player_7": "random"}, {"player_0": 3}), "agents"),
        ("actions", (None, "player_0 discard:axx", {}), "not a list"),
        ("result", ({"winners": [], "points": {}}, None, "player_0", 1), "result"),
        ("result", ({**record["result"], "points": points},), "the record's result is"),
    ):
        for part in parts:
            assert why in refusal({**record, name: part}), (name, part)


@each_game
def test_a_wrong_action_is_named_with_its_place(game):
    record = whole_record(game)
    actions = record["actions"]
    first, second = actions[0].split()
    other = next(entry.split()[0] for entry in actions if entry.split()[0] != first)
    for number, entry, why in (
        (0, f"{other} {second}", f"the player to act here is {first}"),
        (0, f"{first} nonsense", "nonsense"),
        *((3, entry, "") for entry in (None, 7, "", "player_0", ["player_0", "discard:axx"])),
    ):
        said = refusal({**record, "actions": [*actions[:number], entry, *actions[number + 1 :]]})
        assert f"action {number + 1} of {len(actions)}" in said and why in said
    number = len(actions) + 1
    said = refusal({**record, "actions": [*actions, actions[-1]]})
    assert f"action {number} of {number}" in said and "over" in said
    refusal({**record, "actions": actions[:-1]})


OUTCOME = "outcome {} of the deal: {}"
FULL = {"num_players": 2, "num_neutrals": 0, "variant": "standard"}
OF_ROMANS_GO_HOME = [
    *((FULL | {"num_players": players}, "no table has") for players in (2.0, True, "2", 5)),
    (FULL | {"colour": "red"}, "keys"),
    (FULL | {"variant": "house"}, "house"),
    (FULL | {"fort_deck": 7}, "a list of 18 forts"),
    *(({key: FULL[key] for key in FULL if key != gone}, "an object with the keys") for gone in FULL),
]
OF_FOUR = STRUGGLE.rules().setup.as_json()
OF_STRUGGLE = [
    *((table, "is an object with the keys") for table in (None, [], {}, {"num_players": 4}, OF_FOUR | {"variant": 1})),
    *((OF_FOUR | {"board": board}, "a table's board is the whole board file") for board in ("path.json", None)),
    *((OF_FOUR | {"num_players": players}, says) for players, says in ((None, "is 3 or 4"), (2, "3 or 4 players"))),
    (OF_FOUR | {"max_rounds": 0}, "max_rounds is an integer"),
    (OF_FOUR | {"board": {"hexes": 3}}, "table or deal does not fit"),
]
WRONG_TABLES = {
    "romans-go-home": OF_ROMANS_GO_HOME,
    "roma": [(odd, "Roma has no settings") for odd in (None, [], 0, "", {"num_players": 2}, {"variant": None})],
    "struggle": OF_STRUGGLE,
}
WRONG_RECORDS = [
    (ROMANS_GO_HOME, lambda record: record.update(deal=None, actions=[], result=None), "deal is missing"),
    (ROMANS_GO_HOME, lambda record: record["deal"]["rounds"][1].update(player_1=["knight"]), "round 2, player_1"),
    (ROMA, lambda record: record["deal"]["outcomes"].__setitem__(0, 3), OUTCOME.format(1, "the card drawn")),
    (ROMA, lambda record: record["deal"]["outcomes"].__setitem__(8, "forum"), OUTCOME.format(9, "a die shows")),
    (ROMA, lambda record: record["deal"]["outcomes"].__setitem__(8, True), OUTCOME.format(9, "a die shows")),
    (ROMA, lambda record: record["actions"].__setitem__(4, "player_0 end"), "end is not legal"),
    (STRUGGLE, lambda record: record["deal"]["outcomes"].__setitem__(0, 3), OUTCOME.format(1, "the pasture card")),
    (STRUGGLE, lambda record: record["deal"]["outcomes"].__setitem__(4, True), OUTCOME.format(5, "a die shows")),
]


@pytest.mark.parametrize("game", [ROMANS_GO_HOME, ROMA, STRUGGLE], ids=lambda game: game.name)
def test_a_table_that_does_not_fit(game):
    record, tables = whole_record(game), WRONG_TABLES[game.name]
    said = [(why, refusal({**record, "table": table})) for table, why in tables]
    assert [(why, line) for why, line in said if why not in line] == []


@pytest.mark.parametrize(("game", "change", "says"), WRONG_RECORDS)
def test_an_outcome_or_an_action_that_is_impossible(game, change, says):
    record = whole_record(game)
    change(record)
    assert says in refusal(record)
