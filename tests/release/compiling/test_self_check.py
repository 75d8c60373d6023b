"""The check of separate compilation: what ends or hangs is an answer, and it is asked once."""

import sys

import numba
import pytest

from romans_env.compiling import self_check
from romans_env.compiling.cache_folder import cache_folder, folder_name

KILLED = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """The runs of the check in this installation, which has never compiled; they find what a test writes there."""
    runs, wrong = [], []
    monkeypatch.delenv(self_check.VARIABLE, raising=False)
    monkeypatch.setattr(self_check, "TESTED", set())
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(self_check, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(self_check, "failure_of", lambda run: runs.append(run) or "".join(wrong))
    cache_folder.cache_clear()
    yield runs, wrong
    cache_folder.cache_clear()


def test_what_works_is_asked_once(asked, capsys):
    runs, _ = asked
    assert self_check.works() and self_check.works()
    assert runs == [0, 1] and "does not work" not in capsys.readouterr().err


def test_what_fails_is_asked_and_said_once(asked, capsys):
    runs, wrong = asked
    wrong.append("it moved")
    assert not self_check.works()
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("romans_env: separate compilation does not work with numba") and "(it moved)" in line
    assert not self_check.works()
    assert runs == [0] and "does not work" not in capsys.readouterr().err


def test_a_wheel_brings_the_answer(asked, tmp_path):
    folder = tmp_path / "shipped" / folder_name(self_check.COMPILING)
    folder.mkdir(parents=True)
    (folder / self_check.KEPT).touch()
    assert self_check.works() and asked[0] == []


def test_where_nothing_can_be_kept_the_compiler_alone_is_tried(asked, monkeypatch):
    monkeypatch.setattr(self_check, "cache_folder", lambda folder: None)
    assert self_check.works() and asked[0] == [0]


def test_what_all_tests_have_passed_with_is_asked_only_where_a_variable_says_so(asked, monkeypatch):
    monkeypatch.setattr(self_check, "TESTED", {(f"{sys.version_info[0]}.{sys.version_info[1]}", numba.__version__)})
    assert self_check.works() and asked[0] == []
    monkeypatch.setenv(self_check.VARIABLE, "check")
    assert self_check.works() and asked[0] == [0, 1]


@pytest.mark.parametrize("answer", ["0", "1"])
def test_a_variable_answers(asked, monkeypatch, answer):
    monkeypatch.setenv(self_check.VARIABLE, answer)
    assert self_check.works() == (answer == "1") and asked[0] == []


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("", ""),
        ("raise AttributeError('no such part')", "AttributeError: no such part"),
        pytest.param(KILLED, "it ended with status -9", marks=pytest.mark.skipif("sys.platform == 'win32'")),
        ("import time; time.sleep(600)", "it takes more than 1 s"),
    ],
)
def test_whatever_happens_is_an_answer(program, said):
    assert self_check.failure_of(0, program, 1.0 if "sleep" in program else 60.0) == said


def test_nothing_of_the_working_directory_is_imported(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "numba.py").write_text("raise SystemExit('a stranger wrote this')\n")
    program = self_check.PROGRAM.partition("from romans_env")[0] + "import numba"
    assert self_check.failure_of(0, "import numba") == "a stranger wrote this"
    assert self_check.failure_of(0, program) == ""
