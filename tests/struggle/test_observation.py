"""The observation of Struggle for Rome holds all that a seat may know."""

import numpy as np
import pytest

from romans_env.engine.observation_layout import LARGEST_IN_PLAY
from romans_env.struggle.material import COUNTERS, DEVELOPMENT, PROVINCES, RESOURCES, TRIBES
from romans_env.struggle.state import DECISION_KINDS
from tests.struggle.stages import BOARD, FOUR, SETTINGS, new_game, positions
from tests.tools import Reading

SLICES = {row.name: slice(row.start, row.stop) for row in FOUR.slices}
GOODS = (*RESOURCES, "gold")


def counts(names, values):
    return {name: count for name, count in zip(names, values, strict=True) if count}


def decoded(observation, seat):
    """What an observation says, in the words of ``position(agent)``."""
    entries = Reading(observation, SLICES)
    num_players = 4 if entries("four_players") == [1] else 3

    def player(k):
        return None if k is None else f"player_{(seat + k) % num_players}"

    kind = entries.hot("decision")
    offered, asked = entries.hot("offered"), entries.hot("asked_for")
    offer = None
    if offered is not None:
        numbers = entries("num_offered") + entries("num_asked_for")
        offer = f"offer:{GOODS[offered]}:{GOODS[asked]}:{numbers[0]}-{numbers[1]}"
    else:
        assert asked is None and entries("num_offered") == [0] == entries("num_asked_for")
    decision = {
        "agent": player(entries.hot("to_act")),
        "kind": None if kind is None else DECISION_KINDS[kind],
        "offer": offer,
        "target": entries.hot("target"),
    }
    cities = {}
    for city, row in zip(BOARD.cities, entries.rows("cities", 10), strict=True):
        owner = row[2:].index(1) if any(row[2:]) else None
        cities[city.name] = {
            "counter": bool(row[0]),
            "owner": "neutral" if row[1] else None if owner is None else player(owner // 2),
            "tribe": None if owner is None else TRIBES[owner % 2],
        }
    counters = entries.rows("counters", 8)
    players = {player(k): decoded_seat(entries, k) for k in range(num_players)}
    if num_players == 3:
        names = [name for name in SLICES if name.startswith("seat_3.")]
        assert not any(any(entries(name)) for name in names)
    return {
        "round": entries("round")[0],
        "phase": entries.hot("phase") + 1,
        "first": player(entries.hot("first")),
        "active": player(entries.hot("active")),
        "markers": [k + 2 for k, marked in enumerate(entries("markers")) if marked],
        "legion": entries.hot("legion"),
        "final": entries("final") == [1],
        "bank": counts(RESOURCES[:2], entries("bank")),
        "pasture_pile": counts(RESOURCES[2:], entries("pasture_pile")),
        "pasture_discard": counts(RESOURCES[2:], entries("pasture_discard")),
        "development_pile": None,
        "development_size": entries("development_size")[0],
        "counters": {name: counts(COUNTERS, row) for name, row in zip(PROVINCES, counters, strict=True)},
        "cities": cities,
        "diplomacy": player(entries.hot("diplomacy")),
        "moved": entries("moved") == [1],
        "card_played": entries("card_played") == [1],
        "offers": entries("offers")[0],
        "decision": None if kind is None else decision,
        "players": {name: players[name] for name in sorted(players)},
    }


def decoded_seat(entries, k):
    def of(name):
        return entries(f"seat_{k}.{name}")

    tribes = {}
    boxes = entries.rows(f"seat_{k}.counters", 5)
    for tribe, name in enumerate(TRIBES):
        tribes[name] = {
            "at": entries.hot(f"seat_{k}.{name}_at"),
            "kingdom": of("kingdom")[tribe] == 1,
            "army": of("army")[tribe],
            "wagons": of("wagons")[tribe],
            "counters": counts(PROVINCES, boxes[tribe]),
        }
    return {
        "gold": of("gold")[0],
        "points": of("points")[0],
        "hand": counts(RESOURCES, of("hand")),
        "development": counts(DEVELOPMENT, entries("development")) if k == 0 else None,
        "development_size": of("development_size")[0],
        "played": counts(DEVELOPMENT, of("played")),
        "substituted": of("substituted") == [1],
        "reserve": dict(zip((*TRIBES, "wagon"), of("reserve"), strict=True)),
        "tribes": tribes,
    }


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_observation_holds_all_of_a_seats_view(settings):
    for game in positions([1], every=16, **settings):
        for seat, player in enumerate(game.players):
            observation = game.observation(player)
            assert decoded(observation, seat) == game.position(player)
            entries = Reading(observation, SLICES)
            setup, position = game.rules.setup, game.position()
            assert entries("rounds_left") == [setup.max_rounds - position["round"]]
            left = setup.max_offers - position["offers"] if setup.player_trade else 0
            assert entries("offers_left") == [left]
            assert entries("player_trade") == [int(setup.player_trade)]
            unseen = np.array(list(BOARD.development.values()))
            unseen -= entries("development")
            for one in range(4):
                unseen -= entries(f"seat_{one}.played")
            assert entries("unseen") == unseen.tolist()
            assert observation.dtype == np.int16
            rules = game.rules
            assert (observation >= rules.observation_low).all() and (observation <= rules.observation_high).all()
        everything = game.global_state()
        assert (everything >= rules.global_state_low).all() and (everything <= rules.global_state_high).all()


def test_scales_bring_entries_into_reach():
    scale = FOUR.observation_scale
    assert scale.dtype == np.float32 and scale.shape == (FOUR.observation_size,) and (scale > 0).all()
    bounded = FOUR.observation_high <= LARGEST_IN_PLAY
    assert np.allclose((FOUR.observation_high * scale)[bounded & (FOUR.observation_high > 0)], 1)
    assert (new_game(1).observation(0) * scale <= 60 / LARGEST_IN_PLAY).all()
