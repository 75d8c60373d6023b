"""STRUGGLE 3: setup and round."""

from tests.struggle.stages import BOARD, CROSSROADS, Stage, decisions, new_game

QUIET = [1, 1, 6, 6, 5, 6, 1, 5]
"""Dice that give nothing at the starts: 2, 12, 11, 6."""


def test_3_1_what_a_seat_has_at_the_start():
    position = new_game(outcomes=["horse", "cattle", "cattle", "horse", *QUIET]).position()
    assert position["bank"] == {"grain": 10, "ore": 14}
    assert position["legion"] == BOARD.legion == 41
    assert all(one["counter"] and one["owner"] is None for one in position["cities"].values())
    for seat, (player, one) in enumerate(position["players"].items()):
        assert (one["gold"], one["points"], one["development"], one["played"]) == (5, 0, {}, {}), player
        assert one["hand"] == {"grain": 1, ("horse", "cattle", "cattle", "horse")[seat]: 1}
        assert one["reserve"] == {"horseman": 6, "warrior": 6, "wagon": 8}
        for name, start in zip(("horseman", "warrior"), BOARD.starts[seat], strict=True):
            tribe = {"at": start, "kingdom": False, "army": 1, "wagons": 1, "counters": {}}
            assert one["tribes"][name] == tribe


def test_3_1_with_three_the_cities_marked_iii_are_neutral():
    position = new_game(outcomes=["horse", "cattle", "cattle", *QUIET], num_players=3).position()
    assert list(position["players"]) == ["player_0", "player_1", "player_2"] and position["bank"]["grain"] == 11
    for city in BOARD.cities:
        owner = "neutral" if city.three else None
        assert position["cities"][city.name] == {"counter": not city.three, "owner": owner, "tribe": None}
    assert all(sum(counts.values()) == 8 for counts in position["counters"].values())
    # Neither plundered nor conquered: condate is marked III, lutetia is not.
    tribe = {"at": 33, "army": 5, "counters": "germania hispania italia_superus"}
    stage = Stage(3, tribes={(0, "horseman"): tribe}, num_players=3)
    assert stage.legal_of("plunder", "conquer") == ["conquer:lutetia", "plunder:lutetia"]
    kingdom = {"army": 5, "cities": ["burdigala"]}
    stage = Stage(3, tribes={(0, "horseman"): kingdom}, num_players=3)
    assert stage.legal_of("conquer") == [
        "conquer:" + name for name in ("caesaraugusta", "massilia", "narbo", "saguntum", "tarraco")
    ]


def test_3_2_every_seat_draws_a_pasture_card_and_player_0_is_first():
    position = new_game(outcomes=["cattle", "cattle", "horse", "cattle", *QUIET]).position()
    assert [list(one["hand"]) for one in position["players"].values()] == [
        ["grain", kind] for kind in ("cattle", "cattle", "horse", "cattle")
    ]
    assert position["pasture_pile"] == {"cattle": 7, "horse": 9}
    assert (position["round"], position["first"]) == (1, "player_0")


def test_3_3_every_seat_has_a_turn_in_each_phase_from_the_first_player_on():
    for settings in ({}, {"num_players": 3}):
        turns, rounds = [], {}
        for game in decisions(new_game(seed=4, max_rounds=6, **settings), 4):
            position = game.position()
            rounds[position["round"]] = position["first"]
            turn = (position["round"], position["phase"], position["active"])
            if not turns or turns[-1] != turn:
                turns.append(turn)
        num = settings.get("num_players", 4)
        assert rounds == {k: f"player_{(k - 1) % num}" for k in rounds} and len(rounds) == 6
        # Turns without a choice aside, they are in this order.
        order = []
        for number, first in rounds.items():
            order.append((number, 1, first))
            seats = [f"player_{(int(first[-1]) + k) % num}" for k in range(num)]
            order += [(number, phase, seat) for phase in (2, 3, 4) for seat in seats]
        left = iter(order)
        assert all(turn in left for turn in turns)
        assert {turn for turn in order if turn[1] > 2} <= set(turns)


def test_3_3_the_game_ends_after_the_last_round():
    game = new_game(seed=4, max_rounds=2)
    for _ in decisions(game, 4):
        assert game.position()["round"] <= 2
    position = game.position()
    assert (position["round"], position["phase"], position["active"]) == (2, 4, "player_0")


def test_3_4_places_are_tribes_without_a_kingdom_and_cities():
    # The horseman's kingdom is lugdunum: hexes 23, 24, 30. Its figure makes no place of its own, the city is one.
    kingdom = {"cities": ["lugdunum", "narbo"]}
    warrior = {"at": 5}
    # 9 is mountain 24 (lugdunum), 10 mountain 30 (lugdunum and narbo: one card) and mountain 2 (the warrior).
    outcomes = [4, 5, 5, 5, 1, 1, 6, 6]
    stage = Stage(
        1, tribes={(0, "horseman"): kingdom, (0, "warrior"): warrior}, gold={1: 0, 2: 0, 3: 0}, outcomes=outcomes
    )
    assert stage.position["markers"] == [2, 9, 10, 12] and CROSSROADS["lugdunum"] == 67
    assert stage.of(0)["hand"]["ore"] == 3
