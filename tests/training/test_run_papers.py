"""What a run folder holds beside the policy: where the run comes from, its tables, and its summary."""

import contextlib
import dataclasses
import html
import math
import re
import shutil
import subprocess
import time
from collections import Counter

import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from romans_training.learn import trainer
from romans_training.learn.curves import Curves, learning_curve
from romans_training.learn.metrics_file import (
    MetricsFileError,
    append_row,
    drop_rows_after,
    passed,
    read_rows,
    write_rows,
)
from romans_training.learn.provenance import git_revision, start_note
from romans_training.learn.recorder import Recorder
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.learn.summary import write_summary
from romans_training.measure.evaluation import Evaluation
from romans_training.measure.intervals import Estimate
from tests.training.runs import SMALL, Stop, cut_off_after

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not there")


@pytest.fixture(scope="module")
def resumed(tmp_path_factory):
    """A run that was cut off after an evaluation, and resumed to its end."""
    folder = RunFolder(tmp_path_factory.mktemp("runs") / "a <b> run")
    config = dataclasses.replace(SMALL, opponents=("random",), evaluate_against=("greedy", "random", "greedy"))
    with pytest.raises(Stop):
        trainer.train(config, folder, cut_off_after(1300))
    time.sleep(1)  # TensorBoard reads files by name: the second, the process, then a number in which 10 is before 9
    with folder.metrics.open("a") as file:
        file.write("1536,0.9")  # as a process leaves it that was killed while it wrote
    trainer.resume(folder)
    return folder


def test_every_start_is_noted(resumed):
    first, second = resumed.load_starts()
    assert (first["steps"], second["steps"]) == (0, 1024)
    assert first["seeds"]["training"] == SMALL.seed
    assert {"romans-env", "numpy", "torch", "stable-baselines3"} <= set(first["packages"])
    assert all(first[name] for name in ("time", "command", "python", "platform", "cpu_count"))
    assert first["git"] == git_revision()


def git(folder, *arguments):
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@needs_git
def test_the_revision_is_that_of_the_checkout_that_holds_the_code(tmp_path):
    code, other = tmp_path / "code", tmp_path / "site-packages"
    for folder in (code, other):
        folder.mkdir()
        (folder / "module.py").write_text("x = 1\n")
    assert git_revision(code) is None
    git(tmp_path, "init")
    git(tmp_path, "add", "code")
    assert git_revision(code) is None  # nothing is committed yet
    git(tmp_path, "commit", "-m", "first")
    assert git_revision(code) == {"commit": git(tmp_path, "rev-parse", "HEAD"), "uncommitted_changes": False}
    assert git_revision(other) is None
    (code / "module.py").write_text("x = 2\n")
    assert git_revision(code)["uncommitted_changes"] is True


