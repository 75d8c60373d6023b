"""STRUGGLE 7: points and end."""

import pytest

from tests.struggle.stages import Stage

ALL = "germania gallia hispania italia_superus italia_inferus"
FOUR_CITIES = ["roma", "corfinium", "capua", "ravenna"]
FOUR_OTHERS = ["narbo", "tolosa", "massilia", "lugdunum"]


def last_turn(**things):
    """The last turn of round 2 of 2, or of a game that is final."""
    return Stage(4, 3, **{"max_rounds": 2, **things})


def test_7_1_counters_of_all_colours():
    tribe = {"at": 107, "army": 5, "counters": "germania gallia hispania italia_superus"}
    stage = Stage(3, tribes={(0, "horseman"): tribe}, outcomes=["gold"])
    assert stage.of(0)["points"] == 0
    assert stage.play("plunder:roma").of(0)["points"] == 2
    # Each tribe has its own.
    both = {(0, "horseman"): tribe | {"counters": ALL, "at": 104}, (0, "warrior"): tribe}
    stage = Stage(4, tribes=both, outcomes=["gold"]).play("plunder:roma")
    assert stage.of(0)["points"] == 4


def test_7_1_four_cities_of_each_tribe():
    tribes = {
        (0, "horseman"): {"cities": FOUR_CITIES, "army": 2, "wagons": 2},
        (0, "warrior"): {"cities": FOUR_OTHERS[:3], "army": 4, "wagons": 1},
    }
    stage = Stage(3, tribes=tribes)
    assert stage.of(0)["points"] == 7
    # A fifth city of the one is no fourth of the other.
    assert stage.play("conquer:genua").of(0)["points"] == 8
    stage = Stage(4, tribes=tribes)
    assert stage.play("conquer:lugdunum").of(0)["points"] == 7 + 1 + 2 and stage.position["final"]


def test_7_1_the_diplomacy_card():
    stage = Stage(2, cards={0: "diplomacy"}, played={0: "diplomacy", 1: "diplomacy diplomacy diplomacy"})
    assert stage.position["diplomacy"] == "player_1" and stage.of(1)["points"] == 2
    assert stage.play("play:diplomacy").position["diplomacy"] == "player_1"
    # As many are not enough, one more is.
    stage = Stage(2, cards={0: "diplomacy"}, played={0: "diplomacy " * 2, 1: "diplomacy " * 3}).play("play:diplomacy")
    assert stage.position["diplomacy"] == "player_1"
    played = {0: "diplomacy " * 3, 1: "diplomacy " * 3}
    stage = Stage(2, cards={0: "diplomacy"}, played=played)
    stage.game.states[0].diplomacy = 1
    stage.play("play:diplomacy")
    assert stage.position["diplomacy"] == "player_0"
    assert [stage.of(seat)["points"] for seat in range(2)] == [2, 0]


def test_7_2_final_stays_and_the_round_is_played_to_its_end():
    cities = [*FOUR_CITIES, *FOUR_OTHERS, "genua"]
    tribes = {(0, "horseman"): {"cities": cities[:5], "army": 3}, (0, "warrior"): {"cities": cities[5:8], "army": 0}}
    played = {0: "diplomacy " * 3, 1: "diplomacy " * 3}
    stage = Stage(3, tribes=tribes, played=played, plundered=["genua"])
    assert stage.of(0)["points"] == 10 and not stage.position["final"]
    # The points are counted when something changes.
    stage.play("conquer:genua")
    assert stage.position["final"] and stage.of(0)["points"] == 11 and not stage.game.is_over
    for _ in range(7):
        stage.play("rest:gold")
    assert stage.game.is_over and stage.position["round"] == 2


def test_7_2_culture_in_hand_does_not_count():
    tribes = {(0, "horseman"): {"cities": [*FOUR_CITIES, "genua", "placentia"], "army": 3, "wagons": 2}}
    stage = Stage(3, tribes=tribes, cards={0: "culture culture culture culture"}).play("conquer:perusia")
    assert stage.of(0)["points"] == 7 and not stage.position["final"]


def test_7_3_treasures_and_cultures_are_played():
    stage = last_turn(cards={0: "treasure culture culture traitor", 2: "treasure treasure diplomacy"})
    stage.play("rest:grain")
    one, two = stage.of(0), stage.of(2)
    assert (one["points"], one["gold"], one["development"]) == (2, 12, {"traitor": 1})
    assert one["played"] == {"treasure": 1, "culture": 2} and one["development_size"] == 1
    assert (two["points"], two["gold"], two["development"]) == (0, 19, {"diplomacy": 1})
    assert stage.game.winners() == ["player_0"]


def test_7_3_among_equals_most_gold_wins():
    stage = last_turn(gold={0: 5, 1: 9, 2: 3, 3: 1}).play("rest:grain")
    assert stage.game.winners() == ["player_1"]
    # A treasure counts.
    stage = last_turn(gold={0: 5, 1: 9, 2: 3, 3: 1}, cards={0: "treasure"}).play("rest:grain")
    assert stage.game.winners() == ["player_0"]
    assert last_turn(gold={0: 99}, cards={2: "culture"}).play("rest:grain").game.winners() == ["player_2"]


@pytest.mark.parametrize(
    ("players", "gold", "returns"),
    [
        (4, (9, 1, 1, 1), (1, -1 / 3, -1 / 3, -1 / 3)),
        (4, (9, 9, 1, 1), (1 / 3, 1 / 3, -1 / 3, -1 / 3)),
        (4, (9, 9, 9, 1), (1 / 9, 1 / 9, 1 / 9, -1 / 3)),
        (4, (9, 9, 9, 9), (0, 0, 0, 0)),
        (3, (1, 9, 1), (-1 / 2, 1, -1 / 2)),
        (3, (9, 1, 9), (1 / 4, -1 / 2, 1 / 4)),
        (3, (9, 9, 9), (0, 0, 0)),
    ],
)
def test_7_4_returns(players, gold, returns):
    stage = Stage(4, players - 1, gold=dict(enumerate(gold)), num_players=players, max_rounds=2).play("rest:grain")
    got = stage.game.returns()
    assert list(got.values()) == pytest.approx(list(returns)) and sum(got.values()) == pytest.approx(0)
    assert stage.game.winners() == [f"player_{seat}" for seat in range(players) if gold[seat] == 9]
