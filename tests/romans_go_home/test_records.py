"""Records of Romans Go Home!: its tables and deals. (What holds for records of any game, the suite says.)"""

from __future__ import annotations

import pytest

from romans_env import RecordError, replay
from tests.romans_go_home.stages import random_game
from tests.tools import state_bytes

STANDARD = {"num_players": 2, "num_neutrals": 0, "variant": "standard"}


def test_a_deck_of_ones_own_is_in_the_record():
    deck = ("legion-1",) * 4 + ("signal-4",) * 14
    game = random_game((2, 0, "standard", deck), seed=2)
    assert sorted(game.record()["table"]["fort_deck"]) == sorted(deck)
    assert state_bytes(replay(game.record())) == state_bytes(game)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        *(({**STANDARD, "num_players": players}, "no table has") for players in (2.0, True, "2", 5)),
        ({**STANDARD, "colour": "red"}, "keys"),
        ({**STANDARD, "variant": "house"}, "house"),
        ({**STANDARD, "fort_deck": 7}, "a list of 18 forts"),
        *(
            ({name: value for name, value in STANDARD.items() if name != key}, "a table is an object with the keys")
            for key in STANDARD
        ),
    ],
    ids=str,
)
def test_a_table_that_does_not_fit(table, why):
    with pytest.raises(RecordError, match=why) as refused:
        replay({**random_game((2, 0, "standard"), seed=8).record(), "table": table})
    assert "\n" not in str(refused.value)


def test_a_deal_that_does_not_fit():
    record = random_game((2, 0, "standard"), seed=8).record()
    with pytest.raises(RecordError, match=r"deal is missing"):  # it is not played on another
        replay({**record, "deal": None, "actions": [], "result": None})
    record["deal"]["rounds"][1]["player_1"][0] = "knight"
    with pytest.raises(RecordError, match=r"round 2, player_1.*knight"):
        replay(record)
