"""Bad input to Roma is refused in one line that says what is wrong, and changes nothing."""

import pytest

from romans_env import Game
from romans_env.games import spec_of
from romans_env.roma import Roma, RomaSetup
from tests.roma.stages import RULES, new_game, played, state_bytes


@pytest.mark.parametrize("players", [0, 1, 3, "2", 2.5, True, [2]])
def test_a_wrong_number_of_players(players):
    with pytest.raises(ValueError, match=r"Roma is a game for 2 players, not .* \(ROMA 1.1\)"):
        RomaSetup(players)
    with pytest.raises(ValueError, match="for 2 players"):
        spec_of("roma").make_rules(num_players=players)


@pytest.mark.parametrize("setup", [None, [], 0, "", {"num_players": 2}, {"variant": None}])
def test_a_wrong_table(setup):
    with pytest.raises(ValueError, match="Roma has no settings"):
        Roma.from_json(setup)
    assert Roma.from_json({}) == Roma() and str(Roma().setup) == "Roma"


def whole_record():
    return played(new_game(seed=2), 2).record()


def test_a_prescribed_outcome_that_is_impossible_later_is_an_error_of_the_action():
    record = whole_record()
    good = Game(RULES, deal=record["deal"])
    bad = Game(RULES, deal={"outcomes": [*record["deal"]["outcomes"][:8], "nonsense"]})
    for entry in record["actions"]:
        action = entry.split()[1]
        good.act(action)
        if good.position()["turn"]:
            break
        bad.act(action)
    before, actions, legal = state_bytes(bad), bad.actions, bad.legal_actions()
    for _ in range(2):
        with pytest.raises(ValueError, match="outcome 9 of the deal: a die shows an integer from 1 to 6"):
            bad.act(action)
        assert (state_bytes(bad), bad.actions, bad.legal_actions()) == (before, actions, legal)
