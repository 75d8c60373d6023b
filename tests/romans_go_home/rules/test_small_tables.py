"""Small tables: the rules of the full game with fewer warriors, slots and rounds (this project's own addition)."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romans_env import Game, RomansGoHome, Table, replay, romans_go_home_v0
from romans_env.romans_go_home.setup import SMALL_TABLE
from tests.romans_go_home.stages import COPIES_OF
from tests.tools import Lcg, legal_names, played

TABLE = Table(2, 0, "standard", ["unwary-2", "legion-2", "dinary-3"], SMALL_TABLE.warriors, 3, 1)


def started(table: Table, forts: str, *rounds: dict[str, str]) -> Game:
    """A game of given cards; with ``|`` a player's cards are its line and the warrior it will set aside."""
    cards = [{clan: names.replace("|", "").split() for clan, names in hands.items()} for hands in rounds]
    return Game(RomansGoHome(table), deal={"forts": forts.split(), "rounds": cards})


def plan(game: Game, hands: dict[str, str]) -> None:
    """Plan a round: the line before the bar, the warrior to set aside behind it."""
    now = game.position()["round"]
    for player in game.players:
        line, aside = (part.split() for part in hands[player].split("|"))
        while game.agent_to_act == player and (game.position()["round"], game.position()["turn"]) == (now, 0):
            discards = game.rules.decision_kind(game.states, 0) == "discard"
            laid = len(game.position()["clans"][player]["hidden"])
            game.act(f"discard:{aside[0]}" if discards else f"place:{line[laid]}")


def details(game: Game, kind: str) -> list[dict[str, Any]]:
    return [event.details for event in game.events() if event.kind == kind]


def test_a_small_game_played_by_hand():
    hands = {"player_0": "axx chariott chariott | filchy", "player_1": "chariott axx qween | filchy"}
    game = started(TABLE, "legion-2 dinary-3 unwary-2", hands)
    assert game.position()["wall"] == ["unwary-2", "legion-2", "dinary-3"]  # 2.1
    assert len(game.position()["clans"]["player_0"]["hand"]) == 4  # 2.2: one more than there are slots
    plan(game, hands)
    # First turn: 4 against 9; player_1 captures the Unwary fort and may keep the Ch'ariott (5.1).
    assert (game.position()["turn"], game.agent_to_act) == (1, "player_1")
    assert legal_names(game) == ["unwary:discard", "unwary:keep"]
    game.act("unwary:keep")
    # Second turn: 4 + 9 against 9 + 4, a tie that no Arch'r wins (4.6): the Legion fort is lost.
    # Third turn: the Qween charms the one rival, 9 + 4 + 1 + 9 against 4 + 9 (4.3).
    assert [turn["totals"] for turn in details(game, "totals")] == [
        {"player_0": 4, "player_1": 9},
        {"player_0": 13, "player_1": 13},
        {"player_0": 13, "player_1": 23},
    ]
    assert game.is_over and game.position()["round"] == 1
    assert game.position()["lost_forts"] == ["legion-2"]
    assert (game.points(), game.winners()) == ({"player_0": 0, "player_1": 5}, ["player_1"])
    assert game.returns() == {"player_0": -1.0, "player_1": 1.0}


def test_chariotts_clash_and_filchy_stands_aside():
    hands = {"player_0": "chariott filchy axx | qween", "player_1": "chariott qween chariott | axx"}
    game = started(TABLE, "unwary-2 legion-2 dinary-3", hands)
    plan(game, hands)
    # 4.2: both Ch'ariotts go, 0 to 0; 4.3, 4.4: the Qween charms Filchy, alone in the fight; then 6 + 4 against 9.
    assert [turn["totals"] for turn in details(game, "totals")] == [
        {"player_0": 0, "player_1": 0},
        {"player_0": None, "player_1": 7},
        {"player_0": 10, "player_1": 9},
    ]
    assert legal_names(game) == ["axx:discard", "axx:keep"]  # 4.8
    game.act("axx:keep")
    assert game.points() == {"player_0": 3, "player_1": -2}


