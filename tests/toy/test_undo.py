"""A choice that shows something new is final, however seldom what it shows might have been otherwise."""

import pytest

from romans_env import Game
from romans_env.core.undo import Undo
from tests.toy.rules import DiceRace

LOOK = 0


class LookRace(DiceRace):
    """A race in which a bonus is 1 to 20, and who names 0 first looks whether the rival's is 20."""

    def act(self, states, i, action):
        if action == LOOK and states["score"][i].sum() == 0:
            seat = int(states["turn"][i]) % 2
            states["score"][i, seat] = 1 + (states["bonus"][i, 1 - seat] == 20)
            return seat
        return super().act(states, i, action)

    def determinize(self, private, seat, rng):
        states = private.copy()
        states["bonus"][0, 1 - seat] = rng.integers(1, 21)
        return states


class BlindRace(LookRace):
    """The same, but what is looked at has no other value."""

    def determinize(self, private, seat, rng):
        states = super().determinize(private, seat, rng)
        states["bonus"][0, 1 - seat] %= 20
        return states


@pytest.mark.parametrize(
    ("rules", "why"), [(LookRace(), "your last choice showed you something new"), (BlindRace(), None)]
)
def test_a_choice_that_seldom_shows_something_else(rules, why):
    game, undo = Game(rules, deal={"outcomes": [2, 3, 1]}, seed=1), Undo()
    before = game.clone()
    assert game.act(LOOK) == 0
    assert undo.chosen(before, LOOK, "look", game) is (why is None)
    assert (undo.take_back() is None) is not (why is None)
    assert undo.why_empty == (why or "you have not chosen anything yet")
