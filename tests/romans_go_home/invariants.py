"""What holds at every moment of every game."""

from collections import Counter
from typing import Any

from romans_env import Game
from romans_env.romans_go_home.chance import deal_as_json
from romans_env.romans_go_home.material import FORTS, WARRIORS
from tests.romans_go_home.stages import COPIES_OF
from tests.tools import check_choice, check_returns


def check(game: Game) -> None:
    """All invariants of a game, from the full state."""
    position = game.position()
    check_cards(game, position)
    check_forts(game, position)
    check_choice(game, position)
    if position["decision"]:
        kinds = {game.action_name(action).split(":")[0] for action in game.legal_actions()}
        assert kinds == {position["decision"]["kind"]}
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
