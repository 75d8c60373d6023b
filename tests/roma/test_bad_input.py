"""Bad input to Roma is refused in one line that says what is wrong, and changes nothing."""

from __future__ import annotations

import copy

import pytest

from romans_env import Game, RecordError, replay
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


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda record: record.update(table={"num_players": 2}), "table or deal does not fit: Roma has no settings"),
        (lambda record: record["deal"]["outcomes"].__setitem__(0, 3), "outcome 1 of the deal: the card drawn"),
        (lambda record: record["deal"]["outcomes"].__setitem__(8, "forum"), "outcome 9 of the deal: a die shows"),
        (lambda record: record["deal"]["outcomes"].__setitem__(8, True), "outcome 9 of the deal: a die shows"),
        (lambda record: record["actions"].__setitem__(4, "player_0 end"), "action 5 of .* end is not legal"),
    ],
)
def test_a_wrong_record(change, says):
    record = copy.deepcopy(dict(whole_record()))
    change(record)
    with pytest.raises(RecordError, match=says) as error:
        replay(record)
    assert "\n" not in str(error.value)


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
