"""Recorded games of an independent implementation of the rules, played in lockstep through ``raw_env()``.

These are 36 of 66; tests/release/test_conformance.py has the others.
"""

import pytest

from tests.struggle.recorded import check_recorded

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("part", range(0, 11, 2))
def test_recorded_games_are_played_alike(part):
    check_recorded(part)
