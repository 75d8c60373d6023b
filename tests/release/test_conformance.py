"""The recorded games of Roma and Struggle for Rome that the tests of every day leave out."""

import pytest

from tests.roma import recorded as roma
from tests.struggle import recorded as struggle


@pytest.mark.parametrize("part", range(1, 10, 2))
def test_recorded_games_of_roma_are_played_alike(part):
    roma.check_recorded(part)


@pytest.mark.parametrize("part", range(1, 11, 2))
def test_recorded_games_of_struggle_are_played_alike(part):
    struggle.check_recorded(part)
