"""What holds at every moment of every game."""

from collections import Counter
from typing import Any

import pytest

from romans_env import Game
from romans_env.romans_go_home.chance import deal_as_json
from romans_env.romans_go_home.material import FORTS, WARRIORS
from tests.romans_go_home.stages import COPIES_OF


def check(game: Game) -> None:
    """All invariants of a game, from the full state."""
    position = game.position()
    check_cards(game, position)
    check_forts(game, position)
    check_choice(game, position)
    check_returns(game)


def check_cards(game: Game, position: dict[str, Any]) -> None:
    """Each clan's nine warriors are accounted for (RULES 1.1, 2.2); on a small table, the fewer that it has."""
    state, table = game.states[0], game.rules.setup
    cards_dealt = deal_as_json(state, table)["rounds"][position["round"] - 1]
    for seat, (clan, cards) in enumerate(position["clans"].items()):
        dealt = Counter(cards_dealt[clan])
        shown = Counter(dict(zip(WARRIORS, state.shown[seat].tolist(), strict=True)))
        set_aside = Counter([cards["set_aside"]] if cards["set_aside"] else [])
        held = Counter(cards["hand"]) + Counter(cards["hidden"]) + set_aside + shown
        assert held == dealt, clan
        assert dealt <= Counter(table.warriors) <= Counter(COPIES_OF), clan  # the others were not drawn
        assert sum(dealt.values()) == table.line_size + (1 if seat < len(game.players) else 0)
        assert Counter(cards["face_up"]) <= shown, clan  # the rest of those shown was discarded
        assert sum(shown.values()) == position["turn"]
        assert min(state.hand[seat].min(), state.face_up[seat].min(), state.shown[seat].min()) >= 0


def check_forts(game: Game, position: dict[str, Any]) -> None:
    """The eighteen forts are in the wall, to come, captured, or lost (RULES 1.2)."""
    state, size = game.states[0], game.rules.setup.line_size
    wall = [fort for fort in position["wall"] if fort]
    assert len(position["wall"]) == size
    to_come = deal_as_json(state, game.rules.setup)["forts"][size * position["round"] :]
    captured = [fort for cards in position["clans"].values() for fort in cards["forts"]]
    everything = Counter(wall) + Counter(to_come) + Counter(captured) + Counter(position["lost_forts"])
    assert everything == Counter(game.rules.setup.fort_deck)
    assert min(state.forts.min(), state.lost_forts.min()) >= 0
    assert Counter(to_come) == Counter(_names(state.to_come))
    for seat, cards in enumerate(position["clans"].values()):
        assert state.num_forts[seat] == len(cards["forts"])
        assert state.num_legion[seat] == sum(fort.startswith("legion") for fort in cards["forts"])
        assert _names(state.forts[seat]) == cards["forts"]
    # A turn that is over took one fort; the one being played may have.
    assert size - len(wall) in ((position["turn"] - 1, position["turn"]) if position["turn"] else (0,))
    for clan, cards in position["clans"].items():
        assert cards["points"] == sum(int(fort.split("-")[1]) * sign(fort) for fort in cards["forts"]), clan


def _names(counts: Any) -> list[str]:
    return sorted(name for name, count in zip(FORTS, counts.tolist(), strict=True) for _ in range(count))


def sign(fort: str) -> int:
    return -1 if fort.startswith("legion") else 1


def check_choice(game: Game, position: dict[str, Any]) -> None:
    """Who is asked can choose (RULES 4.14), and only he has a mask."""
    legal = game.legal_actions()
    if game.is_over:
        assert legal == [] and game.agent_to_act is None and position["decision"] is None
    else:
        assert len(legal) >= 2
        kind = position["decision"]["kind"]
        assert {game.action_name(action).split(":")[0] for action in legal} == {kind}
    for player in game.players:
        mask = game.action_mask(player)
        assert mask.nonzero()[0].tolist() == (legal if player == game.agent_to_act else [])


def check_returns(game: Game) -> None:
    """Returns are in range and sum to zero among players (RULES 7.4); nobody has won while the game runs."""
    returns = game.returns()
    assert list(returns) == list(game.players)
    assert all(-1 <= value <= 1 for value in returns.values())
    if not game.is_over:
        assert set(returns.values()) == {0.0} and game.winners() == []
        return
    winners = game.winners()
    assert winners
    if len(game.players) > 1:
        assert sum(returns.values()) == pytest.approx(0, abs=1e-12)
        assert set(winners) <= set(game.players)
    for player, value in returns.items():
        assert (player in winners) == (value >= 0 and value == max(returns.values()))
