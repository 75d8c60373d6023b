"""Settings of all tests, and which of them are slow: `make test-fast` leaves those out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import settings

from romans_agents.registry import temporary_registrations
from romans_training.cli.main import main

# A first call may compile for a while, and a slow machine is no failure.
settings.register_profile("games", deadline=None, max_examples=25, derandomize=True, database=None)
settings.load_profile("games")

TESTS = Path(__file__).resolve().parent
SLOW = (
    "analysis",
    "docs",
    "fuzz",
    "recordings",
    "training",
    "roma/test_agents.py",
    "roma/test_analysis.py",
    "roma/test_command_line.py",
    "roma/test_determinization.py",
    "roma/test_events.py",
    "roma/test_exact.py",
    "roma/test_fit_value.py",
    "roma/test_interpreted.py",
    "roma/test_ladder.py",
    "roma/test_play.py",
    "roma/test_quaestor.py",
    "roma/test_rendering.py",
    "serve",
    "struggle/test_agents.py",
    "struggle/test_alaric.py",
    "struggle/test_board_size.py",
    "struggle/test_conformance.py",
    "struggle/test_determinization.py",
    "struggle/test_drawing.py",
    "struggle/test_events.py",
    "struggle/test_fit_win_chance.py",
    "struggle/test_imitate.py",
    "struggle/test_interpreted.py",
    "struggle/test_ladder.py",
    "struggle/test_open_spiel.py",
    "struggle/test_search.py",
    "struggle/test_stilicho.py",
    "struggle/test_words.py",
    "test_agents.py",
    "test_agents_from_files.py",
    "test_bad_input.py",
    "test_benchmarks.py",
    "test_cache_folder.py",
    "test_code_cache.py",
    "test_cold_start.py",
    "test_compiled.py",
    "test_determinization.py",
    "test_distribution.py",
    "test_docs.py",
    "test_every_decision.py",
    "test_examples.py",
    "test_interpreted.py",
    "test_legate.py",
    "test_language.py",
    "test_neutral_search.py",
    "test_notebooks.py",
    "test_open_spiel.py",
    "test_permission.py",
    "test_process_agent.py",
    "test_readme.py",
    "test_referee.py",
    "test_registration.py",
    "test_rendering.py",
    "test_replay_page.py",
    "test_round_networks.py",
    "test_round_solutions.py",
    "test_rounds.py",
    "test_sb3_vec_env.py",
    "test_scripted_agents.py",
    "test_search_agents.py",
    "test_self_play_batch.py",
    "test_shared_game.py",
    "test_small_tables.py",
    "test_threads.py",
    "toy",
)
"""Files and folders: agents, training, tournaments, analyses, searches, other libraries, whatever starts processes."""


def _is_slow(path: Path) -> bool:
    place = path.resolve().relative_to(TESTS).as_posix()
    return any(place == slow or place.startswith(f"{slow}/") for slow in SLOW)


def pytest_ignore_collect(collection_path, config):
    """Where slow tests are left out, what they import, such as torch, is not imported either."""
    return True if config.option.markexpr == "not slow" and _is_slow(collection_path) else None


def pytest_collection_modifyitems(items):
    """Mark the tests of slow files; a test of another file has the mark itself."""
    for item in items:
        if _is_slow(item.path):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def no_screen(monkeypatch):
    """A machine on which no window can be opened."""
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def called(capsys):
    """Run ``romans`` in this process."""

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return stop.value.code, captured.out, captured.err

    return call


@pytest.fixture
def own_registry():
    """Agents that the test registers are gone after it."""
    with temporary_registrations():
        yield
