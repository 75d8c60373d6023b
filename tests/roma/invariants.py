"""What holds at every moment of every game of Roma."""

from collections import Counter
from typing import Any

from romans_env import Game
from romans_env.roma.material import CARDS
from tests.roma.stages import COPIES_OF
from tests.tools import check_choice, check_returns


def check(game: Game) -> None:
    """All invariants of a game, from the full state."""
    position = game.position()
    check_cards(game, position)
    check_points(game, position)
    check_choice(game, position)
    check_returns(game)
    assert set(game.returns().values()) <= {-1.0, 0.0, 1.0}


def hidden_cards(position: dict[str, Any], player: str) -> Counter[str]:
    """The hidden cards of a player (ROMA 9.1)."""
    one, decision = position["players"][player], position["decision"]
    cards = Counter(one["hand"])
    if decision and decision["effect"] not in ("consiliarius", "machina"):
        cards += Counter(one["aside"])
    return cards + Counter(one["discs"][disc - 1] for disc in one["face_down"])


def check_cards(game: Game, position: dict[str, Any]) -> None:
    """The 52 cards are all somewhere, counts and sizes agree, and what is known is true (ROMA 1.2, 9.2)."""
    state = game.states[0]
    cards = Counter(position["pile"]) + Counter(position["discard"])
    assert position["pile_size"] == sum(position["pile"].values())
    assert state.discard_size == sum(position["discard"].values())
    for seat, (player, one) in enumerate(position["players"].items()):
        cards += Counter(one["hand"]) + Counter(one["aside"]) + Counter(filter(None, one["discs"]))
        assert one["hand_size"] == sum(one["hand"].values())
        assert state.aside_size[seat] == sum(one["aside"].values())
        assert state.known_size[seat] == sum(one["known"].values())
        assert Counter(one["known"]) <= hidden_cards(position, player)
    assert cards == Counter(COPIES_OF)
    for field in ("pile", "discard", "hand", "aside", "known", "dice", "money", "points", "stock", "essedum"):
        assert (state[field] >= 0).all()
    assert len(CARDS) == state.pile.size


def check_points(game: Game, position: dict[str, Any]) -> None:
    """Of 36 points none is lost; only the last payment can be credited (ROMA 1.4, 5.7)."""
    total = position["stock"] + sum(one["points"] for one in position["players"].values())
    if game.is_over and position["stock"] == 0:
        assert 36 <= total < 36 + 16
    else:
        assert total == 36
    if not game.is_over:
        assert position["stock"] > 0 and all(one["points"] > 0 for one in position["players"].values())
