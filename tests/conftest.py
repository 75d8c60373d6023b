"""Settings of all tests, and the folders of slow ones."""

import sys
from pathlib import Path

import pytest
from hypothesis import settings

from romans_agents.specs import registry
from romans_env.core import games, python_files, registration
from romans_training.cli.main import main

# A first call may compile for a while, and a slow machine is no failure.
settings.register_profile("games", deadline=None, max_examples=25, derandomize=True, database=None)
settings.load_profile("games")

TESTS = Path(__file__).resolve().parent
SLOW_FOLDERS = {"agents", "analysis", "drawing", "fuzz", "recordings", "release", "serve", "toy", "training"}
"""`make test-fast` leaves out what lies in a folder of these names; `make test` leaves out ``tests/release``."""


def _is_slow(path: Path) -> bool:
    return not SLOW_FOLDERS.isdisjoint(path.resolve().relative_to(TESTS).parts)


def pytest_ignore_collect(collection_path, config):
    """Where slow tests are left out, what they import, such as torch, is not imported either."""
    return True if config.option.markexpr == "not slow" and _is_slow(collection_path) else None


def pytest_collection_modifyitems(items):
    """Mark the tests of slow folders; a slow test elsewhere has the mark itself."""
    for item in items:
        if _is_slow(item.path):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def toy():
    """The toy game is known to a file that asks for it."""
    from tests.harness import toy_registered  # imports every game

    with toy_registered():
        yield


@pytest.fixture
def no_screen(monkeypatch):
    """A machine on which no window can be opened."""
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def models():
    """A model of each learner of stable-baselines3 that can be loaded, untrained."""
    from tests.training.brought import learners  # imports torch

    return learners()


@pytest.fixture
def given(models, tmp_path, monkeypatch):
    """What can decide, by how it is brought; files are in the working directory."""
    from tests.training.brought import everything

    monkeypatch.chdir(tmp_path)
    return everything(models)


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
def own_games(monkeypatch):
    """Games of files that become known in the test are forgotten after it."""
    monkeypatch.setenv(registration.OWN_GAMES, "")
    monkeypatch.setattr(games, "_SPECS", dict(games._SPECS))
    monkeypatch.setattr(registration, "_FILES", {})
    monkeypatch.setattr(python_files, "_LOADED", {})


@pytest.fixture
def own_registry(monkeypatch):
    """Agents that the test registers are gone after it."""
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))
