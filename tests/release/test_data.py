"""Recorded games as Parquet files: what is in a row, and that an export can be stopped, continued and repeated."""

import importlib
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from filelock import FileLock

import romans_agents
from romans_env import Game, Table, replay, save_record
from romans_env.core.games import spec_of
from romans_env.core.records import RecordError
from romans_env.render.language import describe, introduce, parse
from romans_training.data import parquet
from romans_training.data.parquet import ExportError, export_decisions
from romans_training.data.record_files import records_in, write_line
from romans_training.measure.evaluation import evaluate
from tests.pages import run_python_of
from tests.policies import some_policy
from tests.release.second_environment import environment_with
from tests.romans_go_home.stages import random_game

pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow; install the extra 'data'")


NEEDED = {
    "dataBiases",
    "dataCollection",
    "dataCollectionType",
    "dataLimitations",
    "dataReleaseMaintenancePlan",
    "dataSocialImpact",
    "dataUseCases",
    "personalSensitiveInformation",
}
"""What a description of Croissant RAI 1.0 says of the data."""


def recorded(path, agents=("random", "greedy"), table=None, num_deals=4, game="romans-go-home"):
    """A file of records of games that agents play."""
    table = table or Table(2, 0)
    players = [romans_agents.make(spec, game=game) for spec in agents]
    with open(path, "w", encoding="utf-8") as file:
        evaluate(players[0], players[1:], table, num_deals, seed=3, on_record=lambda record: write_line(file, record))
    return path


def exported(path, folder, **settings):
    """The rows of an export."""
    export_decisions([path], folder, **settings)
    return pq.read_table(folder / "decisions").to_pylist()


# -- records


def test_the_command_writes_records_and_exports_them(called, tmp_path):
    records = tmp_path / "games.jsonl"
    arguments = ["--against", "random", "--table", "2+0", "--deals", "3", "--records", records]
    assert called("evaluate", "greedy", *arguments)[0] == 0
    assert len(list(records_in([records]))) == 6
    status, _, err = called("export", records, "--to", "parquet")
    assert (status, err.strip().splitlines()[-1]) == (0, f"written: {tmp_path / 'games'}")
    assert (tmp_path / "games" / "croissant.json").exists()
    assert called("evaluate", "greedy", *arguments[:-1], tmp_path / "games.json")[0] == 2


# -- rows


@pytest.mark.parametrize("game", ["romans-go-home", "roma"])
def test_a_row_holds_what_the_seat_observed_and_chose(tmp_path, game):
    setup = spec_of(game).make_rules().setup
    path = recorded(tmp_path / "games.jsonl", ("random", "random"), setup, 1, game)
    rows = iter(exported(path, tmp_path / "data"))
    for number, (_, record) in enumerate(records_in([path])):
        again, returns = Game.of_deal(spec_of(game).make_rules(), record["deal"]), replay(record).returns()
        last = {entry.partition(" ")[0]: k for k, entry in enumerate(record["actions"])}
        for step, entry in enumerate(record["actions"]):
            row, view = next(rows), again.view(again.seat_to_act)
            assert (row["game"], row["step"], row["setup"]) == (number, step, str(setup))
            assert (row["seat"], row["agent"]) == (view.seat, "random")
            assert row["observation"] == view.observation.tolist()
            assert row["action_mask"] == view.action_mask.tolist()
            assert again.action_name(row["action"]) == entry.partition(" ")[2]
            assert row["is_last"] == (last[view.agent] == step)
            assert row["return"] == returns[view.agent]
            assert row["reward"] == (row["return"] if row["is_last"] else 0)
            legal = view.legal_actions()
            assert row["probability"] == pytest.approx(1 / len(legal))
            assert np.flatnonzero(row["probabilities"]).tolist() == legal
            again.act(row["action"])
    assert next(rows, None) is None


