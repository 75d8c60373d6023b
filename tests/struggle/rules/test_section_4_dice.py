"""STRUGGLE 4: the dice."""

import pytest

from tests.struggle.stages import BOARD, Stage, new_game


def dice(*numbers):
    """Two dice for each of some numbers."""
    return [die for number in numbers for die in (max(1, number - 6), min(6, number - 1))]


def rolled(*outcomes, **things):
    """A stage after phase 1, with these outcomes."""
    return Stage(1, outcomes=outcomes, **things)


def test_4_1_dice_are_thrown_until_four_numbers_bear_a_marker():
    stage = rolled(*dice(2, 12, 2, 2, 11, 12, 6))
    assert stage.position["markers"] == [2, 6, 11, 12] and stage.outcomes_used == 14
    assert stage.position["phase"] > 1


def test_4_1_a_second_time_a_number_gives_nothing():
    stage = rolled(*dice(5, 5, 5, 2, 12, 11))
    # Hex 1 is field 5: seats 0 (9), 1 (15), 2 (10) and 3 (5) touch it.
    assert [stage.of(seat)["hand"].get("grain") for seat in range(4)] == [1, 1, 1, 1]
    assert stage.position["bank"]["grain"] == 10


def test_4_1_a_seven_is_one_of_the_numbers_and_a_second_one_does_nothing():
    stage = rolled(*dice(7), *dice(2, 7, 12, 11))
    assert stage.asked() == ("player_0", "legion") and stage.position["markers"] == [7]
    stage.play("legion:54")
    assert stage.position["markers"] == [2, 7, 11, 12] and stage.outcomes_used == 10


def test_4_1_markers_are_gone_when_the_next_round_begins():
    stage = Stage(4, 3, outcomes=dice(2, 12, 11, 6), round_number=5)
    stage.game.states[0].markers = 0b1111
    stage.play("rest:gold")
    assert stage.position["round"] == 6 and stage.position["markers"] == [2, 6, 11, 12]


def test_4_2_a_hex_gives_one_however_many_places_touch_it():
    # Fields 7 and 12 have an 8: both tribes at the one, or at both.
    assert [set(BOARD.crossroads[place].hexes) & {7, 12} for place in (30, 37, 31)] == [{12}, {12}, {7}]
    for horseman, warrior, grain in ((30, 37, 1), (30, 31, 2)):
        tribes = {(0, "horseman"): {"at": horseman}, (0, "warrior"): {"at": warrior}}
        stage = rolled(*dice(8, 2, 12, 11), tribes=tribes)
        assert stage.of(0)["hand"]["grain"] == grain


def test_4_2_grain_ore_and_pasture_cards():
    # 4: pasture 6 for seats 1 (15), 2 (22 and 10), 3 (23); 10: mountain 2 for seats 1 (11), 2 (10), 3 (5).
    stage = rolled(*dice(4), "cattle", "horse", "horse", *dice(10, 2, 12))
    assert [stage.of(seat)["hand"] for seat in range(4)] == [
        {},
        {"ore": 1, "cattle": 1},
        {"ore": 1, "horse": 1},
        {"ore": 1, "horse": 1},
    ]


def test_4_2_the_hex_of_the_legionnaire_gives_nothing():
    assert rolled(*dice(5, 2, 12, 11), legion=1).position["bank"]["grain"] == 14


def test_4_2_pasture_cards_are_drawn_clockwise_from_the_first_player():
    # Round 3 of four: player_2 is first.
    stage = Stage(4, 1, outcomes=[*dice(4), "horse", "cattle", "cattle", *dice(2, 12, 11)], round_number=2)
    stage.game.states[0].first = 2
    stage.play("rest:gold")
    assert stage.position["first"] == "player_3"
    assert [stage.of(seat)["hand"] for seat in (3, 1, 2)] == [{"horse": 1}, {"cattle": 1}, {"cattle": 1}]


@pytest.mark.parametrize(
    ("held", "bank", "then", "left"),
    [
        pytest.param((5, 4, 3, 0), None, [4, 3, 3, 1], {"grain": 3}, id="2 are there of 4: 2 + 2 + 1 come back"),
        pytest.param((1, 1, 1, 1), {"grain": 1}, [2, 1, 1, 1], {}, id="1 is there, nobody has 2: it is lost"),
        pytest.param((5, 5, 0, 0), None, [6, 6, 1, 1], {}, id="enough is enough"),
    ],
)
def test_4_3_too_little_grain_all_discard_half_before(held, bank, then, left):
    hands = {seat: "grain " * number for seat, number in enumerate(held)}
    stage = rolled(*dice(5, 2, 12, 11), hands=hands, bank=bank)
    assert [stage.of(seat)["hand"]["grain"] for seat in range(4)] == then
    assert {name: number for name, number in stage.position["bank"].items() if name == "grain"} == left


