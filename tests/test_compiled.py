"""How the rules are compiled: a word to the user while that takes long, and nothing at all afterwards."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from romans_env import RomansGoHome, Table
from romans_env.engine import compiled
from romans_env.engine.cache_folder import cache_folder
from romans_env.engine.random_stream import streams_from_seeds

NOTICE = "romans_env: compiling (up to a minute in all"


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """No function of this file is compiled yet, and no notice was given."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiled, "NOTICE_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(compiled._notice, "_noticed_at", -np.inf)
    cache_folder.cache_clear()
    yield
    cache_folder.cache_clear()


def doubled(number):
    return 2 * number


@pytest.mark.usefixtures("fresh")
def test_the_first_call_says_that_it_compiles_and_later_ones_say_nothing(capsys):
    function = compiled.cached_jit(doubled)
    assert function(4) == 8
    assert capsys.readouterr().err.count(NOTICE) == 1
    assert function(5) == 10
    assert function(5.0) == 10.0  # compiles again, for another type, but not much later
    assert compiled.cached_jit(doubled)(4) == 8  # lies on disk
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("fresh")
def test_a_moment_needs_no_notice(capsys, monkeypatch):
    monkeypatch.setattr(compiled, "NOTICE_AFTER_SECONDS", 60.0)
    assert compiled.cached_jit(doubled)(4) == 8
    assert capsys.readouterr().err == ""
    assert compiled._notice._timers == []


def test_a_call_starts_no_thread(monkeypatch):
    rules = RomansGoHome(Table())

    def no_thread(*arguments, **settings):
        raise AssertionError("a thread was started")

    states = rules.new_states(1)

    def call():
        rules.deal(states, 0, streams_from_seeds([1]))
        rules.determinize(rules.redacted_for(states, 0, 0), 0, np.random.default_rng(1))

    call()  # the first one may compile
    monkeypatch.setattr(threading.Thread, "__init__", no_thread)
    call()
