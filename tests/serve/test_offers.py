"""The rivals that a server offers: by default, and the next stronger ones."""

import pytest

from romans_serve.thinkers.offers import offer_of
from romans_serve.thinking import AgentOffer, GameOffer

GAMES = ("romans-go-home", "roma", "struggle")


@pytest.mark.parametrize("game", GAMES)
def test_default_rivals_are_different_ones_of_about_the_same_level(game):
    offer = offer_of(game)
    rivals = offer.rivals(3)
    assert rivals[0] == offer.opponent and len(set(rivals)) == 3
    assert all(abs(offer.levels[rival] - offer.levels[offer.opponent]) <= 1 for rival in rivals)
    assert offer.as_json()["rivals"] == rivals[: max(one["num_players"] for one in offer.as_json()["setups"]) - 1]


def test_where_there_are_fewer_agents_than_seats_they_come_again():
    offer = GameOffer("romans-go-home", agents=(AgentOffer("a", level=2), AgentOffer("b", level=5)), opponent="a")
    assert offer.rivals(3) == ["a", "b", "a"]
    assert GameOffer("dice-race").rivals(2) == ["random", "random"]


@pytest.mark.parametrize("game", GAMES)
def test_from_the_default_rival_one_comes_to_the_strongest_step_by_step(game):
    offer = offer_of(game)
    levels, spec = [offer.levels[offer.opponent]], offer.opponent
    while (stronger := offer.stronger(spec)) is not None:
        spec = stronger.spec
        levels.append(offer.levels[spec])
    assert levels == sorted(set(levels)) and levels[-1] == max(offer.levels.values())
    assert offer.stronger("nobody") is None


@pytest.mark.parametrize("game", GAMES)
def test_every_setup_has_a_label_without_signs(game):
    labels = [setup["label"] for setup in offer_of(game).as_json()["setups"]]
    assert len(set(labels)) == len(labels)
    assert not any("+" in label for label in labels)