def test_4_3_too_few_pasture_cards_all_discard_half_of_each_kind():
    hands = {0: "cattle " * 5 + "horse " * 3, 1: "cattle " * 5 + "horse " * 5}
    stage = rolled(*dice(4), "horse", "horse", "horse", *dice(2, 12, 11), hands=hands, discard="horse")
    # 2 are left with pile and discard, 3 due: 2 + 2 cattle and 1 + 2 horses are discarded.
    assert stage.of(0)["hand"] == {"cattle": 3, "horse": 2}
    assert stage.of(1)["hand"] == {"cattle": 3, "horse": 4}
    assert stage.of(2)["hand"] == stage.of(3)["hand"] == {"horse": 1}
    total = sum(stage.position["pasture_pile"].values()) + sum(stage.position["pasture_discard"].values())
    assert total == 20 - 5 - 7 - 2


def test_4_3_pasture_cards_that_are_not_there_are_lost():
    hands = dict.fromkeys(range(4), "cattle horse")
    stage = rolled(*dice(4), "cattle", *dice(2, 12, 11), hands=hands, pile={"cattle": 1})
    assert stage.outcomes_used == 9 and stage.of(1)["hand"] == {"cattle": 2, "horse": 1}
    assert stage.of(2)["hand"] == {"cattle": 1, "horse": 1} and stage.position["pasture_pile"] == {}


def test_4_4_the_legionnaire_must_move_within_the_empire():
    stage = rolled(*dice(7, 2, 12, 11))
    empire = {one.id for one in BOARD.hexes if one.province != "limes"} - {BOARD.legion}
    assert stage.legal == sorted(f"legion:{one}" for one in empire) and len(empire) == 46


def robbing(*outcomes, legion="legion:40", **things):
    """Seat 0 has thrown a seven; at hex 40 are roma, a city of seat 2, a tribe of seat 3 and one of its own."""
    tribes = {(2, "warrior"): {"cities": ["roma"]}, (3, "horseman"): {"at": 107}, (0, "horseman"): {"at": 106}}
    stage = rolled(*dice(7), *outcomes, *dice(2, 12, 11), tribes=tribes, **things)
    return stage.play(legion) if legion else stage


def test_4_4_a_rival_at_the_hex_is_robbed_of_a_card():
    stage = robbing("ore", hands={2: "grain ore ore", 3: "cattle"})
    assert stage.asked() == ("player_0", "rob") and stage.legal == ["rob:+2", "rob:+3"]
    assert stage.position["legion"] == 40
    stage.play("rob:+2")
    assert stage.of(0)["hand"] == {"ore": 1} and stage.of(2)["hand"] == {"grain": 1, "ore": 1}
    assert stage.outcomes_used == 9


def test_4_4_without_a_card_gold_is_taken():
    stage = robbing(gold={3: 1}, hands={2: "grain"}).play("rob:+3")
    assert (stage.of(0)["gold"], stage.of(3)["gold"]) == (6, 0)
    stage = robbing(gold={3: 9}, hands={2: "grain"}).play("rob:+3")
    assert (stage.of(0)["gold"], stage.of(3)["gold"]) == (7, 7)


def test_4_4_a_single_rival_is_robbed_without_a_question():
    stage = robbing("grain", gold={3: 0}, hands={2: "grain"})
    assert stage.of(0)["hand"] == {"grain": 1} and stage.outcomes_used == 9


def test_4_4_nobody_is_robbed_where_nobody_has_anything():
    stage = robbing(gold={2: 0, 3: 0})
    assert stage.outcomes_used == 8 and stage.of(0)["gold"] == 5
    assert robbing(legion="legion:51").outcomes_used == 8


def test_4_4_the_figure_of_a_kingdom_makes_no_place():
    # carthago_nova is at hex 52 alone; the figure of the kingdom stands there as well, and there is one rival.
    stage = robbing("ore", legion=None, hands={2: "ore"})
    assert new_game(seed=1).position()["legion"] == 41
    stage.play("legion:45")
    assert stage.legal == ["rob:+2", "rob:+3"]
