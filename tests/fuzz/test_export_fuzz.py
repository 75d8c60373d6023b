"""Exports of records that were damaged at random: refused in one line, or every decision of the game in words."""

import json
import random
import shutil

from romans_env import RecordError
from romans_env.render.language import introduce
from romans_training.data.parquet import ExportError, export_decisions
from tests.fuzz.mutations import Judge, WrongSuccessError, mutate_bytes, mutate_json, text_of
from tests.romans_go_home.stages import TABLES, random_game


def no_constant(name):
    raise WrongSuccessError(f"a row holds {name}, which is no JSON")


def chats_of(path, folder):
    """The rows in words of an export of a file of records."""
    shutil.rmtree(folder, ignore_errors=True)
    export_decisions([path], folder, form="chat", ending="jsonl")
    with (folder / "decisions" / "part-00000.jsonl").open(encoding="utf-8", newline="\n") as lines:
        return [json.loads(line, parse_constant=no_constant) for line in lines]


def test_chats(tmp_path):
    rng, judge, path = random.Random(51), Judge(RecordError, ExportError), tmp_path / "games.jsonl"
    games = [random_game(table, seed=k, stop_after=7) for k, table in enumerate(TABLES[:3])]
    records = [json.loads(json.dumps(game.record())) for game in games]
    for record, game in zip(records, games, strict=True):
        record["agents"] = dict.fromkeys(game.players, "random")

    def is_exported_whole():
        rows = chats_of(path, tmp_path / "chats")
        written = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        played = [entry for record in written for entry in record["actions"]]
        if len(rows) != len(played):
            raise WrongSuccessError(f"{len(rows)} rows for {len(played)} actions")
        for row, entry in zip(rows, played, strict=True):
            (said,), (rules, _) = row["completion"], row["prompt"]
            if json.loads(said["content"]) != {"actions": [entry.partition(" ")[2]]} or said["role"] != "assistant":
                raise WrongSuccessError(f"{said} for {entry}")
            if rules["content"] != introduce("romans-go-home"):
                raise WrongSuccessError("other rules")

    whole = [json.dumps(record) for record in records]
    inputs = ["\n".join(whole).encode(), b"\n\n" + whole[0].encode()]
    for _ in range(150):
        record = mutate_json(rng.choice(records), rng)
        if rng.random() < 0.3:
            record = {**records[0], "agents": mutate_json(records[0]["agents"], rng)}
        inputs.append(text_of(record).encode() if rng.random() < 0.8 else mutate_bytes(whole[0].encode(), rng))
    judge.tries_files(path, inputs, is_exported_whole)