def test_probabilities_are_those_of_the_agents_where_they_are_known(tmp_path):
    path = recorded(tmp_path / "games.jsonl", ("legate", "greedy", "mixer"), Table(3, 0), 1)
    rows = exported(path, tmp_path / "data")
    legate = romans_agents.make("legate")
    seen = {row["agent"] for row in rows}
    assert seen == {"legate", "greedy", "mixer"}
    for row in rows:
        if row["agent"] == "mixer":  # it has chance of its own, and does not say what
            assert row["probability"] is row["probabilities"] is None
            continue
        if row["agent"] == "greedy":
            expected = np.eye(56)[row["action"]]
        else:
            observation, mask = np.array([row["observation"]], np.int8), np.array([row["action_mask"]], np.int8)
            expected = legate.action_probabilities_batch(observation, mask)[0]
            assert row["probability"] > 0
        assert np.allclose(row["probabilities"], expected, atol=1e-5)
        assert row["probability"] == pytest.approx(row["probabilities"][row["action"]])


def test_policy_files_are_loaded_only_where_that_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    some_policy(sample=True).save("policy.npz")
    (tmp_path / "bot.py").write_text("class Bot:\n    def act(self, view):\n        return view.legal_actions()[0]\n")
    path = recorded(tmp_path / "games.jsonl", ("policy.npz", "bot.py:Bot"), num_deals=1)
    (tmp_path / "bot.py").write_text("open('trace', 'w')\n")
    without = exported(path, tmp_path / "without")
    assert {row["agent"]: row["probability"] for row in without} == {"policy:policy.npz": None, "bot.py:Bot": None}
    known = {row["agent"]: row["probability"] for row in exported(path, tmp_path / "with", files="policies")}
    assert known["bot.py:Bot"] is None
    assert 0 < known["policy:policy.npz"] <= 1
    assert not (tmp_path / "trace").exists()


def test_records_without_agents_or_an_end_have_nulls(tmp_path):
    game = random_game((2, 0, "standard"), seed=1)
    record = game.record()
    save_record({**record, "actions": record["actions"][:5], "result": None}, tmp_path / "one.json")
    rows = exported(tmp_path / "one.json", tmp_path / "data")
    assert [(row["agent"], row["return"], row["reward"], row["is_last"]) for row in rows] == [
        (None, None, None, False)
    ] * 5


def test_setups_of_one_game_go_into_one_table(tmp_path):
    for number, table in enumerate([(2, 0, "standard"), (3, 1, "vogel")]):
        save_record(random_game(table, seed=1).record(), tmp_path / f"{number}.json")
    export_decisions([tmp_path / "0.json", tmp_path / "1.json"], tmp_path / "data")
    rows = pq.read_table(tmp_path / "data" / "decisions").to_pylist()
    assert {(row["game"], row["setup"]) for row in rows} == {(0, "2+0"), (1, "3+1 vogel")}


# -- the files


