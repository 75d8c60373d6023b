"""Records, record files, deals and tables that were damaged at random."""

import json
import random

import pytest

from romans_env import Game, RecordError, RomansGoHome, Table, load_record, replay
from romans_env.core.files import json_of
from romans_env.errors import in_one_line, shortened
from tests.fuzz.mutations import Judge, WrongSuccessError, mutate_bytes, mutate_json, nested
from tests.romans_go_home.stages import TABLES, random_game

DEEP = b"[" * 200_000 + b"]" * 200_000
LONG_INTEGER = b"9" * 5000


def records():
    """Records of whole games and of games that stop early, as JSON gives them back."""
    games = [random_game(table, seed=k, stop_after=stop) for k, table in enumerate(TABLES) for stop in (0, 30, 999)]
    return [json.loads(json.dumps(game.record())) for game in games]


def replays_itself(record):
    again = json.loads(json.dumps(replay(record).record()))
    for key in ("table", "deal", "actions", "result"):
        if key != "table" and again[key] != record[key]:
            raise WrongSuccessError(f"the record says {key} {record[key]}, the game {again[key]}")
    if Table.from_json(again["table"]) != Table.from_json(record["table"]):
        raise WrongSuccessError("another table")


def test_records_as_data():
    rng, known, judge = random.Random(1), records(), Judge(RecordError)
    for _ in range(700):
        record = rng.choice(known)
        for _ in range(rng.choice([1, 1, 1, 2, 4])):
            record = mutate_json(record, rng)
        judge.tries(shortened(record), lambda record=record: replays_itself(record))
    for value in (nested(5000), [10**5000], 10**5000, "x" * 10**6):
        judge.tries("odd", lambda value=value: replays_itself(value))
        for key in known[0]:
            judge.tries(key, lambda value=value, key=key: replays_itself({**known[0], key: value}))
    judge.check(700)


def test_record_files(tmp_path):
    rng, known, judge = random.Random(2), records(), Judge(RecordError)
    path = tmp_path / "record.json"
    text = json.dumps(known[0]).encode()
    odd = [
        b"",
        b"\xff\xfe",
        b"nan",
        b"null",
        b"[]",
        b"{}",
        b"1",
        b'"x"',
        DEEP,
        b'{"a":' * 100_000,
        LONG_INTEGER,
        b"\xef\xbb\xbf" + text,
        text.decode().encode("utf-16"),
        b"0" * 10**6,
        b'{"a":' + LONG_INTEGER + b"}",
        text[:-1] + b',"format":"x"}',
        b"\x1f\x8b\x08" + rng.randbytes(100),
    ]
    whole = [json.dumps(record).encode() for record in known]
    damaged = (mutate_bytes(rng.choice(whole), rng) for _ in range(700))
    judge.tries_files(path, [*whole, *odd, *damaged], lambda: replays_itself(load_record(path)))
    assert [file.name for file in tmp_path.iterdir()] == ["record.json"]


def test_deals():
    rng, judge = random.Random(3), Judge(ValueError)
    games = [random_game(table, seed=k, stop_after=0) for k, table in enumerate(TABLES)]

    def deals_as_told(rules, deal):
        if json.loads(json.dumps(Game(rules, deal=deal).deal())) != deal:
            raise WrongSuccessError("another deal")

    for _ in range(700):
        game = rng.choice(games)
        deal = json.loads(json.dumps(game.deal()))
        for _ in range(rng.choice([1, 1, 2])):
            deal = mutate_json(deal, rng)
        if deal is not None:  # None is the deal of a seed
            judge.tries(shortened(deal), lambda rules=game.rules, deal=deal: deals_as_told(rules, deal))
    judge.check(600)


def sorted_as(names, found):
    """The table's names in the order in which they were given; a table keeps them sorted."""
    return names if sorted(names) == sorted(found) else list(found)


def test_tables_and_decks():
    rng, judge = random.Random(4), Judge(ValueError)
    whole = Table()
    settings = {
        "num_players": 2,
        "num_neutrals": 0,
        "variant": "standard",
        "line_size": 6,
        "num_rounds": 3,
        "fort_deck": list(whole.fort_deck),
        "warriors": list(whole.warriors),
    }

    def makes(changed):
        table = Table.from_json(changed)
        for key, value in changed.items():
            found = getattr(table, key)
            if value != (sorted_as(value, found) if isinstance(value, list) else found) and value is not None:
                raise WrongSuccessError(f"{key} is {value}")
        Game(RomansGoHome(table), seed=1).act(RomansGoHome(table).action_id("discard:axx"))

    for _ in range(700):
        changed = mutate_json(settings, rng)
        for _ in range(rng.choice([0, 0, 1])):
            changed = mutate_json(changed, rng)
        judge.tries(shortened(changed), lambda changed=changed: makes(changed))
    judge.check(700)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (DEEP.decode(), "it is nested too deeply"),
        ('{"a":' * 100_000, "it is nested too deeply"),
        (LONG_INTEGER.decode(), "it has an integer of 5,000 digits"),
        ('{"a": 1, "b": 2, "a": 1}', "it gives the name 'a' twice"),
    ],
    ids=["lists", "objects", "integer", "twice"],
)
def test_json_that_is_none_for_us(text, why):
    with pytest.raises(ValueError, match=why):
        json_of(text)


def test_agents_of_a_record_are_texts_that_can_be_written():
    record = {**records()[0], "agents": {"player_0": "\ud800"}}
    with pytest.raises(RecordError, match="a control character"):
        replay(record)


def test_a_quoted_value_is_one_short_line():
    for value in (nested(5000), [10**5000], 10**5000, "x" * 10**6, ["a\nb"] * 1000, {k: [k] * 99 for k in range(999)}):
        assert shortened(value).isprintable()
        assert 0 < len(shortened(value)) <= 200


def test_a_short_value_is_quoted_as_it_is():
    for value in ("greedy", 1.5, ["random", "random"], {"a": None}, (1, 2), b"1", "a\nb"):
        assert shortened(value) == repr(value)
    assert in_one_line("Ch'ariott ✓") == "Ch'ariott ✓"
    assert in_one_line("a\nb\ud800") == r"a\nb\ud800"


def test_a_value_whose_repr_fails():
    class Mute:
        def __repr__(self):
            raise RuntimeError

    assert "Mute" in shortened(Mute())
