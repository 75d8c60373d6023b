"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# A first call may compile for a while, and a slow machine is no failure.
settings.register_profile("games", deadline=None, max_examples=25, derandomize=True, database=None)
settings.load_profile("games")
