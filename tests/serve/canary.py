"""A game of secrets that no other text holds: what a viewer is sent can be searched for them byte by byte.

Each of three players is dealt a secret word, and in nine turns names one of five hidden numbers.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from romans_env.base_rules import BaseRules
from romans_env.games import GameSpec
from romans_env.protocol import CHANCE, GAME_OVER, ILLEGAL

PLAYERS, TURNS, WORDS = 3, 9, 400
STATE = np.dtype([("turn", "i2"), ("secret", "i2", (PLAYERS,)), ("told", "i2", (TURNS,)), ("over", "i2")])
SPEC = GameSpec(name="canary", title="Canary", rules="tests.serve.canary:Canary")


def word_of(number):
    """The secret word of a number from 1."""
    return f"zq{number * 7919 % 99991:05d}x"


@dataclass(frozen=True)
class CanarySetup:
    game: ClassVar[str] = "canary"
    num_players: ClassVar[int] = PLAYERS
    num_seats: ClassVar[int] = PLAYERS

    def as_json(self) -> dict[str, Any]:
        return {}

    def __str__(self) -> str:
        return "three secrets"


class Canary(BaseRules):
    name = "canary"
    num_players = PLAYERS
    setup = CanarySetup()
    action_names = tuple(f"tell:{number}" for number in range(5))
    max_decisions = TURNS
    observation_low, observation_high = np.zeros(2, dtype=np.int16), np.full(2, 999, dtype=np.int16)
    global_state_low, global_state_high = np.zeros(4, dtype=np.int16), np.full(4, 999, dtype=np.int16)

    def __init__(self, setup=None):
        pass

    @classmethod
    def from_settings(cls, num_players=None):
        return cls()

    @classmethod
    def from_json(cls, setup):
        return cls()

    def new_states(self, num_games):
        return np.zeros(num_games, dtype=STATE)

    def begin(self, states, i):
        states[i] = np.zeros((), dtype=STATE)
        return CHANCE

    def _dealt(self, states, i):
        return int((states["secret"][i] != 0).sum())

    def chance_outcomes(self, states, i):
        # No secret is dealt twice: a viewer would be sent another's with its own.
        return [(word_of(number), 1) for number in range(1, WORDS) if number not in states["secret"][i]]

    def chance_key(self, states, i):
        return self._dealt(states, i)

    def act_chance(self, states, i, outcome):
        numbers = {word_of(number): number for number in range(1, WORDS)}
        if outcome not in numbers or numbers[outcome] in states["secret"][i]:
            raise ValueError(f"{outcome!r} is no secret")
        states["secret"][i, self._dealt(states, i)] = numbers[outcome]
        return self.seat_to_act(states, i)

    def act(self, states, i, action):
        if not self.is_legal(states, i, action):
            return ILLEGAL
        turn = int(states["turn"][i])
        states["told"][i, turn] = action + 1
        states["turn"][i] = turn + 1
        if turn + 1 == TURNS:
            self.end_early(states, i)
            return GAME_OVER
        return self.seat_to_act(states, i)

    def end_early(self, states, i):
        states["over"][i] = 1

    def seat_to_act(self, states, i):
        if states["over"][i]:
            return GAME_OVER
        return CHANCE if self._dealt(states, i) < PLAYERS else int(states["turn"][i]) // (TURNS // PLAYERS)

    def legal_actions(self, states, i):
        return [] if self.seat_to_act(states, i) < 0 else list(range(5))

    def decision_kind(self, states, i):
        return None if states["over"][i] else "tell"

    def observe(self, states, i, seat, observation, mask):
        observation[:] = [states["secret"][i, seat], states["turn"][i]]
        mask[:] = 0
        if self.seat_to_act(states, i) == seat:
            mask[[action for action in self.legal_actions(states, i) if action < mask.size]] = 1

    def observe_everything(self, states, i, out, row):
        out[row] = [*states["secret"][i], states["turn"][i]]

    def redacted_for(self, states, i, seat):
        private = states[i : i + 1].copy()
        for other in range(PLAYERS):
            if other != seat:
                private["secret"][0, other] = -1
                private["told"][0, other * 3 : other * 3 + 3] = 0
        return private

    def determinize(self, private, seat, rng):
        states = private.copy()
        for other in range(PLAYERS):
            if other != seat:
                states["secret"][0, other] = rng.integers(1, WORDS)
        return states

    def position(self, states, i):
        one = states[i]
        secrets = [word_of(int(number)) if number > 0 else None for number in one["secret"]]
        return {"turn": int(one["turn"]), "secrets": secrets, "told": [int(told) or None for told in one["told"]]}

    def points(self, states, i, seat):
        return int(states["told"][i, seat * 3 : seat * 3 + 3].sum())
