"""The observation of Roma holds all that a seat may know, and a game that is cut short tells no more."""

import numpy as np

from romans_env.roma.material import CARDS
from romans_env.roma.observation import OBSERVATION_HIGH, OBSERVATION_LOW, SLICE_BY_NAME
from romans_env.roma.state import DECISION_KINDS
from tests.roma.stages import PLAYERS, game_at, has_value, positions
from tests.tools import Reading


def test_a_game_cut_short_shows_no_more():
    game = game_at("keep")
    rival = 1 - game.seat_to_act
    game.rules.end_early(game.states, 0)
    assert game.position(rival)["players"][PLAYERS[1 - rival]]["aside"] is None


def counts(values):
    return {name: count for name, count in zip(CARDS, values, strict=True) if count}


def decoded(observation):
    """What an observation says, in the words of ``position(agent)``."""
    entries = Reading(observation, SLICE_BY_NAME)
    own = PLAYERS[0 if entries("begins") == [1] else 1]
    rival = PLAYERS[1 - PLAYERS.index(own)]
    kind, effect = entries.hot("decision"), entries.hot("effect")
    name = None if kind is None else DECISION_KINDS[kind]
    effect = None if effect is None else CARDS[effect]
    disc = entries.hot("disc")
    decision = {
        "agent": (own, rival)[entries.hot("to_act") or 0],
        "kind": name,
        "effect": effect,
        "disc": None if disc is None else disc + 1,
        "value": entries("value")[0] if has_value(name, effect) else None,
    }
    assert has_value(name, effect) or entries("value") == [0]
    players = {}
    for player, owner in ((own, "own"), (rival, "rival")):
        discs = entries.rows(f"{owner}.discs", 25)
        aside = counts(entries(f"{owner}.aside"))
        hides = owner == "rival" and not aside and entries("rival.aside_size") != [0]
        players[player] = {
            "points": entries(f"{owner}.points")[0],
            "money": entries(f"{owner}.money")[0],
            "hand": counts(entries("own_hand")) if owner == "own" else None,
            "hand_size": entries(f"{owner}.hand_size")[0],
            "aside": None if hides else aside,
            "known": counts(entries(f"{owner}.known")),
            "discs": [CARDS[row.index(1)] if any(row) else None for row in discs],
            "face_down": [k + 1 for k, down in enumerate(entries(f"{owner}.face_down")) if down],
            "blocked": [k + 1 for k, blocked in enumerate(entries(f"{owner}.blocked")) if blocked],
        }
    return {
        "turn": entries("turn")[0],
        "stock": entries("stock")[0],
        "essedum": entries("essedum")[0],
        "dice": [k + 1 for k, count in enumerate(entries("dice")) for _ in range(count)],
        "pile": counts(entries("pile")) if entries("pile_known") == [1] else None,
        "pile_size": entries("pile_size")[0],
        "discard": counts(entries("discard")),
        "decision": decision if kind is not None else None,
        "players": {player: players[player] for player in PLAYERS},
    }


def test_the_observation_holds_all_of_a_seats_view():
    for game in positions(range(3)):
        for player in PLAYERS:
            observation = game.observation(player)
            assert decoded(observation) == game.position(player)
            assert observation.dtype == np.int16
            assert (observation >= OBSERVATION_LOW).all() and (observation <= OBSERVATION_HIGH).all()
        everything = game.global_state()
        low, high = game.rules.global_state_low, game.rules.global_state_high
        assert (everything >= low).all() and (everything <= high).all()
