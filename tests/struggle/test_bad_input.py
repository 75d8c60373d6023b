"""Bad input to Struggle for Rome is refused in one line that says what is wrong, and changes nothing."""

import pytest

from romans_env.struggle import StruggleForRome, StruggleSetup
from tests.struggle.boards import small_board
from tests.struggle.stages import FOUR


@pytest.mark.parametrize("setting", ["max_offers", "max_rounds"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "3", None, True, 10**7, [1]])
def test_wrong_numbers(setting, value):
    with pytest.raises(ValueError, match=f"{setting} is an integer from 1 to 1000000, not") as error:
        StruggleSetup(**{setting: value})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", [None, 1, 0, "yes", []])
def test_a_wrong_player_trade(value):
    with pytest.raises(ValueError, match="player_trade is true or false, not"):
        StruggleSetup(player_trade=value)


@pytest.mark.parametrize("board", [3, [], {}, "no_such_file.json", {"hexes": []}, True])
def test_a_wrong_board(board):
    with pytest.raises(ValueError, match="board") as error:
        StruggleSetup(board=board)
    assert "\n" not in str(error.value)


TABLE = {"num_players": 4, "player_trade": True, "max_offers": 3, "max_rounds": 60}


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        (None, "is an object with the keys"),
        ([], "is an object with the keys"),
        ({}, "is an object with the keys"),
        ({"num_players": 4}, "is an object with the keys"),
        (TABLE | {"variant": 1}, "is an object with the keys"),
        (TABLE | {"board": "path.json"}, "a table's board is the whole board file"),
        (TABLE | {"board": None}, "a table's board is the whole board file"),
        (TABLE | {"num_players": None}, "num_players is 3 or 4"),
        (TABLE | {"num_players": 2}, "3 or 4 players"),
        (TABLE | {"max_rounds": 0}, "max_rounds is an integer"),
    ],
)
def test_a_wrong_table(setup, says):
    with pytest.raises(ValueError, match=says):
        StruggleForRome.from_json(setup)


def test_a_table_is_read_back():
    assert StruggleSetup().as_json() == TABLE
    for setup in (StruggleSetup(), StruggleSetup(3, None, False, 1, 7), StruggleSetup(board=small_board())):
        again = StruggleForRome.from_json(setup.as_json())
        assert again.setup == setup and again == StruggleForRome(setup) and hash(again) == hash(StruggleForRome(setup))
    assert str(StruggleSetup()) == "4" and str(StruggleSetup(3, None, False, 1, 7)) == "3 no trade 7 rounds"
    assert str(StruggleSetup(max_offers=5)) == "4 5 offers" and "board" in str(StruggleSetup(board=small_board()))


@pytest.mark.parametrize(
    ("actions", "outcome", "says"),
    [([], "diplomacy", "the pasture card drawn is one of"), (["cattle"] * 4, "cattle", "a die shows an integer")],
)
def test_an_outcome_of_another_kind(actions, outcome, says):
    states = FOUR.new_states(1)
    FOUR.begin(states, 0)
    for one in actions:
        FOUR.act_chance(states, 0, one)
    before = states.tobytes()
    with pytest.raises(ValueError, match=says):
        FOUR.act_chance(states, 0, outcome)
    assert states.tobytes() == before
