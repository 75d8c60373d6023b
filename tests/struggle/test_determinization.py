"""Determinizations: complete games, uniformly sampled among those that a seat cannot tell from the true one.

The statistical tests use fixed seeds, so they cannot fail by chance.
"""

import itertools
from collections import Counter

from romans_env.struggle.material import DEVELOPMENT
from tests.struggle.stages import Stage, new_game
from tests.tools import assert_distributed, samples


def cards_of(game, field, *seat):
    """The cards of a field of the state: to read a position takes a hundred times as long."""
    counts = game.states[field][0][seat].tolist()
    return [name for name, count in zip(DEVELOPMENT, counts, strict=True) for _ in range(count)]


def test_hands_and_deck_are_uniform_over_single_cards():
    played = {0: "diplomacy " * 9 + "traitor " * 5, 1: "treasure " * 5, 2: "great_warrior " * 5 + "culture culture"}
    cards = {1: "culture", 2: "traitor"}
    stage = Stage(3, 3, cards=cards, played=played, deck="diplomacy culture")
    unseen = ["culture", "traitor", "diplomacy", "culture"]
    weights = Counter((hand, other) for hand, other in itertools.permutations(unseen, 2))
    found = Counter()
    for sample in samples(stage.game.view(3), 1500):
        hands = cards_of(sample, "development", 1) + cards_of(sample, "development", 2)
        found[tuple(hands)] += 1
        assert sorted(cards_of(sample, "deck") + hands) == sorted(unseen)
    assert_distributed(found, weights)


def test_a_hand_of_more_cards_is_uniform():
    played = {0: "diplomacy " * 10 + "traitor " * 4, 1: "treasure " * 5, 2: "great_warrior " * 4 + "culture " * 3}
    stage = Stage(3, 3, cards={1: "traitor traitor"}, played=played, deck="great_warrior culture")
    unseen = ["traitor", "traitor", "great_warrior", "culture"]
    weights = Counter(tuple(sorted(pair)) for pair in itertools.combinations(unseen, 2))
    found = Counter()
    for sample in samples(stage.game.view(3), 1200):
        found[tuple(sorted(cards_of(sample, "development", 1)))] += 1
    assert_distributed(found, weights)


def test_the_decision_asked_stays_asked_whatever_is_dealt():
    # player_0 is asked only because of its treasure: it has nothing else to build with.
    stage = Stage(2, cards={0: "treasure"}, gold={0: 0}, player_trade=False)
    assert stage.asked() == ("player_0", "build") and stage.legal == ["end", "play:treasure"]
    legal = Counter()
    for sample in samples(stage.game.view(1), 300):
        assert sample.agent_to_act == "player_0" and sample.position()["decision"]["kind"] == "build"
        legal[tuple(map(sample.action_name, sample.legal_actions()))] += 1
        clone = sample.clone()
        clone.act(clone.legal_actions()[-1])
    # With the other 29 cards: 10 diplomacies, 5 treasures, 15 others.
    expected = {("play:diplomacy", "end"): 10, ("play:treasure", "end"): 5, ("end",): 15}
    assert_distributed(legal, expected)


def test_an_empty_hand_and_an_empty_deck_are_known():
    rest = "diplomacy " * 10 + "traitor " * 5 + "treasure " * 5 + "great_warrior " * 5 + "culture " * 4
    stage = Stage(3, 0, cards={0: "traitor"}, played={3: rest})
    for sample in samples(stage.game.view(1), 5):
        position = sample.position()
        assert position["development_size"] == 0 and position["development_pile"] == {}
        assert position["players"]["player_0"]["development"] == {"traitor": 1}
        assert position["players"]["player_2"]["development"] == {}


def test_a_sample_has_chance_of_its_own():
    game = new_game(seed=4)
    outcomes = game.deal()["outcomes"]
    stage = Stage(2, 3, hands={3: "grain grain grain"}, outcomes=["horse"] * 50)
    found = Counter()
    for sample in samples(stage.game.view(0), 60):
        sample.act("bank:grain:pasture")
        found[next(iter(sample.position()["players"]["player_3"]["hand"]))] += 1
    assert 10 < found["horse"] < 50 and len(outcomes) > 4
    # A clone keeps the prescribed list.
    twin = stage.game.clone()
    twin.act("bank:grain:pasture")
    assert twin.position()["players"]["player_3"]["hand"] == {"horse": 1}
