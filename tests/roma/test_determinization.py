"""Determinizations: complete games, uniformly sampled among those that a seat cannot tell from the true one.

The statistical tests use fixed seeds, so they cannot fail by chance.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from tests.roma import invariants
from tests.roma.invariants import hidden_cards
from tests.roma.stages import PLAYERS, Stage, game_at, new_game, positions


def samples(view, number, seed=1):
    rng = np.random.default_rng(seed)
    for _ in range(number):
        yield view.sample_game(rng)


def assert_distributed(found: Counter, weights: dict) -> None:
    """Pearson's chi-square test: outcomes occur in proportion to their weights, and no others occur."""
    assert set(found) <= set(weights)
    total, weight = sum(found.values()), sum(weights.values())
    expected = {outcome: total * share / weight for outcome, share in weights.items()}
    assert min(expected.values()) > 5, "too few samples for the test"
    chi_square = sum((found[outcome] - mean) ** 2 / mean for outcome, mean in expected.items())
    freedom = len(weights) - 1
    assert chi_square < freedom + 5 * math.sqrt(2 * freedom), (chi_square, freedom)


@pytest.mark.parametrize("seed", range(6))
def test_a_sample_looks_to_the_seat_like_the_true_game(seed):
    rng = np.random.default_rng(seed)
    for game in positions([seed]):
        for seat, player in enumerate(PLAYERS):
            sample = game.view(seat).sample_game(rng)
            invariants.check(sample)
            assert sample.position(player) == game.position(player)
            assert sample.observation(seat).tobytes() == game.observation(seat).tobytes()
            assert sample.agent_to_act == game.agent_to_act
            if game.seat_to_act == seat:
                assert sample.legal_actions() == game.legal_actions()


def hands_of(view, number=4000):
    rival = PLAYERS[1 - view.seat]
    hands = (sample.position()["players"][rival]["hand"] for sample in samples(view, number))
    return Counter(tuple(sorted(Counter(hand).elements())) for hand in hands)


def test_hands_are_uniform_over_single_cards():
    stage = Stage((3, 1, 2), pile=["forum", "forum", "nero"], rival_hand=["legat", "forum"])
    weights = Counter(
        tuple(sorted(pair)) for pair in itertools.combinations(["forum", "forum", "forum", "nero", "legat"], 2)
    )
    assert_distributed(hands_of(stage.game.view(0)), weights)


def test_known_cards_stay_and_the_rest_is_drawn_from_the_other_cards():
    stage = Stage((3, 1, 2), pile=["forum", "forum", "nero"], rival_hand=["legat", "forum"], rival_known=["forum"])
    weights = {("forum", "forum"): 2, ("forum", "nero"): 1, ("forum", "legat"): 1}
    assert_distributed(hands_of(stage.game.view(0)), weights)


def test_face_down_cards_are_uniform_over_their_places():
    outcomes = ["forum", "legat", "turris", "consul", "onager", "legionarius", "basilica", "nero"]
    game = new_game(outcomes=outcomes, seed=1)
    for action in ("turris", "consul", "basilica", "nero"):
        game.act(f"give:{action}")
    for action in ("lay:forum:3", "lay:basilica:4"):
        game.act(action)
    # player_0 has nero and legat in hand, forum and basilica face-down; player_1 knows of basilica and nero.
    found, known = Counter(), Counter()
    for sample in samples(game.view(1), 3000):
        one = sample.position()["players"]["player_0"]
        assert [disc is None for disc in one["discs"]] == [True, True, False, False, True, True]
        cards = [*one["discs"][2:4], "hand"]
        known[tuple(cards.index(card) if card in cards else 2 for card in ("basilica", "nero"))] += 1
        found[one["discs"][2] if one["discs"][2] in ("basilica", "nero") else "other"] += 1
    # Four places: two discs, and two in the hand that are not told apart.
    weights = Counter(tuple(min(place, 2) for place in pair) for pair in itertools.permutations(range(4), 2))
    assert_distributed(known, weights)
    assert_distributed(found, {"basilica": 1, "nero": 1, "other": 2})


def test_cards_in_hand_and_aside_are_uniform_over_their_places():
    pile = ["forum", "nero", "legat"]
    stage = Stage((2, 1, 3), hand=["consul"], pile=pile, outcomes=["forum", "nero"], known=["consul"]).play("cards:2")
    found = Counter()
    for sample in samples(stage.game.view(1), 3000):
        one = sample.position()["players"]["player_0"]
        assert hidden_cards(sample.position(), "player_0")["consul"] == 1 and sum(one["aside"].values()) == 2
        found["consul" in one["hand"]] += 1
    assert_distributed(found, {True: 1, False: 2})


def test_who_is_asked_would_be_asked():
    # Without dice, player_0 is asked only because it can afford a card of its hand.
    stage = Stage((2,), hand=["templum", "nero"], pile=["forum", "consul", "senator"], money=(1, 0)).play("money:2")
    assert stage.asked()[0] == "main" and stage.position["dice"] == []
    hands = hands_of(stage.game.view(1))
    cheap = {"templum", "consul", "senator"}
    pairs = itertools.combinations(["templum", "nero", "forum", "consul", "senator"], 2)
    assert_distributed(hands, {tuple(sorted(pair)): 1 for pair in pairs if cheap & set(pair)})
    # Four cards of a kind would leave nothing to give.
    for sample in samples(game_at("give").view(1), 300):
        assert len(sample.position()["players"]["player_0"]["hand"]) > 1


def test_the_pile_that_can_be_inferred_is_the_true_one():
    stage = Stage((3, 1, 2), rival_hand=["nero"], rival_known=["nero"])
    for sample in samples(stage.game.view(0), 5):
        assert sample.position() == stage.position


def test_a_sample_has_chance_of_its_own():
    stage = Stage((3, 3, 2), own={3: "legionarius"}, rival={3: "forum", 4: "nero"}, outcomes=[6] * 50)
    scores = Counter()
    for sample in samples(stage.game.view(0), 120):
        sample.act("end")
        scores[tuple(sample.position()["dice"])] += 1
    assert len(scores) > 20 and scores[6, 6, 6] < 5
    # The same generator, the same sample and the same chance.
    first, second = (list(samples(stage.game.view(0), 3, seed=4)) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        one.act("end"), other.act("end")
        assert one.position() == other.position()
    # A clone keeps the prescribed list.
    twin = stage.game.clone()
    twin.act("end")
    assert twin.position()["dice"] == [6, 6, 6]


def test_a_sample_has_no_past():
    sample = new_game(seed=1).view(0).sample_game(np.random.default_rng(1))
    with pytest.raises(ValueError, match="no record"):
        sample.record()
