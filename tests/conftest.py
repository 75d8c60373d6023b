"""Settings of all tests."""

from __future__ import annotations

import sys

import pytest
from hypothesis import settings

# A first call may compile for a while, and a slow machine is no failure.
settings.register_profile("games", deadline=None, max_examples=25, derandomize=True, database=None)
settings.load_profile("games")


@pytest.fixture
def no_screen(monkeypatch):
    """A machine on which no window can be opened."""
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
