"""The game with a setup, as the layers above see it: what `romans_env.protocol.Rules` asks of a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.base_rules import DealtRules
from romans_env.engine.bits import bits_as_list
from romans_env.engine.random_stream import Streams, streams_from_seeds
from romans_env.protocol import GAME_OVER, Outcome
from romans_env.romans_go_home import events, kernels, observation
from romans_env.romans_go_home.actions import (
    ACTION_NAMES,
    KIND_OF_PHASE,
    NUM_ACTIONS,
    PLANNING_ACTIONS,
    action_id,
    action_name,
)
from romans_env.romans_go_home.chance import deal_as_json, set_deal
from romans_env.romans_go_home.events import Event
from romans_env.romans_go_home.position import position_of
from romans_env.romans_go_home.setup import Table
from romans_env.romans_go_home.spec import SPEC
from romans_env.romans_go_home.state import PHASE_GAME_OVER, States, new_states
from romans_env.unknown_settings import check_settings


class RomansGoHome(DealtRules):
    """Romans Go Home! at a table.

    Stateless: every method works on ``states[i]``, an array of records (`state.STATE`) that the caller owns.

    Args:
        table: the fixed settings.
    """

    name = SPEC.name
    num_actions = NUM_ACTIONS
    action_names = ACTION_NAMES
    planning_actions = PLANNING_ACTIONS
    observation_size = observation.OBSERVATION_SIZE
    observation_low = observation.OBSERVATION_LOW
    observation_high = observation.OBSERVATION_HIGH
    global_state_low = observation.GLOBAL_STATE_LOW
    global_state_high = observation.GLOBAL_STATE_HIGH

    def __init__(self, table: Table | None = None):
        self.setup = table or Table()
        self.num_players = self.setup.num_players
        _warm_up()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RomansGoHome) and other.setup == self.setup

    def __hash__(self) -> int:
        return hash(self.setup)

    def __repr__(self) -> str:
        return f"RomansGoHome({self.setup!r})"

    @classmethod
    def from_json(cls, settings: Any) -> RomansGoHome:
        return cls(Table.from_json(settings))

    @classmethod
    def from_settings(cls, num_players: int | None = None, **settings: Any) -> RomansGoHome:
        """The rules at the table of these settings; ValueError for settings that there are not."""
        check_settings(settings, SPEC.setting_names())
        return cls(Table(2 if num_players is None else num_players, **settings))

    @cached_property
    def players(self) -> tuple[str, ...]:
        return self.setup.players

    @cached_property
    def seats(self) -> tuple[str, ...]:
        return self.setup.clans

    @property
    def max_decisions(self) -> int:
        # In a round a player chooses at most line_size times while it plans, as often again for Zvord, and once a turn
        # for another warrior that it revealed and for a fort.
        return 4 * self.setup.line_size * self.num_players * self.setup.num_rounds

    # -- starting games

    def new_states(self, num_games: int) -> States:
        return new_states(self.setup, num_games)

    def deal(self, states: States, i: int, streams: Streams) -> None:
        kernels.deal_game(states, i, streams)

    def deal_from_seed(self, states: States, i: int, seed: Any) -> None:
        one = states[i : i + 1]
        self.deal(one, 0, streams_from_seeds([seed]))

    def start_from_deal(self, states: States, i: int, deal: Any) -> None:
        set_deal(states[i], self.setup, deal)
        kernels.begin_game(states, i)

    def deal_as_json(self, states: States, i: int) -> dict[str, Any]:
        return deal_as_json(states[i], self.setup)

    # -- playing

    def act(self, states: States, i: int, action: int) -> int:
        seat: int = kernels.act(states, i, action)
        return seat

    def seat_to_act(self, states: States, i: int) -> int:
        return int(states["seat"][i])

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        return np.where(states["phase"] == PHASE_GAME_OVER, GAME_OVER, states["seat"]).astype(np.int64)

    def end_early(self, states: States, i: int) -> None:
        states["phase"][i], states["seat"][i], states["legal"][i] = PHASE_GAME_OVER, GAME_OVER, 0

    def legal_actions(self, states: States, i: int) -> list[int]:
        return bits_as_list(int(states["legal"][i]))

    def is_legal(self, states: States, i: int, action: int) -> bool:
        return 0 <= action < NUM_ACTIONS and bool(int(states["legal"][i]) >> action & 1)

    def decision_kind(self, states: States, i: int) -> str | None:
        return KIND_OF_PHASE.get(int(states["phase"][i]))

    def action_name(self, action: int) -> str:
        return action_name(action)

    def action_id(self, name: str) -> int:
        return action_id(name)

    # -- looking

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8]
    ) -> None:
        kernels.observe_seat(states, i, seat, observation, mask)

    def observe_everything(self, states: States, i: int, out: npt.NDArray[np.int8], row: int) -> None:
        kernels.observe_all(states, i, out, row)

    def redacted_for(self, states: States, i: int, seat: int) -> States:
        private = states[i : i + 1].copy()
        kernels.hide_from(private, 0, seat)
        return private

    def determinize(self, private: States, seat: int, rng: np.random.Generator) -> States:
        states = private.copy()
        stream = rng.integers(0, 2**32, size=(1, 4), dtype=np.int64)
        kernels.determinize_into(private, 0, states, 0, seat, stream, 0)
        return states

    def position(self, states: States, i: int) -> dict[str, Any]:
        return position_of(states[i], self.setup)

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.events_of(states[i : i + 1], self.setup, action)

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.opening_events(states[i : i + 1], self.setup)

    # -- the score

    def points(self, states: States, i: int, seat: int) -> int:
        return int(states["points"][i, seat])

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        return states["points"][:, : self.num_players].astype(np.int64)

    def winners(self, states: States, i: int) -> list[str]:
        bits = kernels.winner_bits(states, i)
        return [clan for seat, clan in enumerate(self.seats) if bits >> seat & 1]

    def game_return(self, states: States, i: int, seat: int) -> float:
        return float(kernels.game_return(states, i, seat))


_warm = False


def _warm_up() -> None:
    """Compile, or load from the cache, what most games need, so that the wait comes before the first one."""
    global _warm
    if _warm:
        return
    _warm = True
    states = new_states(Table(), 1)
    streams = streams_from_seeds([0])
    kernels.deal_game(states, 0, streams)
    seen, mask = np.zeros(observation.OBSERVATION_SIZE, dtype=np.int8), np.zeros(NUM_ACTIONS, dtype=np.int8)
    kernels.observe_seat(states, 0, 0, seen, mask)
    kernels.determinize_into(states, 0, states.copy(), 0, 0, streams, 0)
    kernels.act(states, 0, 0)
