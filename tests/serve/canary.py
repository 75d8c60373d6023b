"""A dice race of secrets that no other text holds: what a viewer is sent can be searched for them byte by byte."""

from dataclasses import dataclass
from typing import ClassVar

from romans_env.core.games import GameSpec
from tests.toy.rules import DiceRace, DiceSetup

WORDS = 400
SPEC = GameSpec(name="canary", title="Canary", rules="tests.serve.canary:Canary")


def word_of(number):
    """The secret word of a number from 1."""
    return f"zq{number * 7919 % 99991:05d}x"


NUMBERS = {word_of(number): number for number in range(1, WORDS)}


@dataclass(frozen=True)
class CanarySetup(DiceSetup):
    game: ClassVar[str] = SPEC.name


class Canary(DiceRace):
    """A dice race whose bonuses are words."""

    name = SPEC.name

    def __init__(self, setup=None):
        super().__init__(CanarySetup())

    @classmethod
    def from_settings(cls, num_players=None, turns=None):
        return cls()

    def _is_dealt(self, states, i):
        return bool(states["bonus"][i].all())

    def chance_outcomes(self, states, i):
        # No secret is dealt twice: a viewer would be sent another's with its own.
        words = [(word, 1) for word, number in NUMBERS.items() if number not in states["bonus"][i]]
        return super().chance_outcomes(states, i) if self._is_dealt(states, i) else words

    def act_chance(self, states, i, outcome):
        if self._is_dealt(states, i):
            return super().act_chance(states, i, outcome)
        if NUMBERS.get(outcome, 0) in (0, *states["bonus"][i]):
            raise ValueError(f"{outcome!r} is no secret")
        states["bonus"][i, int(states["bonus"][i, 0] > 0)] = NUMBERS[outcome]
        return self.seat_to_act(states, i)

    def determinize(self, private, seat, rng):
        states = private.copy()
        states["bonus"][0, 1 - seat] = rng.integers(1, WORDS)
        return states

    def position(self, states, i):
        words = [word_of(int(number)) if number else None for number in states["bonus"][i]]
        return {**super().position(states, i), "bonus": words}
