"""Settings of all tests."""

from __future__ import annotations

import sys

import pytest
from hypothesis import settings

from romans_agents.registry import temporary_registrations
from romans_training.cli.main import main

# A first call may compile for a while, and a slow machine is no failure.
settings.register_profile("games", deadline=None, max_examples=25, derandomize=True, database=None)
settings.load_profile("games")


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
