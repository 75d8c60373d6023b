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
from romans_env.struggle import events, kernels, observation
from romans_env.struggle.actions import Block, blocks_of
from romans_env.struggle.chance import EVENT_DIE, NAMES_OF_EVENT
from romans_env.struggle.events import Event
from romans_env.struggle.geography import Geography, geography_of
from romans_env.struggle.material import NUM_FACES
from romans_env.struggle.position import decision_kind, position_of
from romans_env.struggle.setup import StruggleSetup
from romans_env.struggle.spec import SPEC
from romans_env.struggle.state import FIRST_DECISION, STAGE_OVER, States, new_states
from romans_env.unknown_settings import check_settings

_FACES = tuple((face, 1) for face in range(1, NUM_FACES + 1))
_WHAT = ("", "the pasture card drawn", "the card stolen", "the development card drawn", "the counter revealed")
"""What an event draws, by its kind."""


class StruggleForRome(ChanceRules):
    """The rules of Struggle for Rome with a setup.

    Stateless: every method works on ``states[i]``, an array of records (`state.STATE`) that the caller owns.

    Args:
        setup: the fixed settings.

    Attributes:
        board: the board of the setup.
        geography: its distances and fares.
        blocks: of the action space.
        slices: of the observation.
    """

    name = SPEC.name
    num_actions = 0
    observation_size = 0

    def __init__(self, setup: StruggleSetup | None = None):
        self.setup = setup or StruggleSetup()
        self.num_players = self.setup.num_players
        self.board = self.setup.board
        self.geography: Geography = geography_of(self.board)
        self.blocks: tuple[Block, ...] = blocks_of(self.board)
        self.action_names = tuple(name for block in self.blocks for name in block.names)
        self.num_actions = len(self.action_names)
        self.slices: tuple[observation.Slice, ...] = observation.slices_of(self.board)
        self.observation_size = self.slices[-1].stop
        self.observation_low, self.observation_high = observation.bounds_of(self.slices)
        self.global_state_low, self.global_state_high = observation.global_bounds_of(self.slices)
        _warm_up(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process must publish the board, too.
        return type(self), (self.setup,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StruggleForRome) and other.setup == self.setup

    def __hash__(self) -> int:
        return hash(self.setup)

    def __repr__(self) -> str:
        return f"StruggleForRome({self.setup!r})"

    @classmethod
    def from_json(cls, settings: Any) -> StruggleForRome:
        return cls(StruggleSetup.from_json(settings))

    @classmethod
    def from_settings(cls, num_players: int | None = None, **settings: Any) -> StruggleForRome:
        """The rules with these settings; ValueError for settings that there are not."""
        check_settings(settings, SPEC.setting_names())
        return cls(StruggleSetup(num_players, **settings))

    @property
    def max_decisions(self) -> int:
        # Nothing bounds a turn but what a seat owns: this is several times what seats decide that trade all they can.
        offers = self.setup.max_offers * self.num_players if self.setup.player_trade else 0
        return self.setup.max_rounds * self.num_players * (20 + offers)

    @property
    def observation_scale(self) -> npt.NDArray[np.float32]:
        return observation.scale_of(self.observation_high)

    # -- playing

    def new_states(self, num_games: int) -> States:
        return new_states(self.setup, self.geography.key, num_games)

    def begin(self, states: States, i: int) -> int:
        kernels.begin_game(states, i)
        return CHANCE

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        event = int(kernels.event_kind(states, i))
        if event == EVENT_DIE:
            return _FACES
        counts = [(name, int(kernels.copies_of_outcome(states, i, k))) for k, name in enumerate(NAMES_OF_EVENT[event])]
        return [(name, count) for name, count in counts if count]

    def chance_key(self, states: States, i: int) -> int:
        return int(kernels.chance_key(states, i))

    def draw_outcome(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> Outcome:
        drawn = int(kernels.draw_event(states, i, words, k))
        event = int(kernels.event_kind(states, i))
        return drawn if event == EVENT_DIE else NAMES_OF_EVENT[event][drawn]

    def act_chance(self, states: States, i: int, outcome: Outcome) -> int:
        seat: Any = kernels.IMPOSSIBLE
        if self.seat_to_act(states, i) == CHANCE:
            event = int(kernels.event_kind(states, i))
            place = events.place_of(outcome, event)
            if place is not None:
                seat = kernels.act_chance(states, i, place, event)
        if seat == kernels.IMPOSSIBLE:
            raise ValueError(self._why_impossible(states, i, outcome))
        return int(seat)

    def _why_impossible(self, states: States, i: int, outcome: Outcome) -> str:
        if self.seat_to_act(states, i) != CHANCE:
            return f"no chance event comes next, so none with the outcome {shortened(outcome)}"
        event = int(kernels.event_kind(states, i))
        if event == EVENT_DIE:
            return f"a die shows an integer from 1 to 6, not {shortened(outcome)}"
        possible = ", ".join(name for name, _ in self.chance_outcomes(states, i))
        return f"{_WHAT[event]} is one of {possible}, not {shortened(outcome)}"

    def act(self, states: States, i: int, action: int) -> int:
        return int(kernels.act(states, i, action))

    def seat_to_act(self, states: States, i: int) -> int:
        return int(kernels.next_of(states, i))

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        stages = states["stage"]
        seats = np.where(stages < FIRST_DECISION, CHANCE, states["seat"])
        return np.where(stages == STAGE_OVER, GAME_OVER, seats).astype(np.int64)

    def end_early(self, states: States, i: int) -> None:
        kernels.end_game(states, i)

    def legal_actions(self, states: States, i: int) -> list[int]:
        out = np.empty(self.num_actions, dtype=np.int64)
        return out[: kernels.list_actions(states, i, out)].tolist()

    def is_legal(self, states: States, i: int, action: int) -> bool:
        return 0 <= action < self.num_actions and bool(kernels.is_allowed(states, i, action))

    def decision_kind(self, states: States, i: int) -> str | None:
        return decision_kind(int(states["stage"][i]))

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
        position = position_of(states[i], self.board, self.action_names)
        if not self.board.is_stand_in:
            # Whoever draws a position, or reads it, has nothing else.
            position["board"] = self.board.as_json()
        return position

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.events_of(states[i : i + 1], self.board, action, outcomes)

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.opening_events(states[i : i + 1], self.board, outcomes)

    # -- the score

    def points(self, states: States, i: int, seat: int) -> int:
        return int(states["points"][i, seat])

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        return states["points"][:, : self.num_players].astype(np.int64)

    def winners(self, states: States, i: int) -> list[str]:
        """The seats with the most points, among equals the most gold (STRUGGLE 7.3)."""
        return [player for seat, player in enumerate(self.players) if kernels.is_winner(states, i, seat)]

    def game_return(self, states: States, i: int, seat: int) -> float:
        return float(kernels.return_of_seat(states, i, seat))


_warm = False


def _warm_up(rules: StruggleForRome) -> None:
    """Compile, or load from the cache, what most games need, so that the wait comes before the first one."""
    global _warm
    if _warm:
        return
    _warm = True
    states, words = rules.new_states(1), np.zeros((1, WORDS), dtype=np.int64)
    seat = rules.begin(states, 0)
    while seat == CHANCE:
        rules.chance_key(states, 0)
        seat = rules.act_chance(states, 0, rules.draw_outcome(states, 0, words, 0))
    seen = np.zeros(rules.observation_size, dtype=np.int16)
    rules.observe(states, 0, 0, seen, np.zeros(rules.num_actions, dtype=np.int8))
    kernels.determinize_into(states, 0, states.copy(), 0, 0, words.copy(), 0)
    rules.redacted_for(states, 0, 0)
    rules.act(states, 0, rules.legal_actions(states, 0)[0])
