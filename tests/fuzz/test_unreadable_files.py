"""What is no file of ours to read: every reader says so in one line, and none waits for a pipe."""

import os
from pathlib import Path

import pytest

from romans_agents import Policy, PolicyFileError
from romans_agents.policies.policy_file import MOST_WEIGHTS
from romans_env import RecordError, load_record
from romans_env.core.files import MOST_TEXT, read_text
from romans_training.learn.config import MOST_SETTINGS, read_settings
from romans_training.learn.metrics_file import MetricsFileError, read_rows
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.learn.self_play.league import League
from romans_training.settings import ConfigError


def load_starts(path):
    folder = RunFolder("run")
    folder.provenance = Path(path)
    return folder.load_starts()


READERS = {
    "policy file": (Policy.load, PolicyFileError),
    "record": (load_record, RecordError),
    "settings": (lambda path: read_settings(Path(path)), ConfigError),
    "table": (lambda path: read_rows(Path(path)), MetricsFileError),
    "league file": (League.load, RunFolderError),
    "starts": (load_starts, RunFolderError),
}


def refusal(name, path):
    read, error = READERS[name]
    with pytest.raises(error) as refused:
        read(path)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 1500
    return str(refused.value)


every_reader = pytest.mark.parametrize("name", READERS)


@every_reader
def test_devices_pipes_folders_and_what_is_no_path(name, tmp_path):
    if os.path.exists("/dev/zero"):
        assert "it is not a regular file" in refusal(name, "/dev/zero")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.npz")
        assert "it is not a regular file" in refusal(name, tmp_path / "pipe.npz")
    (tmp_path / "folder.npz").mkdir()
    for path in (tmp_path / "folder.npz", "x" * 5000 + ".npz"):
        refusal(name, path)
    assert r"a\x00b.npz" in refusal(name, "a\0b.npz")


@pytest.mark.parametrize("name", ["policy file", "record"])
def test_a_name_is_quoted_on_one_line(name):
    assert rf"cannot read the {name} a\nb.npz" in refusal(name, "a\nb.npz")


@pytest.mark.parametrize(
    ("name", "size", "why"),
    [
        ("policy file", 8 * MOST_WEIGHTS + (1 << 25), "it is larger than 528 MB"),
        ("record", MOST_TEXT + 1, "it is larger than 16 MB"),
        ("settings", MOST_SETTINGS + 1, "it is larger than 1 MB"),
    ],
)
def test_a_file_that_is_too_large(name, size, why, tmp_path):
    path = tmp_path / "large.npz"
    with path.open("wb") as file:
        file.truncate(size)
    assert why in refusal(name, path)
    if name == "record":
        with pytest.raises(OSError, match="larger"):
            read_text(path)
