"""Bad input to Struggle for Rome is refused in one line that says what is wrong, and changes nothing."""

import pytest

from romans_env.struggle import StruggleForRome, StruggleSetup
from tests.struggle.boards import small_board

NUMBER = "{} is an integer from 1 to 1000000, not"
WRONG = [
    *(("max_offers", value, NUMBER.format("max_offers")) for value in (0, -1, 1.5, "3", None, True, 10**7, [1])),
    *(("max_rounds", value, NUMBER.format("max_rounds")) for value in (0, -1, 1.5, "3", None, True, 10**7, [1])),
    *(("player_trade", value, "player_trade is true or false, not") for value in (None, 1, 0, "yes", [])),
    *(("board", value, "board") for value in (3, [], {}, "no_such_file.json", {"hexes": []}, True)),
]


@pytest.mark.parametrize(("setting", "value", "says"), WRONG)
def test_a_wrong_setting(setting, value, says):
    with pytest.raises(ValueError, match=says) as error:
        StruggleSetup(**{setting: value})
    assert "\n" not in str(error.value)


TABLE = {"num_players": 4, "player_trade": True, "max_offers": 3, "max_rounds": 60}


def test_a_table_is_read_back():
    assert StruggleSetup().as_json() == TABLE
    for setup in (StruggleSetup(), StruggleSetup(3, None, False, 1, 7), StruggleSetup(board=small_board())):
        again = StruggleForRome.from_json(setup.as_json())
        assert again.setup == setup and again == StruggleForRome(setup) and hash(again) == hash(StruggleForRome(setup))
    assert str(StruggleSetup()) == "4" and str(StruggleSetup(3, None, False, 1, 7)) == "3 no trade 7 rounds"
    assert str(StruggleSetup(max_offers=5)) == "4 5 offers" and "board" in str(StruggleSetup(board=small_board()))
