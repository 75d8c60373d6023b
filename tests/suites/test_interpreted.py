"""The rules of every game run interpreted as they run compiled."""

import json

import pytest

from tests.digest import digests
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE
from tests.interpreted import printed_interpreted

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", [ROMANS_GO_HOME, ROMA, STRUGGLE], ids=lambda game: game.name)
def test_compiled_and_interpreted_runs_agree(game):
    assert json.loads(printed_interpreted("-m", "tests.digest", game.name)) == digests(game)