def bytes_in(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_seed_gives_the_same_bytes_however_often_the_export_was_stopped(tmp_path):
    one, two = (recorded(tmp_path / f"{name}.jsonl") for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    export_decisions([one], tmp_path / "whole", part_games=3)
    assert len(list((tmp_path / "whole" / "decisions").iterdir())) == 3  # of 8 games

    class Stop(Exception):
        pass

    def stop(games, decisions):
        if games == 6:  # the second part is not written yet
            raise Stop

    with pytest.raises(Stop):
        export_decisions([two], tmp_path / "stopped", part_games=3, on_progress=stop)
    assert [path.name for path in (tmp_path / "stopped" / "decisions").iterdir()] == ["part-00000.parquet"]
    left = export_decisions([two], tmp_path / "stopped", part_games=3)
    assert 0 < left < pq.read_table(tmp_path / "whole" / "decisions").num_rows
    assert bytes_in(tmp_path / "stopped") == bytes_in(tmp_path / "whole")
    assert export_decisions([two], tmp_path / "stopped", part_games=3) == 0
    assert bytes_in(tmp_path / "stopped") == bytes_in(tmp_path / "whole")


def test_several_processes_write_the_same_bytes(tmp_path):
    path = recorded(tmp_path / "games.jsonl")
    export_decisions([path], tmp_path / "one", part_games=3)
    seen = []
    export_decisions([path], tmp_path / "two", part_games=3, jobs=2, on_progress=lambda *so_far: seen.append(so_far[0]))
    assert seen == [3, 6, 8]
    assert bytes_in(tmp_path / "two") == bytes_in(tmp_path / "one")
    (tmp_path / "one" / "decisions" / "part-00001.parquet").unlink()
    export_decisions([path], tmp_path / "one", part_games=3, jobs=2)  # a part in the middle is missing
    assert bytes_in(tmp_path / "two") == bytes_in(tmp_path / "one")


def test_parts_begin_anywhere_among_several_files(tmp_path):
    first, last = recorded(tmp_path / "first.jsonl"), recorded(tmp_path / "last.jsonl", num_deals=2)
    first.write_text(first.read_text().replace("\n", "\n\n", 3))
    save_record(random_game((2, 0, "standard"), seed=1).record(), tmp_path / "one.json")
    paths = [first, tmp_path / "one.json", last]
    export_decisions(paths, tmp_path / "whole")
    export_decisions(paths, tmp_path / "parts", part_games=3)
    rows = [pq.read_table(tmp_path / name / "decisions").to_pylist() for name in ("whole", "parts")]
    assert rows[0] == rows[1] and len({row["game"] for row in rows[0]}) == 13
    assert len(list((tmp_path / "parts" / "decisions").iterdir())) == 5


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_record_that_does_not_fit_is_named_with_its_line(tmp_path, jobs):
    path = recorded(tmp_path / "games.jsonl")
    lines = path.read_text().splitlines()
    lines[5] = lines[5].replace("player_0 ", "player_9 ", 1)
    path.write_text("\n\n".join(lines))
    with pytest.raises(RecordError, match=r"games\.jsonl, line 11: action 1 of \d+, player_9 "):
        export_decisions([path], tmp_path / "data", jobs=jobs)
    assert not list((tmp_path / "data" / "decisions").glob("*"))
    with pytest.raises(ValueError, match="jobs must be at least 1, not 0"):
        export_decisions([path], tmp_path / "data", jobs=0)


def died(parts, number):
    os._exit(1)


def test_a_process_that_dies_is_one_error(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "write_part", died)
    path = recorded(tmp_path / "games.jsonl")
    with pytest.raises(ExportError, match=r"a worker process died, .*; repeat the command to continue, with --jobs 1"):
        export_decisions([path], tmp_path / "data", part_games=3, jobs=2)


def test_the_folder_of_another_export_is_left_alone(tmp_path):
    path = recorded(tmp_path / "games.jsonl", num_deals=1)
    export_decisions([path], tmp_path / "data")
    before = bytes_in(tmp_path / "data")
    other = recorded(tmp_path / "others.jsonl", num_deals=2)
    with pytest.raises(ExportError, match="holds an export of other records or settings; name another folder"):
        export_decisions([other], tmp_path / "data")
    assert bytes_in(tmp_path / "data") == before
    (tmp_path / "foreign" / "decisions").mkdir(parents=True)
    with pytest.raises(ExportError, match=r"has decisions without an export\.json"):
        export_decisions([path], tmp_path / "foreign")


@pytest.fixture(scope="module")
def croissant(tmp_path_factory):
    """mlcroissant, which asks for type stubs that mypy would find; of what is here already, this environment's."""
    folder = str(environment_with(tmp_path_factory.mktemp("mlcroissant"), "mlcroissant>=1.1").packages)
    sys.path.append(folder)
    yield importlib.import_module("mlcroissant")
    sys.path.remove(folder)


def test_the_description_is_valid_and_leads_to_the_rows(tmp_path, croissant):
    rows = exported(recorded(tmp_path / "games.jsonl", num_deals=2), tmp_path / "data", part_games=3)
    dataset = croissant.Dataset(tmp_path / "data" / "croissant.json")
    assert not dataset.metadata.issues.errors
    described = json.loads((tmp_path / "data" / "croissant.json").read_text(encoding="utf-8"))
    read = dataset.metadata.to_json()
    assert read["conformsTo"] == described["conformsTo"] and described["conformsTo"][1].endswith("/croissant/RAI/1.0")
    about = {name: text for name, text in described.items() if name.startswith("rai:")}
    for name, text in about.items():
        # A list of one text is read as the text.
        is_single = isinstance(text, list) and len(text) == 1
        assert read[name] in ([text, text[0]] if is_single else [text])
    assert {name.removeprefix("rai:") for name in about} >= NEEDED
    found = list(dataset.records("decisions"))
    assert len(found) == len(rows)
    for one, row in zip(found, rows, strict=True):
        assert set(one) == {f"decisions/{name}" for name in row}
        assert one["decisions/action"] == row["action"]
        assert list(one["decisions/observation"]) == row["observation"]


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_the_description_of_words_is_valid_and_leads_to_the_messages(tmp_path, croissant, ending):
    path, folder = recorded(tmp_path / "games.jsonl", num_deals=1), tmp_path / "chat"
    export_decisions([path], folder, form="chat", ending=ending)
    rows = exported(path, tmp_path / "rows", form="chat")
    dataset = croissant.Dataset(folder / "croissant.json")
    assert not dataset.metadata.issues.errors

    def as_written(message):
        """A message without the name of its column before "role" and "content"."""
        return {key.rpartition("/")[2]: text.decode() for key, text in message.items()}

    for one, row in zip(dataset.records("decisions"), rows, strict=True):
        for name in ("prompt", "completion"):
            assert [as_written(message) for message in one[f"decisions/{name}"]] == row[name]


def test_the_description_names_every_column(tmp_path):
    path = recorded(tmp_path / "games.jsonl", num_deals=1)
    (row, *_) = exported(path, tmp_path / "data")
    description = json.loads((tmp_path / "data" / "croissant.json").read_text())
    assert [field["name"] for field in description["recordSet"][0]["field"]] == list(row)


# -- words


@pytest.mark.parametrize("game", ["romans-go-home", "roma", "struggle"])
def test_a_row_in_words_is_what_the_seat_knew_and_chose(tmp_path, game):
    settings = {"num_players": 3, "max_rounds": 3} if game == "struggle" else {"num_players": 2}
    rules = spec_of(game).make_rules(**settings)
    path = recorded(tmp_path / "games.jsonl", ("random",) * rules.num_players, rules, num_deals=1, game=game)
    rows = exported(path, tmp_path / "chat", form="chat")
    arrays = exported(path, tmp_path / "arrays")
    assert len(rows) == len(arrays)
    decisions = iter(zip(rows, arrays, strict=True))
    for sourced in records_in([path]):
        record = sourced.record
        played = Game.of_deal(rules, record["deal"])
        for _, action in replay(record).actions:
            row, array = next(decisions)
            view = played.view(played.seat_to_act)
            assert row["prompt"] == [
                {"role": "system", "content": introduce(game)},
                {"role": "user", "content": describe(view)},
            ]
            (answer,) = row["completion"]
            assert answer["role"] == "assistant" and parse(answer["content"], view) == array["action"]
            legal = view.legal_actions()
            assert row["actions"] == [view.action_name(number) for number in legal]
            assert row["probabilities"] == [array["probabilities"][number] for number in legal]
            assert row["values"] is None
            same = ("game", "step", "setup", "seat", "agent", "return")
            assert [row[name] for name in same] == [array[name] for name in same]
            played.act(action)


def test_words_as_json_lines_are_the_same_rows(tmp_path):
    path = recorded(tmp_path / "games.jsonl", num_deals=3)
    rows = exported(path, tmp_path / "chat", form="chat", part_games=2)
    export_decisions([path], tmp_path / "lines", form="chat", ending="jsonl", part_games=2, jobs=2)
    parts = sorted((tmp_path / "lines" / "decisions").iterdir())
    assert [part.name for part in parts] == ["part-00000.jsonl", "part-00001.jsonl", "part-00002.jsonl"]
    assert [json.loads(line) for part in parts for line in part.read_text().splitlines()] == rows
    for folder in ("chat", "lines"):
        description = json.loads((tmp_path / folder / "croissant.json").read_text())
        assert {field["name"] for field in description["recordSet"][0]["field"]} == set(rows[0])
        assert "in words" in description["description"]


def test_a_judge_says_what_actions_are_worth(tmp_path):
    rules = spec_of("roma").make_rules()
    path = recorded(tmp_path / "games.jsonl", ("random", "random"), rules, num_deals=1, game="roma")
    rows = exported(path, tmp_path / "chat", form="chat", judge="flat-mc:iterations=20")
    assert all(len(row["values"]) == len(row["actions"]) for row in rows)
    assert all(0.0 <= value <= 1.0 for row in rows for value in row["values"])
    assert any(len(set(row["values"])) > 1 for row in rows)
    own = recorded(tmp_path / "own.jsonl", ("random", "random"), num_deals=1)
    judged = exported(own, tmp_path / "own", form="chat", judge="round-response:iterations=200")
    assert {row["values"] is None for row in judged} == {True, False}


def test_what_words_alone_have_is_refused_elsewhere(called, tmp_path):
    path = recorded(tmp_path / "games.jsonl", num_deals=1)
    for arguments, message in {
        ("parquet", "--jsonl"): "--jsonl goes with --to chat, not with --to parquet",
        ("parquet", "--judge", "flat-mc"): "--judge goes with --to chat, not with --to parquet",
        ("chat", "--judge", "greedy"): "greedy cannot evaluate actions",
        ("chat", "--judge", "nobody"): "unknown agent 'nobody'",
        ("onnx", "--jsonl"): "--jsonl goes with --to chat, not with --to onnx",
    }.items():
        status, _, err = called("export", path, "--to", *arguments, "--out", tmp_path / "x")
        assert status == 2 and message in err
        assert not (tmp_path / "x").exists()
    assert called("export", path, "--to", "chat", "--out", tmp_path / "x")[0] == 0
    status, _, err = called("export", path, "--to", "parquet", "--out", tmp_path / "x")
    assert status == 2 and "holds an export of other records or settings; name another folder (--out)" in err


# -- what is refused


def test_what_is_no_file_of_records_is_refused_in_one_line(called, tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "cut.jsonl").write_text('{"format": ')
    save_record(random_game((2, 0, "standard"), seed=1).record(), tmp_path / "a.json")
    roma = Game(spec_of("roma").make_rules(), seed=1)
    save_record(roma.record(), tmp_path / "b.json")
    for names, message in (
        (["empty.jsonl"], "there are no records in these files"),
        (["cut.jsonl"], "cut.jsonl, line 1 is not a whole record"),
        (["nothing.jsonl"], "nothing.jsonl: No such file"),
        (["a.json", "b.json"], "it is of roma, earlier records of romans-go-home"),
    ):
        sources = [tmp_path / name for name in names]
        status, _, err = called("export", *sources, "--to", "parquet", "--out", tmp_path / "out")
        assert message in f"{status} {err}"


def test_the_python_of_the_page_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("pandas", reason="needs pandas")
    monkeypatch.chdir(tmp_path)
    export_decisions([recorded(tmp_path / "games.jsonl", ("legate", "random"), num_deals=3)], tmp_path / "games")
    run_python_of("training/data.md", slice(1))
    assert -1 <= float(capsys.readouterr().out) <= 1


# -- processes that are killed, and two at once


KILLED = """
import os, pathlib, signal, sys
from romans_training.data.parquet import export_decisions
games, folder, form, ending, after = sys.argv[1:]

def on_progress(number, decisions):  # in the middle of a part, whose file has no name yet
    if number == int(after):
        os.kill(os.getpid(), signal.SIGKILL)

export_decisions([pathlib.Path(games)], pathlib.Path(folder), part_games=2, on_progress=on_progress,
                 form=form, ending=ending)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="other signals")
@pytest.mark.parametrize(("form", "ending"), [("decisions", "parquet"), ("chat", "jsonl")])
def test_an_export_that_is_killed_again_and_again_comes_to_the_same_bytes(tmp_path, form, ending):
    path = recorded(tmp_path / "games.jsonl", ("random", "random"), num_deals=2)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    export_decisions([path], whole, part_games=2, form=form, ending=ending)
    for after in (2, 2):
        command = [sys.executable, "-c", KILLED, *map(str, (path, killed, form, ending, after))]
        assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
        assert list((killed / "decisions").glob(".part-*"))
    export_decisions([path], killed, part_games=2, form=form, ending=ending)
    expected, found = (
        {one.relative_to(folder): one.read_bytes() for one in folder.rglob("*") if one.is_file()}
        for folder in (whole, killed)
    )
    assert found == expected


def test_one_process_at_a_time_exports_into_a_folder(tmp_path):
    path = recorded(tmp_path / "games.jsonl", ("random", "random"), num_deals=1)
    (tmp_path / "data").mkdir()
    with (
        FileLock(tmp_path / "data" / "export.lock"),
        pytest.raises(ExportError, match=f"another process exports into {tmp_path / 'data'}; wait until it ends"),
    ):
        export_decisions([path], tmp_path / "data", form="chat", ending="jsonl")
    assert not (tmp_path / "data" / "decisions").exists()
