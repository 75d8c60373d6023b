"""STRUGGLE 8: decisions and actions."""

import pytest

from tests.struggle.stages import BOARD, FOUR, game_at


@pytest.mark.parametrize("kind", ["legion", "rob", "build", "answer", "tribe", "fare"])
def test_8_1_the_kinds_of_decision(kind):
    game = game_at(kind)
    blocks = {name.split(":")[0] for name in map(game.action_name, game.legal_actions())}
    assert (
        blocks
        <= {
            "legion": {"legion"},
            "rob": {"rob"},
            "build": {"bank", "army", "wagon", "card", "offer", "play", "end"},
            "answer": {"accept", "decline"},
            "tribe": {"rest", "move", "plunder", "conquer", "play", "end"},
            "fare": {"pay"},
        }[kind]
    )


IDS = """
    bank:grain:ore 0, bank:grain:pasture 1, bank:ore:grain 2, bank:ore:pasture 3, bank:cattle:grain 4,
    bank:cattle:ore 5, bank:cattle:pasture 6, bank:horse:grain 7, bank:horse:ore 8, bank:horse:pasture 9,
    army 10, army:ore 11, army:horse 12,
    wagon:horseman 13, wagon:horseman:horse 14, wagon:horseman:grain 15, wagon:horseman:cattle 16,
    wagon:warrior 17, wagon:warrior:horse 18, wagon:warrior:grain 19, wagon:warrior:cattle 20,
    card 21, card:cattle 22,
    accept 83, decline 84, play:diplomacy 85, play:great_warrior 86, play:treasure 87,
    rest:gold 88, rest:grain 89, rest:ore 90, rest:pasture 91, end 92, rob:+1 93, rob:+2 94, rob:+3 95
"""


def test_8_2_ids_of_the_table():
    for entry in IDS.replace("\n", " ").split(","):
        name, number = entry.split()
        assert FOUR.action_id(name) == int(number) and FOUR.action_name(int(number)) == name


def test_8_2_ids_of_the_long_blocks():
    goods = ("grain", "ore", "cattle", "horse", "gold")
    for a, given in enumerate(goods):
        for b, asked in enumerate(goods):
            if a != b:
                p = 4 * a + b - (b > a)
                for k, ratio in enumerate(("1-1", "2-1", "1-2")):
                    assert FOUR.action_id(f"offer:{given}:{asked}:{ratio}") == 23 + 3 * p + k
    assert [FOUR.action_id(f"pay:{grain}") for grain in range(10)] == list(range(96, 106))
    for number, city in enumerate(BOARD.cities):
        assert FOUR.action_id(f"plunder:{city.name}") == 106 + number
        assert FOUR.action_id(f"conquer:{city.name}") == 146 + number
    for one in BOARD.hexes:
        assert FOUR.action_id(f"legion:{one.id}") == 186 + one.id
    for one in BOARD.crossroads:
        assert FOUR.action_id(f"move:{one.id}") == 186 + len(BOARD.hexes) + one.id
    assert FOUR.num_actions == len(set(FOUR.action_names)) == 399
