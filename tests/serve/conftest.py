"""The games that are served: those of the library, and the toy game, which has neither drawing nor words."""

from __future__ import annotations

import pytest

from romans_env import games
from tests.toy.dice_race_v0 import SPEC

pytest.importorskip("fastapi", reason="games are served with the extra 'serve'")


@pytest.fixture(autouse=True, scope="session")
def toy_game():
    """Registered for the tests of this folder; its environments are not."""
    if SPEC.name in games.names():
        yield
        return
    games.register(SPEC)
    yield
    games.unregister(SPEC.name)