def test_a_wall_with_one_positive_fort_or_none():
    table = Table(2, 0, "standard", ["legion-1", "legion-2", "dinary-3"] + ["legion-3"] * 2, None, 5, 1)
    hands = dict.fromkeys(table.players, "qween druhid zvord axx archr filchy")
    game = started(table, "legion-3 dinary-3 legion-1 legion-3 legion-2", hands)
    assert game.position()["wall"] == ["legion-3", "legion-1", "legion-3", "legion-2", "dinary-3"]
    table = Table(2, 0, "standard", ["legion-1", "legion-2", "legion-3"], None, 3, 1)
    hands = dict.fromkeys(table.players, "qween druhid zvord axx")
    game = started(table, "legion-2 legion-3 legion-1", hands)
    assert game.position()["wall"] == ["legion-2", "legion-3", "legion-1"]


def test_three_legion_forts_win_a_small_game_too():
    table = Table(2, 0, "standard", ["legion-1", "legion-2", "legion-3", "tax-8"], None, 4, 1)
    hands = {"player_0": "horsie chariott chariott axx | qween", "player_1": "druhid zvord filchy axx | qween"}
    game = started(table, "legion-1 legion-2 legion-3 tax-8", hands)
    plan(game, hands)
    assert (game.agent_to_act, legal_names(game)) == ("player_1", ["reorder:axx", "reorder:filchy"])
    game.act("reorder:filchy")
    # 7 against 2, 9 against 2 + 3, and 9 against nobody.
    assert game.winners() == ["player_0"] and game.position()["turn"] == 3


def test_in_the_variant_the_last_fort_of_the_short_wall_is_lost():
    table = Table(2, 0, "vogel", ["dinary-1", "dinary-3", "dinary-5"], None, 3, 1)
    hands = {"player_0": "axx druhid zvord | archr", "player_1": "axx archr horsie | filchy"}
    game = started(table, "dinary-1 dinary-3 dinary-5", hands)
    plan(game, hands)
    # 8.1: after the tie dinary-5 is gone, and dinary-1 is fought for again: 4 + 2 against 4 + 5. Then 4 + 2 + 3 beat 7.
    assert [event["fort"] for event in details(game, "reveal")] == ["dinary-1", "dinary-1", "dinary-3"]
    assert game.position()["lost_forts"] == ["dinary-5"]
    assert game.points() == {"player_0": 3, "player_1": 1}


def test_druhid_and_zvord_reach_no_further_than_the_line():
    table = Table(2, 0, "standard", ["dinary-1", "dinary-3", "dinary-4", "dinary-5"], None, 4, 1)
    hands = {"player_0": "zvord qween axx archr | horsie", "player_1": "druhid filchy zvord horsie | qween"}
    game = started(table, "dinary-1 dinary-3 dinary-4 dinary-5", hands)
    plan(game, hands)
    assert (game.agent_to_act, legal_names(game)) == ("player_0", ["reorder:archr", "reorder:axx", "reorder:qween"])
    hands = {"player_0": "druhid zvord axx archr | horsie", "player_1": "qween filchy zvord horsie | archr"}
    game = started(table, "dinary-1 dinary-3 dinary-4 dinary-5", hands)
    plan(game, hands)
    # The Qween charms Dru'hid: 3 against 0. So he captures nothing, and the next decision is Zvord's.
    assert (game.agent_to_act, legal_names(game)) == ("player_0", ["reorder:archr", "reorder:axx"])
    hands["player_1"] = "filchy qween zvord horsie | archr"
    game = started(table, "dinary-1 dinary-3 dinary-4 dinary-5", hands)
    plan(game, hands)
    assert (game.agent_to_act, legal_names(game)) == ("player_0", ["take:1", "take:2", "take:3", "take:4"])


