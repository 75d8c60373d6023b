"""Games of Roma that a viewer cannot tell apart."""

from typing import Any

from romans_env import Game
from romans_env.core.protocol import CHANCE
from romans_env.roma.actions import KEEP, TAKE
from romans_env.roma.material import CARDS
from tests.roma.openings import EXAMPLE_OPENING, EXAMPLE_OUTCOMES
from tests.roma.stages import PLAYERS, RULES, Lcg, new_game


def twin_with_another_card(game: Game, viewer: str) -> Game | None:
    """The game with another hidden card of the viewer's rival, in a past that shows the viewer the same.

    A card that the rival kept of those drawn, or took from the pile, and that lies hidden in its hand becomes another
    one that is still in the pile; None where there is none.
    """
    rival = 1 - PLAYERS.index(viewer)
    history, position = game.history, game.position()
    hand = position["players"][PLAYERS[rival]]["hand"]
    for place, (seat, entry) in reversed(list(enumerate(history))):
        if seat != rival or not KEEP <= entry < TAKE + len(CARDS):
            continue
        kind, card = game.action_name(entry).split(":")
        drawn = [place for place in range(place) if history[place] == (CHANCE, card)]
        if hand.get(card) != 1 or (kind == "keep" and not drawn):
            continue
        for other in set(position["pile"]) - set(hand):
            changed = list(history)
            changed[place] = (rival, RULES.action_id(f"{kind}:{other}"))
            if kind == "keep":
                changed[drawn[-1]] = (CHANCE, other)
            twin = replayed(changed)
            if twin is not None and twin.position(viewer) == game.position(viewer):
                return twin
    return None


def replayed(history: list[tuple[int, Any]]) -> Game | None:
    """The game of a history; None where it is none."""
    game = new_game(outcomes=[entry for seat, entry in history if seat == CHANCE])
    try:
        for _, entry in (played for played in history if played[0] != CHANCE):
            game.act(int(entry))
    except ValueError:
        return None
    return game if game.history == history else None


def twins(seeds: range) -> list[tuple[Game, Game, str]]:
    """Games, with what a viewer cannot tell from them, and the viewer."""
    found = []
    for seed in seeds:
        lcg, game = Lcg(seed), new_game(seed)
        while not game.is_over:
            game.act(lcg.pick(game.legal_actions()))
            if len(game.actions) % 9 or not game.position()["turn"]:
                continue
            for viewer in PLAYERS:
                twin = twin_with_another_card(game, viewer)
                if twin is not None:
                    found.append((game.clone(), twin, viewer))
    return found


def opening_twins() -> list[tuple[Game, Game, str]]:
    """Openings that player_1 cannot tell apart: player_0's cards differ, up to its last card laid."""
    found = []
    first = ["forum", "legat", "turris", "consul", *EXAMPLE_OUTCOMES[4:8]]
    second = ["nero", "mercator", "turris", "consul", *EXAMPLE_OUTCOMES[4:8]]
    actions = EXAMPLE_OPENING.replace("\n", " ").split(",")[:8]
    swapped = {"lay:forum:3": "lay:nero:3", "lay:forum:5": "lay:forum:5", "lay:legat:1": "lay:mercator:1"}
    games = new_game(3, outcomes=first), new_game(3, outcomes=second)
    for entry in actions:
        action = entry.split()[1]
        games[0].act(action)
        games[1].act(swapped.get(action, action))
        if games[0].position("player_1") == games[1].position("player_1"):
            found.append((games[0].clone(), games[1].clone(), "player_1"))
    assert len(found) == 8
    return found
