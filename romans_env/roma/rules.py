"""The game as the layers above see it: what `romans_env.protocol.Rules` asks of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.base_rules import ChanceRules
from romans_env.engine.random_stream import WORDS
from romans_env.errors import shortened
from romans_env.protocol import CHANCE, GAME_OVER, Outcome
from romans_env.roma import events, kernels, observation
from romans_env.roma.actions import ACTION_NAMES, NUM_ACTIONS, actions_of
from romans_env.roma.events import Event
from romans_env.roma.material import CARDS, NUM_FACES
from romans_env.roma.position import decision_kind, position_of
from romans_env.roma.setup import RomaSetup
from romans_env.roma.spec import SPEC
from romans_env.roma.state import (
    FIRST_DECISION,
    PHASE_OVER,
    States,
    new_states,
)
from romans_env.unknown_settings import check_settings

_FACES = tuple((face, 1) for face in range(1, NUM_FACES + 1))
_KIND_OF = {name: kind for kind, name in enumerate(CARDS)}


class Roma(ChanceRules):
    """The rules of Roma.

    Stateless: every method works on ``states[i]``, an array of records (`state.STATE`) that the caller owns.

    Args:
        setup: the fixed settings, of which Roma has none.
    """

    name = SPEC.name
    num_players = 2
    players = ("player_0", "player_1")
    num_actions = NUM_ACTIONS
    action_names = ACTION_NAMES
    observation_size = observation.OBSERVATION_SIZE
    observation_low = observation.OBSERVATION_LOW
    observation_scale = observation.OBSERVATION_SCALE
    observation_high = observation.OBSERVATION_HIGH
    global_state_low = observation.GLOBAL_STATE_LOW
    global_state_high = observation.GLOBAL_STATE_HIGH

    def __init__(self, setup: RomaSetup | None = None):
        self.setup = setup or RomaSetup()
        _warm_up()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Roma)

    def __hash__(self) -> int:
        return hash(self.setup)

    def __repr__(self) -> str:
        return "Roma()"

    @classmethod
    def from_json(cls, settings: Any) -> Roma:
        return cls(RomaSetup.from_json(settings))

    @classmethod
    def from_settings(cls, num_players: int | None = None, **settings: Any) -> Roma:
        """The rules; ValueError for settings that there are not."""
        check_settings(settings, SPEC.setting_names())
        return cls(RomaSetup(num_players))

    # -- playing

    def new_states(self, num_games: int) -> States:
        return new_states(num_games)

    def begin(self, states: States, i: int) -> int:
        kernels.begin_game(states, i)
        return CHANCE

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        if kernels.is_die(states, i):
            return _FACES
        return [(name, count) for name, count in zip(CARDS, states["pile"][i].tolist(), strict=True) if count]

    def chance_key(self, states: States, i: int) -> int:
        return int(kernels.chance_key(states, i))

    def draw_outcome(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> Outcome:
        drawn = int(kernels.draw_event(states, i, words, k))
        return CARDS[drawn] if drawn >= 0 else -drawn

    def act_chance(self, states: States, i: int, outcome: Outcome) -> int:
        seat: Any = kernels.IMPOSSIBLE
        if type(outcome) is int and 0 < outcome <= NUM_FACES:
            seat = kernels.act_chance(states, i, outcome, True)
        elif type(outcome) is str and outcome in _KIND_OF:
            seat = kernels.act_chance(states, i, _KIND_OF[outcome], False)
        if seat == kernels.IMPOSSIBLE:
            raise ValueError(self._why_impossible(states, i, outcome))
        return seat

    def _why_impossible(self, states: States, i: int, outcome: Outcome) -> str:
        if self.seat_to_act(states, i) != CHANCE:
            return f"no chance event comes next, so none with the outcome {shortened(outcome)}"
        if kernels.is_die(states, i):
            return f"a die shows an integer from 1 to 6, not {shortened(outcome)}"
        return f"the card drawn is one of the pile, not {shortened(outcome)}"

    def act(self, states: States, i: int, action: int) -> int:
        seat: int = kernels.act(states, i, action)
        return seat

    def seat_to_act(self, states: States, i: int) -> int:
        return int(kernels.next_of(states, i))

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        phases = states["phase"]
        seats = np.where(phases < FIRST_DECISION, CHANCE, states["seat"])
        return np.where(phases == PHASE_OVER, GAME_OVER, seats).astype(np.int64)

    def end_early(self, states: States, i: int) -> None:
        kernels.end_game(states, i)

    def legal_actions(self, states: States, i: int) -> list[int]:
        return actions_of(states["legal"][i].tolist())

    def is_legal(self, states: States, i: int, action: int) -> bool:
        return 0 <= action < NUM_ACTIONS and action in self.legal_actions(states, i)

    def decision_kind(self, states: States, i: int) -> str | None:
        return decision_kind(int(states["phase"][i]))

    # -- looking

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[np.int16], mask: npt.NDArray[np.int8]
    ) -> None:
        kernels.observe_seat(states, i, seat, observation, mask)

    def observe_everything(self, states: States, i: int, out: npt.NDArray[np.int16], row: int) -> None:
        kernels.observe_all(states, i, out, row)

    def redacted_for(self, states: States, i: int, seat: int) -> States:
        private = states[i : i + 1].copy()
        kernels.hide_from(private, 0, seat)
        return private

    def determinize(self, private: States, seat: int, rng: np.random.Generator) -> States:
        states = private.copy()
        stream = rng.integers(0, 2**32, size=(1, WORDS), dtype=np.int64)
        kernels.determinize_into(private, 0, states, 0, seat, stream, 0)
        return states

    def position(self, states: States, i: int) -> dict[str, Any]:
        return position_of(states[i])

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.events_of(states[i : i + 1], action, outcomes)

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.opening_events(outcomes)

    # -- the score

    def points(self, states: States, i: int, seat: int) -> int:
        return int(states["points"][i, seat])

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        return states["points"].astype(np.int64)


_warm = False


def _warm_up() -> None:
    """Compile, or load from the cache, what most games need, so that the wait comes before the first one."""
    global _warm
    if _warm:
        return
    _warm = True
    states = new_states(1)
    kernels.begin_game(states, 0)
    while kernels.next_of(states, 0) == CHANCE:
        kernels.is_die(states, 0), kernels.chance_key(states, 0)
        kernels.draw_event(states, 0, np.zeros((1, WORDS), dtype=np.int64), 0)
        kernels.act_chance(states, 0, int(states["pile"][0].argmax()), False)
    seen = np.zeros(observation.OBSERVATION_SIZE, dtype=np.int16)
    kernels.observe_seat(states, 0, 0, seen, np.zeros(NUM_ACTIONS, dtype=np.int8))
    kernels.determinize_into(states, 0, states.copy(), 0, 0, np.zeros((1, WORDS), dtype=np.int64), 0)
    kernels.hide_from(states.copy(), 0, 0)
    kernels.act(states, 0, actions_of(states["legal"][0].tolist())[0])
