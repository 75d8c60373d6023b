"""Determinizations: complete games, uniformly sampled among those that a seat cannot tell from the true one.

The statistical tests use fixed seeds, so they cannot fail by chance.
"""

import itertools
from collections import Counter

import pytest

from romans_env.roma.material import CARDS, COST, NUM_CHARACTERS
from tests.roma.stages import COPIES_OF, PLAYERS, Stage, game_at, new_game
from tests.tools import assert_distributed, samples


def hidden_of(position, player):
    """A player's hand, cards aside and face-down discs, the first two sorted."""
    one = position["players"][player]
    aside = one["aside"] if position["decision"]["kind"] in ("give", "keep") else {}
    hand, aside = (tuple(sorted(Counter(cards).elements())) for cards in (one["hand"], aside))
    return hand, aside, tuple(one["discs"][disc - 1] for disc in one["face_down"])


def is_asked(position, hand, aside):
    """Whether the player would be asked what it is asked, with such cards (ROMA 2.4, 8.1)."""
    decision = position["decision"]
    one = position["players"][decision["agent"]]
    if decision["kind"] == "give":
        return len(set(hand)) > 1
    if decision["kind"] == "keep":
        return len(set(aside)) > 1
    if decision["kind"] == "main":
        return bool(position["dice"]) or any(COST[CARDS.index(card)] <= one["money"] for card in hand)
    if decision["effect"] in ("architectus", "senator"):
        wants_building = decision["effect"] == "architectus"
        return any((CARDS.index(card) >= NUM_CHARACTERS) == wants_building for card in hand)
    return True


def exact_weights(game, viewer):
    """How many arrangements of single cards there are for what the rival of a seat may have hidden (ROMA 9)."""
    position, player = game.position(PLAYERS[viewer]), PLAYERS[1 - viewer]
    one, own = position["players"][player], position["players"][PLAYERS[viewer]]
    true_hand, true_aside, true_discs = hidden_of(game.position(), player)
    seen = Counter(own["hand"]) + Counter(own["aside"]) + Counter(position["discard"]) + Counter(one["aside"] or {})
    seen += Counter(filter(None, own["discs"])) + Counter(filter(None, one["discs"]))
    known = list(Counter(one["known"]).elements())
    rest = list((Counter(COPIES_OF) - seen - Counter(known)).elements())
    places = len(true_hand) + len(true_aside) + len(true_discs)
    weights: Counter = Counter()
    for others in itertools.combinations(rest, places - len(known)):
        for cards in itertools.permutations([*known, *others]):
            hand, aside = cards[: len(true_hand)], cards[len(true_hand) :][: len(true_aside)]
            if is_asked(position, hand, aside):
                discs = cards[len(true_hand) + len(true_aside) :]
                weights[tuple(sorted(hand)), tuple(sorted(aside)), discs] += 1
    return weights


def kept(hand, known, pile, outcomes):
    """The rival draws cards, knowing of none, and is to keep one."""
    hand, known, pile, outcomes = (cards.split() for cards in (hand, known, pile, outcomes))
    stage = Stage((len(outcomes), 1, 2), hand=hand, known=known, pile=pile, outcomes=outcomes)
    return stage.play(f"cards:{len(outcomes)}")


def laid(card, hand, known, pile, *played):
    """The rival lays cards of its hand by an effect."""
    cards = {"hand": hand.split(), "known": known.split(), "pile": pile.split()}
    return Stage((3, 1, 2), own={3: card}, **cards).play("activate:3", *played)


# Few cards are unseen, two of a kind among them, so that most arrangements would not be asked; nearly all have known
# cards. Each is seen by player_1.
POSITIONS = {
    "keep": lambda: kept("legat", "", "forum forum nero", "forum nero"),
    "keep, one known": lambda: kept("consul", "consul", "forum forum nero", "forum nero"),
    "keep, a copy of the known one": lambda: kept("forum", "forum", "forum forum nero legat", "forum nero"),
    "keep, two known": lambda: kept("consul forum", "consul forum", "forum forum forum legat", "forum legat"),
    "keep, three aside": lambda: kept("legat", "legat", "forum forum forum legat", "forum forum legat"),
    "lay by architectus": lambda: laid("architectus", "forum nero", "nero", "legat legat turris"),
    "lay by architectus again": lambda: laid(
        "architectus", "forum turris nero", "nero", "legat legat basilica", "lay:forum:1"
    ),
    "lay by senator": lambda: laid("senator", "nero forum", "forum", "turris turris legat"),
    "take from the discard pile": lambda: laid("aesculapinum", "nero forum", "forum", "turris turris legat"),
    "main without dice": lambda: Stage(
        (2,), hand=["templum", "nero"], known=["nero"], pile=["forum", "forum", "senator"], money=(1, 0)
    ).play("money:2"),
    "main, hands alone": lambda: Stage((3, 1, 2), hand=["legat", "forum"], pile=["forum", "forum", "nero"]),
    "main, a copy of the known one": lambda: Stage(
        (3, 1, 2), hand=["legat", "forum"], known=["forum"], pile=["forum", "forum", "nero"]
    ),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_samples_have_the_frequencies_of_single_cards(name):
    game = POSITIONS[name]().game
    assert game.position()["decision"]["kind"] == name.split()[0].strip(",")
    found = Counter(hidden_of(sample.position(), "player_0") for sample in samples(game.view(1), 1500))
    weights = exact_weights(game, 1)
    assert len(weights) > 1
    assert_distributed(found, weights)


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


def test_four_cards_of_a_kind_would_leave_nothing_to_give():
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
    # A clone keeps the prescribed list.
    twin = stage.game.clone()
    twin.act("end")
    assert twin.position()["dice"] == [6, 6, 6]
