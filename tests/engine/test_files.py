"""Files that are whole or not there."""

import errno
import os
import sys
import tracemalloc

import pytest

from romans_env.core.files import check_writable, json_of, read_text, write_text

unix = pytest.mark.skipif(sys.platform == "win32", reason="other files")


def all_under(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("name", ["new.json", "there.json", "a/b/c/new.json", "folder/new.json", "gone/../new.json"])
def test_what_can_be_written_leaves_nothing_behind(name, tmp_path):
    (tmp_path / "there.json").write_text("as it was")
    (tmp_path / "folder").mkdir()
    before = all_under(tmp_path)
    check_writable(tmp_path / name)
    assert all_under(tmp_path) == before
    write_text(tmp_path / name, "written")
    assert (tmp_path / name).read_text() == "written"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("folder", os.strerror(errno.EISDIR)),
        ("there.json/new.json", "Not a directory"),
        ("there.json/a/b/new.json", "Not a directory"),
        pytest.param(300 * "x", "File name too long", marks=unix),
        pytest.param("a/b/" + 300 * "x" + "/new.json", "File name too long", marks=unix),
        pytest.param("pipe", "it is not a regular file", marks=unix),
        ("a\0b", "null"),
        ("a\0b/new.json", "null"),
    ],
)
def test_what_cannot_be_written_is_told_in_a_line(name, says, tmp_path):
    (tmp_path / "there.json").write_text("as it was")
    (tmp_path / "folder").mkdir()
    if name == "pipe":
        os.mkfifo(tmp_path / name)
    before = all_under(tmp_path)
    with pytest.raises(OSError, match=says) as refused:
        check_writable(tmp_path / name)
    assert refused.value.filename == str(tmp_path / name)
    assert "\n" not in refused.value.strerror
    assert all_under(tmp_path) == before


@unix
@pytest.mark.skipif(sys.platform != "win32" and os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_is_not_ours(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        check_writable(tmp_path / "a" / "new.json")


def test_a_disk_that_takes_no_file_leaves_no_folder(tmp_path, monkeypatch):
    def full(**kwargs):
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path / ".temporary"))

    monkeypatch.setattr("romans_env.core.files.tempfile.mkstemp", full)
    with pytest.raises(OSError, match="No space left on device") as refused:
        check_writable(tmp_path / "a" / "b" / "new.json")
    assert refused.value.filename == str(tmp_path / "a" / "b" / "new.json")
    assert not list(tmp_path.iterdir())


def test_a_name_that_an_object_gives_twice_is_found_among_many():
    # Comparing each name with all before it would take minutes.
    names = ", ".join(f'"{number}": 0' for number in range(200_000))
    with pytest.raises(ValueError, match="it gives the name '199999' twice"):
        json_of(f'{{{names}, "199999": 1}}')


def test_a_short_file_is_read_in_little_memory(tmp_path):
    path = tmp_path / "short.csv"
    path.write_text("a,b\n1,2\n")
    tracemalloc.start()
    assert read_text(path, most=2**28) == "a,b\n1,2\n"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**20


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "large.csv"
    path.write_bytes(bytes(2**20 + 1))
    with pytest.raises(OSError, match="larger than 1 MB"):
        read_text(path, most=2**20)
