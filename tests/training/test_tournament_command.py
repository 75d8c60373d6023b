"""``romans tournament``, called as a user does."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from romans_env import Table
from romans_training.figures import short_label
from romans_training.tournament import tournament
from romans_training.tournament.picture import figure_of, save_picture
from tests.training.processes import romans, wait_for


def deals_played(folder):
    """How often each line-up played each deal."""
    with sqlite3.connect(folder / "results.sqlite") as database:
        return counted(database)


def deals_played_so_far(folder):
    """The same while somebody else writes, who has locked the file; nothing where it cannot be read just now."""
    with contextlib.suppress(sqlite3.Error):
        database = sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro&nolock=1", uri=True)
        with contextlib.closing(database):
            return counted(database)
    return Counter()


def counted(database):
    rows = database.execute("SELECT line_up, first, count FROM chunks").fetchall()
    return Counter((line_up, deal) for line_up, first, count in rows for deal in range(first, first + count))


def without_times(path):
    result = json.loads(path.read_text(encoding="utf-8"))
    for standing in result["standings"]:
        del standing["milliseconds"]
    return result


def test_it_prints_tables_and_writes_json_and_a_picture(called, tmp_path):
    arguments = ["tournament", "greedy", "random", "greedy", "--table", "2+1", "--deals", 40, "--jobs", 1]
    status, out, err = called(*arguments, "--folder", tmp_path)
    assert status == 0
    assert out.startswith("2+1, 40 deals with every seating, 3 line-ups, 240 games; with 95 % intervals")
    result = json.loads((tmp_path / "tournament.json").read_text(encoding="utf-8"))
    for standing in result["standings"]:
        rate = standing["win_share"]
        cell = f"{100 * rate['mean']:.1f} [{100 * rate['low']:.1f}, {100 * rate['high']:.1f}]"
        assert any(standing["label"] in line and cell in line for line in out.splitlines())
    assert "Every pair differs significantly at 95 % over all 3 pairs (Holm) but greedy" in out
    assert "random is 0" in out
    assert (tmp_path / "tournament.png").read_bytes().startswith(b"\x89PNG")
    assert "240 games" in err
    drawing, data = tmp_path / "some" / "drawing.svg", tmp_path / "data.json"
    status, _, err = called(*arguments, "--folder", tmp_path, "--picture", drawing, "--json", data)
    assert status == 0
    assert "240 games, 240 of them played before" in err
    assert without_times(data) == without_times(tmp_path / "tournament.json")
    assert "<svg" in drawing.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["greedy"], "name at least two agents; for a mirror match name one twice"),
        (["greedy", "nobody"], "unknown agent 'nobody'"),
        (["greedy", "missing.npz"], "cannot read the policy file missing.npz"),
        (["greedy", "random", "--table", "5+0"], "there is no table '5+0'"),
        (["greedy", "random", "--picture", "some.gif"], "a picture is a file that ends in .png or .svg, not some.gif"),
        (["greedy", "random", "--folder", "/dev/null"], "cannot make the folder /dev/null"),
        (["greedy", "random", "--deals", "1"], "1 is not in the range"),
        (["greedy", "random", "--move-time", "0"], "0.0 is not in the range"),
        (["greedy", "random", "random", "--line-ups", "1"], "1 line-ups of 2 leave some of 3 agents out; take 2"),
        (["greedy", "random", "--json", "."], "cannot write .: Is a directory; name another file"),
        (["greedy", "random", "--json", "/dev/null/a.json"], "cannot write /dev/null/a.json: Not a directory"),
        (["greedy", "random", "--picture", "/dev/null/a/b.png"], "cannot write /dev/null/a/b.png: Not a directory"),
        (["greedy", "random", "--replays", "/dev/null/a.html"], "cannot write /dev/null/a.html: Not a directory"),
        (["greedy", "random", "--json", "a/../x", "--replays", "x"], "x is the file of other results, too"),
        (
            ["greedy", "random", "--json", "runs/tournament-romans-go-home-2+0/results.sqlite"],
            "is the file of other results, too",
        ),
        ([], "Missing argument 'AGENTS...'"),
    ],
)
def test_mistakes_are_one_line(called, arguments, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, err = called("tournament", *arguments)
    line = status if isinstance(status, str) else err.strip().splitlines()[-1]
    assert says in line
    assert "\n" not in line
    assert not list(tmp_path.iterdir())


def test_another_table_in_the_same_folder_is_refused(called, tmp_path):
    arguments = ["tournament", "greedy", "random", "--deals", 2, "--jobs", 1, "--folder", tmp_path]
    assert called(*arguments)[0] == 0
    before = (tmp_path / "tournament.json").read_bytes()
    status, _, _ = called(*arguments, "--table", "3+0")
    assert "name another folder with --folder" in status
    assert (tmp_path / "tournament.json").read_bytes() == before


def test_a_folder_where_a_file_belongs_is_an_error_before_anything_is_played(called, tmp_path):
    (tmp_path / "tournament.json").mkdir()
    status, _, _ = called("tournament", "greedy", "random", "--deals", 2, "--jobs", 1, "--folder", tmp_path)
    assert "tournament.json: Is a directory; name another file" in status
    assert [path.name for path in tmp_path.iterdir()] == ["tournament.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes among files")
def test_what_is_no_ordinary_file_is_not_replaced(called, tmp_path):
    """A pipe of the test's own: a mistake made on a device would be the whole machine's."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arguments = ["tournament", "greedy", "random", "--deals", 2, "--jobs", 1, "--folder", tmp_path / "results"]
    status, _, _ = called(*arguments, "--json", pipe)
    assert f"cannot write {pipe}: it is not a regular file; name another file" in status
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize(
    ("writer", "name"),
    [
        ("romans_training.cli.tournament.write_text", "tournament.json"),
        ("romans_training.figures.atomic_write", "tournament.png"),
        ("romans_env.render.replay_page.write_text", "games.html"),
    ],
)
def test_a_disk_that_is_full_in_the_end_is_an_error_with_the_file(called, writer, name, tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    importlib.import_module(writer.rpartition(".")[0])
    monkeypatch.setattr(writer, full)
    arguments = ["tournament", "greedy", "random", "--deals", 2, "--jobs", 1, "--folder", tmp_path]
    status, _, _ = called(*arguments, "--replays", tmp_path / "games.html")
    assert f"cannot write {tmp_path / name}: No space left on device; the games are kept" in status
    assert "\n" not in status


def start(folder, deals):
    # Where tests run in the background, Ctrl-C is ignored, and what they start inherits that.
    script = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    script += "from romans_training.cli.main import main; main()"
    command = [sys.executable, "-c", script, "tournament", "greedy", "random", "greedy", "--table", "3+0"]
    arguments = [*command, "--deals", str(deals), "--jobs", "2", "--folder", str(folder)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(sys.platform == "win32", reason="other signals")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_what_was_stopped_half_way_goes_on_and_plays_nothing_twice(number, tmp_path):
    stopped = tmp_path / "stopped"
    # More than can be played until the signal arrives: on a busy machine thousands of deals are played in between.
    with start(stopped, 200_000) as process:
        # A chunk of 50 more than is asked for below: the last one that is seen may not have been committed yet.
        wait_for(lambda: len(deals_played_so_far(stopped)) >= 150)
        process.send_signal(number)
        # The pipe ends with the last process that holds it: no worker is left behind.
        err = process.communicate(timeout=60)[1]
    played_before = deals_played(stopped)
    assert 100 <= len(played_before) < 200_000
    assert not (stopped / "tournament.json").exists()
    if number != signal.SIGKILL:
        assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
        assert "stopped; the same command goes on with the results in" in err
        assert "Traceback" not in err
        goes_on = ["tournament", "greedy", "random", "greedy", "--table", "3+0", "--deals", 100, "--jobs", 1]
        status, _, err = romans(*goes_on, "--folder", stopped)
        assert status == 0, err
        assert "played before" in err
        return
    deals = len(played_before) + 500
    arguments = ["tournament", "greedy", "random", "greedy", "--table", "3+0", "--deals", deals, "--jobs", 2]
    status, _, err = romans(*arguments, "--folder", stopped)
    assert status == 0, err
    assert f"{6 * deals:,} games, {6 * len(played_before):,} of them played before" in err
    played = deals_played(stopped)
    assert len(played) == deals
    assert set(played.values()) == {1}
    status, _, err = romans(*arguments[:-1], 1, "--folder", tmp_path / "undisturbed")
    assert status == 0, err
    assert without_times(stopped / "tournament.json") == without_times(tmp_path / "undisturbed" / "tournament.json")


# -- the picture


def test_a_picture_has_every_agent_and_share(tmp_path):
    result = tournament(["greedy", "random", "greedy", "random:seed=3"], Table(2, 0), 10, tmp_path)
    figure = figure_of(result)
    matrix, ratings = figure.axes
    assert [label.get_text() for label in matrix.get_yticklabels()] == [
        f"{standing.label}  {k}" for k, standing in enumerate(result.standings, 1)
    ]
    shown = [text.get_text() for text in matrix.texts]
    assert shown.count("·") == 4
    shares = [share for row in result.shares for share in row if share is not None]
    assert sorted(text for text in shown if text != "·") == sorted(f"{100 * share.mean:.0f}" for share in shares)
    assert np.allclose(ratings.lines[0].get_xdata(), [standing.rating.mean for standing in result.standings])
    save_picture(result, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_long_labels_are_shortened_in_the_middle():
    long = "policy:runs/a-very-long-name-of-a-run/policy.npz,sample=true"
    assert short_label("greedy") == "greedy"
    assert len(short_label(long)) == 32
    assert short_label(long).startswith("policy:runs/a-v")
    assert short_label(long).endswith("npz,sample=true")
