"""The observation: its layout, its bounds, and that it holds all that a seat may know."""

from typing import Any

import numpy as np
import pytest

from romans_env.romans_go_home.material import FORTS, WARRIORS
from romans_env.romans_go_home.observation import (
    OBSERVATION_HIGH,
    OBSERVATION_LOW,
    OBSERVATION_SIZE,
    SLICE_BY_NAME,
    SLICES,
)
from tests.romans_go_home.stages import SMALL_TABLES, TABLES, Stage, new_game, table_id
from tests.tools import Reading, legal_names, positions

ALL_TABLES = (*TABLES, *SMALL_TABLES)
KINDS = ("discard", "place", "charm", "take", "axx", "lose", "reorder", "unwary", "lose", "give_up")
CLAN_SLICES = [row.name.split(".")[1] for row in SLICES if row.name.startswith("clan_0.")]


def counted(names: tuple[str, ...], counts: list[int]) -> list[str]:
    return sorted(name for name, count in zip(names, counts, strict=True) for _ in range(count))


def named(names: tuple[str, ...], index: int | None) -> str | None:
    return None if index is None else names[index]


def decoded(observation: Any) -> dict[str, Any]:
    """What an observation says, in the words of ``position(agent)``."""
    entries = Reading(observation, SLICE_BY_NAME)
    num_players = entries.hot("num_players") + 1
    names = [f"player_{i}" for i in range(num_players)]
    names += [f"neutral_{i}" for i in range(entries.hot("num_neutrals"))]
    own_seat = entries.hot("own_seat")
    relative = [names[(own_seat + k) % len(names)] for k in range(len(names))]
    kind = entries.hot("decision")
    here = {name: f"clan_{k}." for k, name in enumerate(relative)}
    flagged = {flag: [name for name in names if entries(here[name] + flag) == [1]] for flag in ("captor", "charmed")}

    def one(name: str, field: str) -> int:
        (value,) = entries(here[name] + field)
        return value

    clans = {
        name: {
            "face_up": counted(WARRIORS, entries(here[name] + "face_up")),
            "shown": counted(WARRIORS, entries(here[name] + "shown")),
            "forts": counted(FORTS, entries(here[name] + "forts")),
            "points": one(name, "points"),
        }
        for name in names
    }
    line = entries.rows("own_line", len(WARRIORS))
    clans[relative[0]] |= {
        "hand": counted(WARRIORS, entries("own_hand")),
        "hidden": [WARRIORS[slot.index(1)] for slot in line if any(slot)],
        "set_aside": named(WARRIORS, entries.hot("own_set_aside")),
    }
    wall = entries.rows("wall", len(FORTS))
    return {
        "round": entries.hot("round") + 1,
        "turn": entries.hot("turn"),
        "wall": [FORTS[slot.index(1)] if any(slot) else None for slot in wall],
        "decision": None if kind is None else {"agent": relative[entries.hot("to_act")], "kind": KINDS[kind]},
        "clans": clans,
        "this_turn": {
            "revealed": {name: named(WARRIORS, entries.hot(here[name] + "revealed")) for name in names},
            "charmed": flagged["charmed"][0] if flagged["charmed"] else None,
            "totals": {name: one(name, "total") for name in names},
            "captor": flagged["captor"][0] if flagged["captor"] else None,
            "captured": named(FORTS, entries.hot("captured")),
            "axx_stays": any(entries(here[name] + "axx_stays")[0] for name in names),
        },
        "lost_forts": counted(FORTS, entries("lost_forts")),
    }


def without_what_lies_hidden(position: dict[str, Any], player: str) -> dict[str, Any]:
    """A position less the number of face-down cards of the others."""
    for name, cards in position["clans"].items():
        if name != player:
            del cards["hand"], cards["hidden"], cards["set_aside"]
    return position


@pytest.mark.parametrize("table", ALL_TABLES, ids=table_id)
def test_an_observation_says_what_position_says(table):
    for game in positions(new_game(table, seed=1), 1):
        for player in game.players:
            expected = without_what_lies_hidden(game.position(player), player)
            expected["wall"] += [None] * (6 - len(expected["wall"]))  # on a small table
            seen = game.observation(player)
            assert decoded(seen) == expected and seen.dtype == np.int8
            assert (seen >= OBSERVATION_LOW).all() and (seen <= OBSERVATION_HIGH).all()