def test_rounds_follow_each_other_as_long_as_there_are_any():
    table = Table(1, 1, "standard", ["dinary-1", "dinary-3", "dinary-4", "dinary-6"], ["axx", "archr", "horsie"], 2, 2)
    first = {"player_0": "archr horsie | axx", "neutral_0": "axx archr"}
    second = {"player_0": "horsie archr | axx", "neutral_0": "horsie axx"}
    game = started(table, "dinary-4 dinary-1 dinary-3 dinary-6", first, second)
    assert game.position()["wall"] == ["dinary-1", "dinary-4"]
    plan(game, first)
    position = game.position()
    assert (position["round"], position["turn"], position["wall"]) == (2, 0, ["dinary-3", "dinary-6"])
    assert position["clans"]["player_0"]["forts"] == ["dinary-1"]  # 5 against 4; then 7 against 4 + 5
    assert position["clans"]["neutral_0"]["forts"] == ["dinary-4"]
    plan(game, second)
    assert game.is_over and game.position()["round"] == 2
    # 7 and 7 are level, and Horsie, alone, leaves on both sides (4.9); then 5 beats 4.
    assert game.points() == {"player_0": 7, "neutral_0": 4}
    assert game.returns() == {"player_0": 1.0}


def full_game_of(small: Game, line_of: dict[str, list[str]]) -> Game:
    """A full game whose first round begins with the lines and the wall of a small one."""
    rest = ["dinary-6", "dinary-6", "tax-8"]
    forts = [*small.deal()["forts"], *rest, *["legion-1"] * 3, *["dinary-3"] * 9]
    cards = {}
    for clan, line in line_of.items():
        left = Counter(COPIES_OF) - Counter(line)
        others = list(left.elements())
        cards[clan] = [*line, *others][: 7 if clan in small.players else 6]
    table = Table(small.rules.setup.num_players, small.rules.setup.num_neutrals, small.rules.setup.variant, forts)
    return Game(RomansGoHome(table), deal={"forts": forts, "rounds": [cards] * 3})


def of_three_turns(game: Game) -> list[tuple[str, str]]:
    """What happened in the first three turns, in public."""
    told = []
    for event in game.events():
        if event.kind == "end" or (event.kind == "reveal" and event.details["turn"] == 4):
            break
        if event.kind != "round" and event.private_to is None:
            told.append((event.kind, json.dumps(event.details, sort_keys=True)))
    return told


@given(st.sampled_from([(2, 0), (2, 1), (3, 0), (1, 2), (4, 0)]), st.integers(0, 2**32), st.integers(0, 2**32))
def test_the_same_cards_in_the_first_slots_of_a_full_game_do_the_same(size, seed, choices):
    # Dru'hid and Zvord look further than three slots, and in the variant the whole wall moves.
    warriors = [name for name in COPIES_OF if name not in ("druhid", "zvord")] + ["chariott"]
    small = Game(RomansGoHome(Table(*size, "standard", TABLE.fort_deck, warriors, 3, 1)), seed=seed)
    small = Game(small.rules, deal={**small.deal(), "forts": small.position()["wall"]})
    asked = []
    lcg = Lcg(choices)
    while not small.is_over:
        is_planning = small.position()["turn"] == 0
        legal = legal_names(small)
        action = lcg.pick(legal)
        if not is_planning:
            asked.append((small.agent_to_act, legal, action))
        small.act(action)
    state = small.states[0]
    names = list(COPIES_OF)
    line_of = {clan: [names[card] for card in state.line[i, :3]] for i, clan in enumerate(small.rules.seats)}
    full = full_game_of(small, line_of)
    while full.position()["turn"] == 0:
        hand = full.position()["clans"][full.agent_to_act]["hand"]
        laid = full.position()["clans"][full.agent_to_act]["hidden"]
        line = line_of[full.agent_to_act]
        if full.rules.decision_kind(full.states, 0) == "discard":
            spare = Counter(hand) - Counter(line)
            full.act(f"discard:{next(iter(spare))}")
        else:
            full.act(f"place:{line[len(laid)] if len(laid) < 3 else hand[0]}")
    for agent, legal, action in asked:
        assert (full.agent_to_act, legal_names(full)) == (agent, legal)
        full.act(action)
    assert full.is_over or full.position()["turn"] != 3 or full.position()["round"] > 1
    assert of_three_turns(full) == of_three_turns(small)