def test_without_git_there_is_no_revision(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert start_note(SMALL, 0)["git"] is None


DAMAGED_NOTES = {
    '{"starts": [': r"provenance\.json is damaged",
    '{"starts": 1}': "it has no list of starts",
    "[]": "it has no list of starts",
    '{"starts": [1]}': "start 1 is 1, not an object",
    '{"starts": [{"steps": 1}]}': "start 1 lacks 'time'",
    "[" * 200_000: "it is nested too deeply",
}


def test_damaged_notes_are_told_and_left_alone(tmp_path):
    folder = RunFolder(tmp_path)
    for text, why in DAMAGED_NOTES.items():
        folder.provenance.write_text(text)
        with pytest.raises(RunFolderError, match=why):
            folder.add_start({})
        assert folder.provenance.read_text() == text


def test_there_is_a_row_for_every_rollout(resumed):
    rows = resumed.load_metrics()
    assert [int(row["steps"]) for row in rows] == list(range(256, 2049, 256))
    seconds = [float(row["seconds"]) for row in rows]
    assert seconds == sorted(seconds)
    for row in rows:
        known = {name: float(value) for name, value in row.items() if value}
        assert known["entropy"] > 0
        assert known["value_loss"] > 0
        assert known["steps_per_second"] > 0
        assert all(map(math.isfinite, known.values()))
        assert (known["games"] > 0) == ("mean_return" in known) == ("mean_length" in known)
    assert any(-1 < float(row["mean_return"] or 1) < 1 for row in rows)
    assert float(rows[0]["learning_rate"]) > float(rows[-1]["learning_rate"])


def test_tensorboard_has_the_same_and_nothing_twice(resumed):
    events = EventAccumulator(str(resumed.tensorboard)).Reload()
    noted = {event.step: event.value for event in events.Scalars("train/entropy")}
    assert len(noted) == len(events.Scalars("train/entropy"))
    rows = resumed.load_metrics()
    assert noted == {int(row["steps"]): pytest.approx(float(row["entropy"]), rel=1e-5) for row in rows}
    assert [event.step for event in events.Scalars("evaluation/win_rate_against_greedy")] == [1024, 2048]


def test_evaluations_are_against_fixed_opponents(resumed):
    rows = resumed.load_evaluations()
    assert [(row["steps"], row["against"]) for row in rows] == [
        (steps, against) for steps in ("1024", "2048") for against in ("greedy", "random")
    ]


def evaluation(against, low):
    rate = Estimate(low + 0.1, low, low + 0.2)
    return Evaluation("learner", (against,), "2+0", 10, 20, rate, rate, rate, rate)


def test_an_opponent_is_passed_once_even_where_a_resumed_run_goes_back(tmp_path):
    folder = RunFolder(tmp_path / "run")
    folder.start(SMALL)
    with contextlib.closing(Recorder(SMALL, folder)) as recorder:
        assert recorder.record_evaluations(512, [evaluation("weak", 0.51), evaluation("even", 0.5)]) == ["weak"]
        assert recorder.record_evaluations(1024, [evaluation("weak", 0.4), evaluation("even", 0.51)]) == ["even"]
        assert recorder.record_evaluations(1536, [evaluation("weak", 0.6), evaluation("even", 0.6)]) == []
    with contextlib.closing(Recorder(SMALL, folder, 512)) as recorder:
        results = [evaluation(name, 0.7) for name in ("weak", "even", "third")]
        assert recorder.record_evaluations(1024, results) == ["third"]
    rows = folder.load_evaluations()
    assert passed(rows, 0.5) == {"weak": 512, "even": 1024, "third": 1024}
    figure = learning_curve(Curves.of(rows, []), 0.5)
    rings = [line for line in figure.axes[0].lines if line.get_fillstyle() == "none"]
    assert [list(ring.get_xdata()) for ring in rings] == [[512], [1024], [1024]]


def test_a_fair_share_is_that_of_all_players(tmp_path):
    three = dataclasses.replace(SMALL, setup={"num_players": 3})
    with contextlib.closing(Recorder(three, RunFolder(tmp_path / "run"))) as recorder:
        results = [evaluation("weak", 0.34), evaluation("even", 0.33)]
        assert recorder.record_evaluations(512, results) == ["weak"]


def test_a_row_can_bring_a_new_column(tmp_path):
    path = tmp_path / "table.csv"
    append_row(path, {"steps": 1, "a": 0.5})
    append_row(path, {"steps": 2, "a": None})
    append_row(path, {"steps": 3, "b": "x,y"})
    assert path.read_text() == 'steps,a,b\n1,0.5,\n2,,\n3,,"x,y"\n'
    drop_rows_after(path, 2)
    assert path.read_text() == "steps,a,b\n1,0.5,\n2,,\n"
    drop_rows_after(path, 0)
    assert read_rows(path) == []


def test_a_row_that_was_cut_off_is_passed_over_and_no_other_one_is_added_to_it(tmp_path):
    path = tmp_path / "table.csv"
    write_rows(path, [{"steps": k, "a": k} for k in range(3)])
    whole = path.read_text()
    for cut in range(len("steps,a\n0,0\n"), len(whole)):
        path.write_text(whole[:cut])
        assert [row["steps"] for row in read_rows(path)] == [str(k) for k in range((cut - len("steps,a\n")) // 4)]
    for cut_off in ("2,", "2", '2,"x', "2,4"):
        path.write_text("steps,a\n1,3\n" + cut_off)
        append_row(path, {"steps": 5, "a": 6})
        assert path.read_text() == "steps,a\n1,3\n5,6\n"


DAMAGED_TABLES = {
    "a,b\n1,2\n": "it has no column 'steps'",
    "steps,a\nx,2\n": "row 1 has steps 'x'",
    "steps,a\n1\n": r"metrics\.csv is damaged",
    "steps,a\n1,2,3\n": r"metrics\.csv is damaged",
    "steps,steps\n1,2\n": "its header has a name twice",
    "steps\n1_0\n": "row 1 has steps '1_0', which is not an integer",
    "steps\n1\n-5\n": "row 2 has steps '-5'",
    "steps\n" + "9" * 5000 + "\n": "row 1 has steps '9+",
}


def test_a_damaged_table_is_told_and_left_alone(tmp_path):
    path = tmp_path / "metrics.csv"
    for text, why in DAMAGED_TABLES.items():
        path.write_text(text)
        for use in (
            read_rows,
            lambda path: append_row(path, {"steps": 1, "new": 2}),
            lambda path: drop_rows_after(path, 0),
        ):
            with pytest.raises(MetricsFileError, match=why) as refused:
                use(path)
            assert str(refused.value).isprintable() and len(str(refused.value)) < 1000
            assert path.read_text() == text


def shown_on(page):
    """What a page shows; its tags are closed, and it loads nothing."""
    opened, closed = (Counter(re.findall(tag, page)) for tag in (r"<(?!meta\b)([\w:]+)(?![^>]*/>)", r"</([\w:]+)>"))
    assert opened == closed
    assert not re.search(r"""\b(src|href|data)=["'](?!#)|url\(h|@import""", page)
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


def test_the_summary_is_one_page_that_loads_nothing(resumed):
    text = resumed.summary.read_text(encoding="utf-8")
    shown = shown_on(text)
    assert "a <b> run" in shown
    for start in resumed.load_starts():
        assert start["time"] in shown
        assert start["command"] in shown
    assert "torch " in shown
    assert "2,048 decisions, in" in shown and "training time (s)" in shown
    for name in resumed.load_config().as_json():
        assert name in shown
    for heading in ("entropy", "value loss", "explained variance"):
        assert heading in shown
    newest = resumed.load_evaluations()[-1]
    assert f"{100 * float(newest['win_rate']):.1f} [{100 * float(newest['win_rate_low']):.1f}" in shown
    assert text.count("<svg") == 2
    assert resumed.curve.read_bytes().startswith(b"\x89PNG")


def test_the_summary_takes_whatever_a_learner_notes(tmp_path):
    folder = RunFolder(tmp_path / "run")
    folder.start(dataclasses.replace(SMALL, minutes=3.0, setup={"num_players": 3}))
    write_summary(folder)
    assert "None yet." in folder.summary.read_text()
    rows = [{"steps": k, "seconds": k / 10, "pool_size": k % 7, "entropy": "" if k % 2 else "nan"} for k in range(2000)]
    write_rows(folder.metrics, rows)
    row = {"games": 10, "win_rate": 0.5, "win_rate_low": 0.2, "win_rate_high": 0.8, "draw_rate": 0.1}
    row |= {"mean_points": 4.0, "mean_return": 0.0}
    names = ("_my_bot.py:Bot", "runs/$x$/policy.npz", "a&b", "<c>", *"defgh")
    write_rows(folder.evaluations, [{"steps": 1000, "against": name, **row} for name in names])
    folder.add_start({**start_note(SMALL, 0), "git": {"commit": "c0ffee", "uncommitted_changes": True}})
    write_summary(folder)
    text = folder.summary.read_text()
    shown = shown_on(text)
    assert "pool size" in shown
    assert "1,999 decisions in 3.3 minutes" in shown
    assert "c0ffee, with uncommitted changes" in shown
    assert all(name in shown for name in names)
    assert len(text) < 150_000  # 2000 rows are averaged


def test_a_summary_needs_a_run(tmp_path):
    with pytest.raises(RunFolderError, match="holds no run"):
        write_summary(RunFolder(tmp_path))
    assert not list(tmp_path.iterdir())
