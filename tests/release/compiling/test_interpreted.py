"""The rules and the agents of every game run interpreted as they run compiled."""

import json

import pytest

from tests.agents.choices import CASES, choices
from tests.digest import COMPILED, digests, printed_interpreted
from tests.romans_go_home.players import greedy_digest


@pytest.mark.parametrize("game", COMPILED, ids=lambda game: game.name)
def test_rules(game):
    assert json.loads(printed_interpreted("-m", "tests.digest", game.name)) == digests(game)


def test_greedy():
    script = "from tests.romans_go_home.players import greedy_digest; print(greedy_digest())"
    assert printed_interpreted("-c", script).strip() == greedy_digest()


@pytest.mark.parametrize("name", CASES)
def test_agents_choose_alike(name):
    """And priors are probabilities, values are returns, where nothing is compiled."""
    module = "romans_agents.loops.tree"
    interpreted = json.loads(printed_interpreted("-m", "tests.agents.choices", name, overflows_in=module))
    assert interpreted["choices"] == choices(CASES[name])
    assert len(interpreted["guided"]) > 5
    for found in interpreted["guided"]:
        assert found["legal"][0] == found["legal"][1]
        assert sum(found["priors"]) == pytest.approx(1.0) and min(found["priors"]) > 0.0
        assert sum(found["returns"]) == pytest.approx(0.0)
        assert min(found["returns"]) >= (-1.0 if name == "roma" else -1.0 / 3.0) and max(found["returns"]) <= 1.0
        assert found["goes_on"]  # a turn is played to its end