def test_a_deal_has_as_many_forts_rounds_and_cards_as_the_table():
    table = Table(2, 1, "standard", ["dinary-1", "tax-8"] * 2, ["axx", "archr", "filchy", "horsie"], 2, 2)
    deal = Game(RomansGoHome(table), seed=1).deal()
    assert (len(deal["forts"]), len(deal["rounds"])) == (4, 2)
    assert [len(cards) for cards in deal["rounds"][0].values()] == [3, 3, 2]
    for change, why in (
        (lambda deal: deal["rounds"].append(deal["rounds"][0]), "a deal of this table has 2 rounds"),
        (lambda deal: deal["rounds"][1]["player_0"].append("axx"), "must give 3 warriors"),
        (lambda deal: deal["rounds"][0].update(neutral_0=["axx"]), "must give 2 warriors"),
        (lambda deal: deal["rounds"][0].update(player_1=["axx", "axx", "archr"]), "2 copies of axx, a clan has 1"),
        (lambda deal: deal["rounds"][0].update(player_1=["axx", "qween", "archr"]), "1 copies of qween, a clan has 0"),
        (lambda deal: deal["forts"].append("tax-8"), "too many tax-8"),
    ):
        changed = json.loads(json.dumps(deal))
        change(changed)
        with pytest.raises(ValueError, match=why):
            Game(RomansGoHome(table), deal=changed)


def test_the_small_table_is_in_its_records_and_its_name():
    game = played(Game(RomansGoHome(SMALL_TABLE), seed=2), seed=2)
    record = json.loads(json.dumps(game.record()))
    assert record["table"] == {
        "num_players": 2,
        "num_neutrals": 0,
        "variant": "standard",
        "fort_deck": ["dinary-3", "dinary-5", "signal-4"],
        "warriors": ["qween", "axx", "filchy", "chariott", "chariott"],
        "line_size": 3,
        "num_rounds": 1,
    }
    assert replay(record).record() == record
    assert Table.from_json(record["table"]) == SMALL_TABLE
    assert (str(SMALL_TABLE), str(Table()), str(Table(2, 1, "vogel"))) == ("small", "2+0", "2+1 vogel")
    other = Table(2, 1, "vogel", ["tax-8"] * 4, ["axx", "archr", "filchy"], 2, 2)
    assert str(other) == "2+1 vogel 3 warriors 2x2 forts"
    assert [table.is_small for table in (SMALL_TABLE, other, Table())] == [True, True, False]


def test_a_full_table_says_nothing_of_its_size():
    assert Table(line_size=6, num_rounds=3).as_json() == {"num_players": 2, "num_neutrals": 0, "variant": "standard"}


NINE = list(Counter(COPIES_OF).elements())


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"line_size": 3, "num_rounds": 1}, "give a fort_deck with num_rounds . line_size = 3 forts"),
        ({"line_size": 3, "num_rounds": 1, "fort_deck": ["tax-8"] * 4}, "this table's fort deck has 3 forts, this one"),
        ({"line_size": 5, "num_rounds": 1, "fort_deck": ["legion-1"] * 5}, "at most 4 Legion forts, this one 5"),
        ({"line_size": 0}, "line_size is 1 to 6, not 0"),
        ({"line_size": 7}, "line_size is 1 to 6, not 7"),
        ({"line_size": 2.0}, "line_size is 1 to 6, not 2.0"),
        ({"num_rounds": 4}, "num_rounds is 1 to 3, not 4"),
        ({"num_rounds": True}, "num_rounds is 1 to 3, not True"),
        ({"warriors": NINE[:6]}, "a line of 6 and a warrior to set aside need 7 warriors or more, not 6"),
        ({"warriors": [*NINE, "axx"]}, "a clan has at most 1 axx"),
        ({"warriors": "axx"}, "warriors is a list of names, not 'axx'"),
        ({"warriors": [*NINE[:7], "centurion"]}, "unknown warriors in the clan: centurion; the kinds are qween, "),
        (
            {"warriors": ["chariott"] * 2, "line_size": 1, "num_rounds": 1, "fort_deck": ["tax-8"]},
            "a player who drew both would have no choice",
        ),
    ],
)
def test_impossible_small_tables(settings, why):
    for make in (Table, romans_go_home_v0.env, romans_go_home_v0.raw_env):
        with pytest.raises(ValueError, match=why) as error:
            make(**settings)
        assert "\n" not in str(error.value)
