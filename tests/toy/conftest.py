"""The toy game is known while the tests of this folder run, and no longer."""

import pytest

from tests.harness import toy_registered


@pytest.fixture(autouse=True, scope="module")
def registered():
    with toy_registered():
        yield
