"""Runs in places that cannot be written: one line, nothing destroyed."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from romans_env.core.files import write_text
from romans_training.cli.main import main

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

SMALL = """
    --opponents random --num-envs 32 --rollout-length 16 --minibatch-size 256 --hidden-layers 16 --threads 1
    --checkpoint-every 512 --evaluate-every 512 --evaluation-deals 4 --steps 1024
"""


def one_line(status):
    assert isinstance(status, str) and status.startswith("romans: "), status
    assert "\n" not in status
    return status


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a run that has come to its end."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["train", "--folder", str(folder), *SMALL.split()])
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits to set")
def test_a_disk_that_is_full_ends_a_run_in_one_line(finished, called, tmp_path):
    """A limit on the size of a file stands in for the disk: writes fail alike. What must be compiled has been."""
    import resource

    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    for room in (100, 3_000, 30_000):
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, usual[1]))
        try:
            status, _, _ = called("train", "--folder", tmp_path / str(room), *SMALL.split())
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        assert one_line(status).startswith("romans: cannot use"), room
    assert not list(tmp_path.rglob(".*"))  # no temporary files


def test_a_folder_in_place_of_a_file_is_named(finished, called, tmp_path):
    for name in ("policy.npz", "checkpoint.zip", "metrics.csv", "evaluations.csv", "provenance.json"):
        folder = tmp_path / name
        shutil.copytree(finished, folder)
        (folder / name).unlink()
        (folder / name).mkdir()
        status, _, _ = called("train", "--folder", folder, "--resume", "--steps", 2048)
        assert str(folder / name) in one_line(status)
        assert (folder / name).is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes to make")
@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "--seed", 1, "--save"],
        ["evaluate", "random", "--against", "random", "--deals", 100_000_000, "--json"],
        ["exploit", "random", "--minutes", 1000, "--folder", "run", "--json"],
        ["tournament", "greedy", "random", "--deals", 1_000_000, "--folder", "results", "--json"],
    ],
)
def test_a_place_that_cannot_be_written_is_told_before_the_work(called, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("x")
    os.mkfifo("pipe")
    for place in (".", "file/x.json", "pipe"):
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
