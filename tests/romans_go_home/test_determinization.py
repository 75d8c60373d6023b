"""Determinizations: complete games, uniformly sampled among those that a seat cannot tell from the true one.

The statistical tests use fixed seeds, so they cannot fail by chance; their bounds are five standard deviations.
"""

import itertools
from collections import Counter

import pytest

from romans_env import Game
from romans_env.romans_go_home.chance import deal_as_json
from tests.romans_go_home.stages import COPIES_OF, SMALL_TABLES, Stage, new_game
from tests.tools import assert_distributed, decisions, samples

pytestmark = pytest.mark.slow

NINE = tuple(name for name, copies in COPIES_OF.items() for _ in range(copies))


def hand_weights(size: int) -> dict[tuple[str, ...], int]:
    """Each multiset of so many of the nine cards, with the number of ways to draw it."""
    return Counter(tuple(sorted(hand)) for hand in itertools.combinations(NINE, size))


def test_hands_that_nobody_has_seen_are_distributed_like_a_deal():
    view = new_game((2, 0, "standard"), seed=8).view("player_0")
    found = Counter(tuple(sample.position()["clans"]["player_1"]["hand"]) for sample in samples(view, 2500))
    assert_distributed(found, hand_weights(7))


def test_cards_of_later_rounds_are_distributed_like_a_deal():
    view = new_game((2, 1, "standard"), seed=9).view("player_0")
    own, neutral = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    for sample in samples(view, 2500):
        later = deal_as_json(sample.states[0], sample.rules.setup)["rounds"][2]
        own[tuple(sorted(later["player_0"]))] += 1
        neutral[tuple(sorted(later["neutral_0"]))] += 1
    assert_distributed(own, hand_weights(7))
    assert_distributed(neutral, hand_weights(6))


def late_game() -> Game:
    """player_0 reorders on the fourth turn; each other clan has two cards left in its line."""
    lines = {
        "player_0": "filchy archr chariott zvord axx druhid",
        "player_1": "chariott axx archr filchy druhid qween horsie",
        "neutral_0": "filchy horsie archr axx qween druhid",
    }
    game = Stage(lines).planned_game()
    while game.position()["decision"] != {"agent": "player_0", "kind": "reorder"}:
        game.act(game.legal_actions()[0])
    return game


def test_a_late_position_is_sampled_uniformly_over_the_physical_cards():
    game = late_game()
    assert game.position()["turn"] == 4
    shown = {"player_1": ["chariott", "axx", "archr", "filchy"], "neutral_0": ["filchy", "horsie", "archr", "axx"]}
    players: Counter = Counter()
    neutrals: Counter = Counter()
    for sample in samples(game.view("player_0"), 2500):
        clans = sample.position()["clans"]
        players[(*clans["player_1"]["hidden"], clans["player_1"]["set_aside"])] += 1
        neutrals[tuple(clans["neutral_0"]["hidden"])] += 1
    assert_distributed(players, arrangements(shown["player_1"], 3))
    assert_distributed(neutrals, arrangements(shown["neutral_0"], 2))


def arrangements(shown: list[str], places: int) -> dict[tuple[str, ...], int]:
    """Each way to lay unseen cards in so many places; with two unseen Ch'ariotts some can be laid in two ways."""
    return Counter(itertools.permutations(unseen(shown), places))


def test_past_set_aside_warriors_are_any_of_the_three_not_revealed():
    game = new_game((2, 0, "standard"), seed=10)
    for _ in decisions(game, seed=10):
        if game.position()["round"] == 2:
            break
    state = game.states[0]
    dealt = [int(card) for card in state.dealt[0, 1]]
    dealt.remove(int(state.set_aside[0, 1]))
    left = [0, 1, 2, 3, 4, 5, 6, 7, 7]
    for card in dealt:
        left.remove(card)
    found = Counter(int(sample.states[0].set_aside[0, 1]) for sample in samples(game.view("player_0"), 1500))
    assert_distributed(found, Counter(left))


def test_forts_to_come_are_in_any_order():
    game = new_game((2, 0, "standard"), seed=11)
    to_come = Counter(game.deal()["forts"][6:])
    first, last = Counter[str](), Counter[str]()
    for sample in samples(game.view("player_0"), 2500):
        forts = deal_as_json(sample.states[0], sample.rules.setup)["forts"]
        assert forts[:6] == game.deal()["forts"][:6]
        first[forts[6]] += 1
        last[forts[17]] += 1
    assert_distributed(first, to_come)
    assert_distributed(last, to_come)


def test_another_seat_in_the_middle_of_its_planning_can_choose_in_every_sample():
    # player_0 has two cards left to lay and is asked, so they differ: player_1 knows that much (RULES 4.14).
    game = Stage({"player_0": "archr axx filchy horsie druhid chariott", "player_1": ""}).game
    for name in ("discard:chariott", "place:archr", "place:axx", "place:filchy", "place:horsie"):
        game.act(name)
    assert game.agent_to_act == "player_0"
    found: Counter = Counter()
    for sample in samples(game.view("player_1"), 2500):
        hand = sample.position()["clans"]["player_0"]["hand"]
        found[tuple(hand)] += 1
        assert len(sample.legal_actions()) == 2
    weights = hand_weights(2)
    del weights["chariott", "chariott"]
    assert_distributed(found, weights)


def test_another_seat_in_the_middle_of_its_reordering_is_sampled_alike():
    game = late_game()
    shown = ["filchy", "archr", "chariott", "zvord"]
    weights = Counter(tuple(sorted(pair)) for pair in itertools.combinations(unseen(shown), 2))
    found = Counter(
        tuple(sample.position()["clans"]["player_0"]["hand"]) for sample in samples(game.view("player_1"), 2500)
    )
    assert_distributed(found, weights)


def unseen(shown: list[str]) -> list[str]:
    return list((Counter(NINE) - Counter(shown)).elements())


def test_neutral_lines_of_a_small_table_are_uniform_over_the_physical_cards():
    view, cards = new_game(SMALL_TABLES[1], seed=1).view("player_0"), SMALL_TABLES[1][4]
    lines = (game.position()["clans"]["neutral_0"]["hidden"] for game in samples(view, 3000))
    assert_distributed(Counter(line[0] for line in lines), Counter(cards))
