"""Dice race: two players, dice during play, a hundred actions, a hidden bonus.

Each player is dealt a bonus of 1 to 6 that the other does not see. In each of ten turns a die is thrown, and the player
whose turn it is names a multiple of it below 100: the remainder of that number by 7 is added to its score. The bonuses
count at the end.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from romans_env.core.base_rules import BaseRules
from romans_env.core.protocol import CHANCE, GAME_OVER, ILLEGAL

TURNS = 10
STATE = np.dtype([("turn", "i2"), ("die", "i2"), ("bonus", "i2", (2,)), ("score", "i2", (2,)), ("over", "i2")])


@dataclass(frozen=True)
class DiceSetup:
    """The game has no settings but how many turns there are."""

    game: ClassVar[str] = "dice-race"
    num_players: ClassVar[int] = 2
    num_seats: ClassVar[int] = 2
    turns: int = TURNS

    def as_json(self) -> dict[str, Any]:
        return {"turns": self.turns}

    def __str__(self) -> str:
        return f"{self.turns} turns"


class DiceRace(BaseRules):
    name = DiceSetup.game
    num_players = 2
    action_names = tuple(f"name:{number}" for number in range(100))
    observation_low, observation_high = np.zeros(5, dtype=np.int16), np.full(5, 999, dtype=np.int16)
    global_state_low, global_state_high = np.zeros(6, dtype=np.int16), np.full(6, 999, dtype=np.int16)

    def __init__(self, setup: DiceSetup | None = None):
        self.setup = setup or DiceSetup()

    @property
    def max_decisions(self):
        return self.setup.turns

    @classmethod
    def from_settings(cls, num_players=None, turns=TURNS):
        if num_players not in (None, 2) or not isinstance(turns, int) or not 1 <= turns <= 100:
            raise ValueError(f"a dice race has 2 players and 1 to 100 turns, not {num_players} and {turns}")
        return cls(DiceSetup(turns))

    @classmethod
    def from_json(cls, setup):
        if not isinstance(setup, dict) or set(setup) != {"turns"}:
            raise ValueError("the setup of a dice race is an object with the key 'turns'")
        return cls.from_settings(**setup)

    def new_states(self, num_games):
        return np.zeros(num_games, dtype=STATE)

    def begin(self, states, i):
        states[i] = np.zeros((), dtype=STATE)
        return CHANCE

    def chance_outcomes(self, states, i):
        return [(face, 1) for face in range(1, 7)]

    def chance_key(self, states, i):
        dealt = int((states["bonus"][i] > 0).sum())
        return dealt if dealt < 2 else 2 + int(states["turn"][i])

    def act_chance(self, states, i, outcome):
        if type(outcome) is not int or not 1 <= outcome <= 6:
            raise ValueError(f"a die shows 1 to 6, not {outcome!r}")
        dealt = int((states["bonus"][i] > 0).sum())
        if dealt < 2:
            states["bonus"][i, dealt] = outcome
            return CHANCE
        states["die"][i] = outcome
        return self.seat_to_act(states, i)

    def act(self, states, i, action):
        if not self.is_legal(states, i, action):
            return ILLEGAL
        states["score"][i, states["turn"][i] % 2] += action % 7
        states["turn"][i] += 1
        states["die"][i] = 0
        if states["turn"][i] == self.setup.turns:
            self.end_early(states, i)
            return GAME_OVER
        return CHANCE

    def end_early(self, states, i):
        states["over"][i] = 1

    def seat_to_act(self, states, i):
        if states["over"][i]:
            return GAME_OVER
        return CHANCE if states["die"][i] == 0 else int(states["turn"][i]) % 2

    def legal_actions(self, states, i):
        die = int(states["die"][i])
        return list(range(0, 100, die)) if die and not states["over"][i] else []

    def decision_kind(self, states, i):
        return None if states["over"][i] else "name"

    def observe(self, states, i, seat, observation, mask):
        score = states["score"][i]
        observation[:] = [score[seat], score[1 - seat], states["die"][i], states["turn"][i], states["bonus"][i, seat]]
        mask[:] = 0
        if self.seat_to_act(states, i) == seat:
            mask[[action for action in self.legal_actions(states, i) if action < mask.size]] = 1

    def observe_everything(self, states, i, out, row):
        one = states[i]
        out[row] = [*one["score"], *one["bonus"], one["die"], one["turn"]]

    def redacted_for(self, states, i, seat):
        private = states[i : i + 1].copy()
        private["bonus"][0, 1 - seat] = 0
        return private

    def determinize(self, private, seat, rng):
        states = private.copy()
        states["bonus"][0, 1 - seat] = rng.integers(1, 7)
        return states

    def position(self, states, i):
        one = states[i]
        bonus = [int(bonus) or None for bonus in one["bonus"]]
        return {"turn": int(one["turn"]), "die": int(one["die"]), "score": one["score"].tolist(), "bonus": bonus}

    def points(self, states, i, seat):
        counts = states["turn"][i] == self.setup.turns
        return int(states["score"][i, seat]) + (int(states["bonus"][i, seat]) if counts else 0)
