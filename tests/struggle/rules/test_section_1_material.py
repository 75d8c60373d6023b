"""STRUGGLE 1: material and settings."""

from collections import Counter

from romans_env import struggle_v0
from romans_env.struggle import StruggleSetup
from tests.struggle.stages import BOARD, FOUR, Stage, new_game

PROVINCES = ("germania", "gallia", "hispania", "italia_superus", "italia_inferus")


def test_1_1_settings_and_their_defaults():
    setup = StruggleSetup()
    assert (setup.num_players, setup.player_trade, setup.max_offers, setup.max_rounds) == (4, True, 3, 60)
    assert setup.board.is_stand_in
    for players in (3, 4):
        names = [f"player_{seat}" for seat in range(players)]
        assert list(new_game(1, num_players=players).position()["players"]) == names
        assert struggle_v0.env(num_players=players).possible_agents == names


def test_1_1_seats_are_clockwise():
    # +k is the k-th seat clockwise: with three players +2 of player_1 is player_0.
    tribes = {(0, "horseman"): {"at": 107}, (2, "horseman"): {"at": 122}}
    stage = Stage(2, 1, cards={1: "diplomacy"}, gold={0: 9, 1: 1}, tribes=tribes, num_players=3)
    stage.play("play:diplomacy", "legion:45")
    assert stage.legal == ["rob:+1", "rob:+2"]
    stage.play("rob:+2")
    assert (stage.of(0)["gold"], stage.of(1)["gold"]) == (7, 3)


def test_1_2_figures_and_wagons_of_a_seat():
    for seat in new_game(seed=2).position()["players"].values():
        for kind in ("horseman", "warrior"):
            assert seat["reserve"][kind] + seat["tribes"][kind]["army"] + 1 == 8
        assert seat["reserve"]["wagon"] + sum(tribe["wagons"] for tribe in seat["tribes"].values()) == 10


def test_1_3_cities_of_the_board_file():
    assert len(BOARD.cities) == 40 and len({city.crossroads for city in BOARD.cities}) == 40
    for province in PROVINCES:
        cities = [city for city in BOARD.cities if city.province == province]
        assert len(cities) == 8 and sum(city.three for city in cities) == 2
        assert sum(BOARD.counters[province].values()) == 8
    assert sum(city.towers >= 4 for city in BOARD.cities) == 10 and sum(BOARD.development.values()) == 30


def test_1_3_another_board_is_played_as_its_file_says():
    board = BOARD.as_json()
    board["development"] = {"traitor": 30}
    board["counters"]["gallia"] = {"none": 8}
    board["starts"][0], board["starts"][1] = board["starts"][1], board["starts"][0]
    position = new_game(seed=1, board=board).position()
    assert position["development_pile"] == {"traitor": 30} and position["counters"]["gallia"] == {"none": 8}
    assert [position["players"]["player_0"]["tribes"][name]["at"] for name in ("horseman", "warrior")] == [11, 15]


def test_1_4_provinces_and_the_empire():
    assert tuple(new_game(seed=1).position()["counters"]) == PROVINCES
    empire = [one.id for one in BOARD.hexes if one.province in PROVINCES]
    stage = Stage(2, cards={0: "diplomacy"}).play("play:diplomacy")
    assert stage.legal == sorted(f"legion:{one}" for one in empire if one != BOARD.legion)


def test_1_5_the_board_that_stands_in_for_the_printed_one():
    kinds = Counter(edge.kind for edge in BOARD.edges)
    assert (len(BOARD.hexes), len(BOARD.crossroads)) == (55, 158)
    assert kinds == {"road": 143, "land": 68, "sea": 9}
    assert sum(one.province != "limes" for one in BOARD.hexes) == 47
    assert Counter(city.towers for city in BOARD.cities) == {2: 16, 3: 14, 4: 9, 5: 1}
    assert BOARD.starts == ((31, 9), (11, 15), (22, 10), (23, 5)) and BOARD.legion == 41
    assert BOARD.hexes[7] == (7, 8, 1, "field", 8, "limes") and BOARD.crossroads[31].hexes == (7, 13)
    assert BOARD.cities[32] == ("roma", 115, "italia_inferus", 5, False)
    assert dict(BOARD.development) == {"diplomacy": 10, "traitor": 6, "treasure": 5, "great_warrior": 5, "culture": 4}
    faces = {"gold": 2, "pasture": 1, "card": 1, "gold_loss": 1, "pasture_loss": 1, "card_loss": 2}
    assert all(dict(BOARD.counters[province]) == faces for province in PROVINCES)


def test_1_6_cards_that_are_spent_go_to_the_bank_and_to_the_discard():
    stage = Stage(2, hands={0: "grain grain grain horse cattle ore"})
    assert stage.position["bank"] == {"grain": 11, "ore": 13}
    stage.play("wagon:warrior")
    assert stage.position["bank"] == {"grain": 12, "ore": 13}
    assert stage.position["pasture_discard"] == {"cattle": 1, "horse": 1}
    assert stage.position["pasture_pile"] == {"cattle": 9, "horse": 9}


def test_1_6_gold_is_unlimited_and_hands_are_open():
    stage = Stage(3, gold={0: 100_000}, hands={1: "ore"})
    stage.play("rest:gold")
    assert stage.of(0)["gold"] == 100_002
    assert stage.game.position("player_3")["players"]["player_1"]["hand"] == {"ore": 1}
    # More gold than an entry of the observation can show.
    entry = next(row.start for row in FOUR.slices if row.name == "seat_0.gold")
    assert stage.game.observation(0)[entry] == 32767