@pytest.mark.parametrize("table", ALL_TABLES, ids=table_id)
def test_further_slices(table):
    # what position() does not say: the table, the forts to come, what was shown, and the rest
    for game in positions(new_game(table, seed=2), 2):
        state, position = game.states[0], game.position()
        clans = list(position["clans"])
        for seat, player in enumerate(game.players):
            seen = Reading(game.observation(player), SLICE_BY_NAME)
            assert seen("vogel") == [int(table[2] == "vogel")]
            to_come = game.deal()["forts"][len(position["wall"]) * position["round"] :]
            assert counted(FORTS, seen("to_come")) == sorted(to_come)
            assert seen("wrecked") == [int(state.wrecked)]
            assert named(FORTS, seen.hot("contested")) == contested_fort(position, player)
            assert seen.hot("next_slot") == next_slot(position, player)
            for k in range(4):
                block = f"clan_{k}."
                if k >= len(clans):
                    assert not any(any(seen(block + name)) for name in CLAN_SLICES)
                    continue
                other = (seat + k) % len(clans)
                cards = position["clans"][clans[other]]
                is_player = other < len(game.players)
                assert (seen(block + "player"), seen(block + "neutral")) == ([int(is_player)], [int(not is_player)])
                assert seen(block + "shown") == state.shown[other].tolist()
                assert seen(block + "num_forts") == [len(cards["forts"])]
                legions = sum(fort.startswith("legion") for fort in cards["forts"])
                assert seen(block + "num_legion") == [legions]
                keeps_axx = int(state.captor) == other and bool(state.axx_stays)
                assert seen(block + "axx_stays") == [int(keeps_axx)]


def next_slot(position: dict[str, Any], player: str) -> int | None:
    """The slot (from 0) that a player fills next, if it is laying cards."""
    decision = position["decision"]
    if decision is None or decision["agent"] != player or decision["kind"] not in ("place", "reorder"):
        return None
    return len(position["wall"]) - len(position["clans"][player]["hand"])


def contested_fort(position: dict[str, Any], player: str) -> str | None:
    slot = next_slot(position, player)
    if slot is not None:
        return position["wall"][slot]
    return position["wall"][position["turn"] - 1] if position["turn"] else None


def test_the_bounds_hold_for_the_richest_deck():
    deck = ("legion-1",) * 4 + ("tax-8",) * 14
    for game in positions(new_game((1, 1, "standard", deck), seed=3), 3):
        seen = game.observation("player_0")
        assert (seen >= OBSERVATION_LOW).all() and (seen <= OBSERVATION_HIGH).all()
    high = {row.name: row.high for row in SLICES}
    low = {row.name: row.low for row in SLICES}
    assert high["clan_0.points"] == 14 * 8 <= 127
    assert low["clan_0.points"] == 4 * -3
    # all of a clan's warriors but the two that it cannot have, and a charmed Ch'ariott
    assert high["clan_0.total"] >= 1 + 2 + 3 + 4 + 5 + 6 + 7 + 9 + 9


def test_block_k_is_the_clan_that_charm_k_charms():
    plans = {"player_0": "archr", "player_1": "zvord druhid axx", "player_2": "qween"}
    game = Stage(plans).planned_game()
    assert (game.agent_to_act, legal_names(game)) == ("player_2", ["charm:+1", "charm:+2"])
    game.act("charm:+2")
    seen = Reading(game.observation("player_2"), SLICE_BY_NAME)
    assert [seen(f"clan_{k}.charmed") for k in range(3)] == [[0], [0], [1]]
    assert seen.hot("clan_2.revealed") == WARRIORS.index("zvord")


@pytest.mark.parametrize(
    "table", [(2, 1, "standard"), (4, 0, "vogel"), (1, 2, "standard"), SMALL_TABLES[1]], ids=table_id
)
def test_the_global_state_holds_the_face_down_cards_of_all(table):
    width = 8 * len(WARRIORS)
    for game in positions(new_game(table, seed=5), 5):
        everything = game.global_state()
        low, high = game.rules.global_state_low, game.rules.global_state_high
        assert everything.shape == low.shape == high.shape == (OBSERVATION_SIZE + 3 * width,)
        assert (everything >= low).all() and (everything <= high).all()
        assert everything[:OBSERVATION_SIZE].tolist() == game.observation(0).tolist()
        clans = list(game.position()["clans"].values())
        for seat in range(1, 4):
            private = everything[OBSERVATION_SIZE + (seat - 1) * width :][:width].reshape(8, len(WARRIORS))
            if seat >= len(clans):
                assert not private.any()
                continue
            assert counted(WARRIORS, private[0].tolist()) == clans[seat]["hand"]
            assert counted(WARRIORS, private[1].tolist()) == [name for name in [clans[seat]["set_aside"]] if name]
            assert [WARRIORS[slot.argmax()] for slot in private[2:] if slot.any()] == clans[seat]["hidden"]
