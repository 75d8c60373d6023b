"""A short game of every kind runs interpreted as it runs compiled. (`tests/release/compiling` plays every table.)"""

import json

import pytest

from tests.digest import COMPILED, printed_interpreted, shortest

pytestmark = pytest.mark.slow


def test_compiled_and_interpreted_runs_agree():
    assert json.loads(printed_interpreted("-m", "tests.digest")) == [shortest(game) for game in COMPILED]
