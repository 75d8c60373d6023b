"""Recorded games of an independent implementation of the rules, played in lockstep through ``raw_env()``.

These are half of 200; tests/release/test_conformance.py has the others.
"""

import pytest

from tests.roma.recorded import check_recorded


@pytest.mark.parametrize("part", range(0, 10, 2))
def test_recorded_games_are_played_alike(part):
    check_recorded(part)
