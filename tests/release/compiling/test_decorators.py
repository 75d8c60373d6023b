"""How the rules are compiled: a word to the user while that takes long, and nothing at all afterwards."""

import threading

import numba
import numpy as np
import pytest

from romans_env import RomansGoHome, Table
from romans_env.compiling import decorators, progress
from romans_env.compiling.cache_folder import cache_folder
from romans_env.engine.random_stream import streams_from_seeds


@pytest.fixture
def compiler(monkeypatch, tmp_path):
    """No function of this file is compiled yet, and nothing was shown."""
    if numba.config.DISABLE_JIT:
        pytest.skip("the rules are interpreted")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(progress, "FIRST_AFTER_SECONDS", 0.0)
    for name, value in {"_has_said_where": False, "_last_line_at": -np.inf, "_busy": 0.0, "_num_ready": 0}.items():
        monkeypatch.setattr(decorators.progress, name, value)
    cache_folder.cache_clear()
    yield
    cache_folder.cache_clear()


fresh = pytest.mark.usefixtures("compiler")


def doubled(number):
    return 2 * number


def tripled(number):
    return 3 * number


@fresh
def test_the_first_call_says_what_compiles_and_where_it_is_kept_and_later_ones_nothing(capsys, tmp_path):
    function = decorators.cached_jit(doubled)
    assert function(4) == 8
    line, where = capsys.readouterr().err.splitlines()
    assert line == "romans_env: compiling once, for some seconds; the compiled code is kept for later runs in"
    assert where == f"  {tmp_path}/romans_env"
    assert function(5) == 10
    assert decorators.cached_jit(doubled)(4) == 8  # is on disk
    assert capsys.readouterr().err == ""


@fresh
def test_now_and_then_a_line_says_what_compiles_and_how_much_is_ready(capsys, monkeypatch):
    decorators.cached_jit(doubled)(4)
    capsys.readouterr()
    decorators.cached_jit(tripled)(4)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "LINE_EVERY_SECONDS", 0.0)
    decorators.cached_jit(tripled)(4.5)
    line = capsys.readouterr().err
    assert "romans_env: compiling tests.release.compiling.test_decorators.tripled (" in line and " s, 2 ready)" in line


@fresh
def test_where_nothing_can_be_written_the_notice_says_so(capsys, monkeypatch):
    monkeypatch.setattr(decorators, "cache_folder", lambda folder: None)
    monkeypatch.setattr(decorators.progress, "functions", dict(decorators.progress.functions))
    assert decorators.cached_jit(doubled)(4) == 8
    err = capsys.readouterr().err
    assert "no folder for compiled code is writable" in err and "set the environment variable NUMBA_CACHE_DIR" in err


@fresh
def test_on_a_terminal_the_line_is_removed_in_the_end(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_can_be_redrawn", lambda: True)
    decorators.cached_jit(doubled)(4)
    _, _, line = capsys.readouterr().err.split("\n")
    assert line.startswith("\rromans_env: compiling tests.release.compiling.test_decorators.doubled (0 s, ")
    assert line.endswith("\r\x1b[K")


@fresh
def test_a_progress_bar_can_show_it(capsys):
    texts = []
    with decorators.progress.reported_to(texts.append):
        decorators.cached_jit(doubled)(4)
    assert texts[0] == "compiling tests.release.compiling.test_decorators.doubled (0 s, 0 ready)" and texts[-1] == ""
    assert capsys.readouterr().err == ""


@fresh
def test_a_part_of_several_says_which_it_is_and_of_how_many():
    texts = []
    with decorators.progress.reported_to(texts.append):
        with decorators.progress.of_part(2, 3):
            decorators.cached_jit(doubled)(4)
        decorators.cached_jit(tripled)(4)
    told = [text.partition(" s, ")[2] for text in texts if text]
    # On a busy machine the same is told again, with more seconds.
    assert list(dict.fromkeys(told)) == ["0 ready, part 2 of 3)", "1 ready)"]


@fresh
def test_a_moment_needs_no_notice(capsys, monkeypatch):
    monkeypatch.setattr(progress, "FIRST_AFTER_SECONDS", 60.0)
    assert decorators.cached_jit(doubled)(4) == 8
    assert capsys.readouterr().err == ""
    assert decorators.progress._display is None


@fresh
def test_a_function_that_cannot_be_compiled_leaves_no_lock():
    function = decorators.cached_jit(doubled)
    with pytest.raises(numba.errors.TypingError):
        function(None)
    assert function._cache.compile_lock._lock is None
    assert decorators.progress._texts == []


def test_a_call_starts_no_thread(monkeypatch):
    rules = RomansGoHome(Table())

    def no_thread(*arguments, **settings):
        raise AssertionError("a thread was started")

    states = rules.new_states(1)

    def call():
        stream = streams_from_seeds([1])
        rules.start(states, 0, stream, stream)
        rules.determinize(rules.redacted_for(states, 0, 0), 0, np.random.default_rng(1))

    call()  # the first one may compile
    monkeypatch.setattr(threading.Thread, "__init__", no_thread)
    call()
