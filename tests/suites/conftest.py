"""The toy game is known to a suite that asks for it."""

import pytest

from tests.harness import toy_registered


@pytest.fixture(scope="module")
def toy():
    with toy_registered():
        yield
