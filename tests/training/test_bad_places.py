"""Runs in places that cannot be written: one line, nothing destroyed; and Ctrl-C at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from romans_env.files import write_text

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

SMALL = [
    *("--opponents", "random", "--num-envs", "32", "--rollout-length", "16", "--minibatch-size", "256"),
    *("--hidden-layers", "16", "--threads", "1", "--checkpoint-every", "512", "--evaluate-every", "512"),
    *("--evaluation-deals", "4", "--steps", "1024"),
]
LAUNCH = [sys.executable, "-c", "print('up', flush=True); from romans_training.cli.launch import main; main()"]


def one_line(status):
    assert isinstance(status, str) and status.startswith("romans: "), status
    assert "\n" not in status
    return status


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits to set")
@pytest.mark.parametrize("room", [100, 3_000, 30_000])
def test_a_disk_that_is_full_ends_a_run_in_one_line(room, tmp_path):
    # A limit on the size of a file stands in for the disk: writes fail alike.
    script = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))\n"
    script += "from romans_training.cli.main import main; main()"
    command = [sys.executable, "-B", "-c", script, "train", "--folder", tmp_path / "run", *SMALL]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith("romans: cannot use")
    assert not list(tmp_path.rglob(".*"))  # no temporary files


@pytest.mark.parametrize("name", ["policy.npz", "checkpoint.zip", "metrics.csv", "evaluations.csv", "provenance.json"])
def test_a_folder_in_place_of_a_file_is_named(called, tmp_path, name):
    folder = tmp_path / "run"
    status, _, err = called("train", "--folder", folder, *SMALL)
    assert status == 0, err
    (folder / name).unlink()
    (folder / name).mkdir()
    status, _, _ = called("train", "--folder", folder, "--resume", "--steps", 2048)
    assert name in one_line(status)
    assert (folder / name).is_dir()


def test_a_file_in_place_of_the_run_folder_is_named(called, tmp_path):
    (tmp_path / "file").write_text("x")
    status, _, _ = called("train", "--folder", tmp_path / "file", *SMALL)
    assert "cannot make the run folder" in one_line(status)
    assert (tmp_path / "file").read_text() == "x"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes to make")
@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "--seed", 1, "--save"],
        ["evaluate", "random", "--against", "random", "--deals", 100_000_000, "--json"],
        ["exploit", "random", "--minutes", 1000, "--folder", "run", "--json"],
    ],
)
@pytest.mark.parametrize("place", [".", "file/x.json", "pipe"])
def test_a_place_that_cannot_be_written_is_told_before_the_work(called, tmp_path, monkeypatch, arguments, place):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("x")
    os.mkfifo("pipe")
    status, out, _ = called(*arguments, place)
    assert place in one_line(status)
    assert out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "pipe"]
    with pytest.raises(OSError, match="not a regular file"):
        write_text("pipe", "x")


def test_a_file_that_cannot_be_written_is_named_and_left_alone(tmp_path):
    (tmp_path / "folder").mkdir()
    for target in (tmp_path / "folder", tmp_path / "no.txt" / "x"):
        (tmp_path / "no.txt").write_text("x")
        with pytest.raises(OSError, match=r"directory|exists") as refused:
            write_text(target, "y")
        assert refused.value.filename == str(target)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "no.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="other signals")
@pytest.mark.parametrize("delay", [0.15, 0.3, 0.5, 0.8, 1.2, 1.8, 2.5])
def test_ctrl_c_while_modules_are_imported_ends_with_130(delay, tmp_path):
    command = [*LAUNCH, "train", "--folder", tmp_path / "run", *SMALL, "--steps", "100000000"]
    pipe = subprocess.PIPE
    with subprocess.Popen(list(map(str, command)), stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout.readline() == "up\n"  # what Python does before the first line is its own
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=120)[1]
    assert process.returncode == 130, err
    assert "Traceback" not in err and "Aborted" not in err
