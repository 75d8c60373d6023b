"""The toy game is known while the tests of this folder run, and no longer."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def registered(toy):
    """See `toy`."""
