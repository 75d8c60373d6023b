"""What holds at every moment of every game of Struggle for Rome."""

from collections import Counter
from typing import Any

from romans_env import Game
from tests.struggle.stages import CROSSROADS
from tests.tools import check_choice, check_returns

TRIBES = ("horseman", "warrior")


def check(game: Game, is_sample: bool = False) -> None:
    """All invariants of a game, from the full state.

    Args:
        game: the game.
        is_sample: whether it is a determinization: cards are dealt by their numbers alone, so that a decision may have
            a single action, and after the end a hand may hold what would have been played (STRUGGLE 9.3).
    """
    position = game.position()
    check_cards(game, position)
    check_figures(position)
    check_counters(game, position)
    check_points(game, position, is_sample)
    check_choice(game, position, fewest=1 if is_sample else 2)
    check_returns(game)


def check_cards(game: Game, position: dict[str, Any]) -> None:
    """No card is lost (STRUGGLE 1.6, 6)."""
    cards = Counter(position["bank"]) + Counter(position["pasture_pile"]) + Counter(position["pasture_discard"])
    development = Counter(position["development_pile"])
    assert position["development_size"] == development.total()
    for one in position["players"].values():
        cards += Counter(one["hand"])
        development += Counter(one["development"]) + Counter(one["played"])
        assert one["development_size"] == sum(one["development"].values()) and one["gold"] >= 0
    assert cards == {"grain": 14, "ore": 14, "cattle": 10, "horse": 10}
    assert development == Counter(game.rules.board.development)
    state = game.states[0]
    for field in ("bank", "pile", "discard", "hand", "deck", "development", "played", "army", "wagons", "reserve"):
        assert (state[field] >= 0).all(), field


def check_figures(position: dict[str, Any]) -> None:
    """8 figures of each kind and 10 wagons for every seat; no two tribes on one crossroads (STRUGGLE 1.2, 5.4)."""
    places = []
    for player, one in position["players"].items():
        wagons = one["reserve"]["wagon"]
        for name in TRIBES:
            tribe = one["tribes"][name]
            cities = [city for city, of in position["cities"].items() if (of["owner"], of["tribe"]) == (player, name)]
            places.append(tribe["at"])
            assert tribe["kingdom"] == bool(cities)
            assert (tribe["at"] in CROSSROADS.values()) == tribe["kingdom"]
            assert not cities or tribe["at"] in [CROSSROADS[city] for city in cities]
            # The figure of the tribe is on the board, and one in every city but the first.
            assert one["reserve"][name] + tribe["army"] + 1 + max(0, len(cities) - 1) == 8
            wagons += tribe["wagons"] + len(cities)
        assert wagons == 10
    assert len(set(places)) == len(places)


def check_counters(game: Game, position: dict[str, Any]) -> None:
    """A counter is on its city, in a box, or has left the game (STRUGGLE 5.5, 5.8)."""
    for city, of in position["cities"].items():
        assert not (of["counter"] and of["owner"]), city
        assert (of["tribe"] is None) == (of["owner"] in (None, "neutral"))
    for province, unrevealed in position["counters"].items():
        boxes = [tribe["counters"] for one in position["players"].values() for tribe in one["tribes"].values()]
        revealed = sum(box.get(province, 0) for box in boxes)
        assert sum(unrevealed.values()) + revealed == 8 and all(box.get(province, 0) <= 2 for box in boxes)
        cities = [one.name for one in game.rules.board.cities if one.province == province]
        assert sum(position["cities"][name]["counter"] for name in cities) <= 8 - revealed


def check_points(game: Game, position: dict[str, Any], is_sample: bool) -> None:
    """Points are those of STRUGGLE 7.1, after the end with those of 7.3."""
    for player, one in position["players"].items():
        owned = [of["tribe"] for of in position["cities"].values() if of["owner"] == player]
        points = len(owned) + 2 * (position["diplomacy"] == player)
        points += 2 * sum(len(tribe["counters"]) == 5 for tribe in one["tribes"].values())
        points += 2 * (min(owned.count(name) for name in TRIBES) >= 4)
        if game.is_over:
            points += one["played"].get("culture", 0)
            assert is_sample or not {"treasure", "culture"} & set(one["development"])
        else:
            assert "culture" not in one["played"] and (position["final"] or points < 10)
        assert one["points"] == points
    most = max(one["played"].get("diplomacy", 0) for one in position["players"].values())
    assert (position["diplomacy"] is not None) == (most >= 3)
    if position["diplomacy"]:
        assert position["players"][position["diplomacy"]]["played"]["diplomacy"] == most
