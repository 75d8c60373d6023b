"""The rules of Struggle for Rome as an implementation of `romans_env.core.protocol.Rules`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.action_blocks import Block
from romans_env.core.base_rules import derived
from romans_env.core.compiled_rules import CompiledRules
from romans_env.core.event import Event
from romans_env.core.protocol import CHANCE, GAME_OVER, Outcome
from romans_env.engine.observation_layout import Slice, bounds_of, scale_of
from romans_env.struggle import events, observation, step
from romans_env.struggle.actions import blocks_of
from romans_env.struggle.chance import OUTCOMES
from romans_env.struggle.geography import Geography, geography_of
from romans_env.struggle.position import decision_kind, position_of
from romans_env.struggle.setup import StruggleSetup
from romans_env.struggle.spec import SPEC
from romans_env.struggle.state import FIRST_DECISION, NO_PLACES, STAGE_OVER, States, new_states

_WHAT = ("", "the pasture card drawn", "the card stolen", "the development card drawn", "the counter revealed")
"""The name of what each kind of chance event draws; dice have none."""


class StruggleForRome(CompiledRules):
    """The rules of Struggle for Rome with the settings of one setup.

    Args:
        setup: the fixed settings; None for the defaults.

    Attributes:
        board: the board of the setup.
        geography: its distances and fares.
        blocks: the blocks of the action space.
        slices: the slices of the observation.
    """

    spec, step, setup_class, outcomes = SPEC, step, StruggleSetup, OUTCOMES

    def __init__(self, setup: StruggleSetup | None = None):
        super().__init__(setup)
        self.board = self.setup.board
        self.geography: Geography = geography_of(self.board)
        self.blocks: tuple[Block, ...] = blocks_of(self.board)
        self.action_names = tuple(name for block in self.blocks for name in block.names)
        self.num_actions = len(self.action_names)
        self.slices: tuple[Slice, ...] = observation.slices_of(self.board)
        self.observation_size = self.slices[-1].stop
        self.observation_low, self.observation_high = bounds_of(self.slices, np.int16)
        self.global_state_low, self.global_state_high = observation.global_bounds_of(self.slices)

    def __reduce__(self) -> tuple[Any, ...]:
        # The constructor publishes the board's table, which another process must do, too.
        return type(self), (self.setup,)

    @derived
    def max_decisions(self) -> int:
        # Only a seat's possessions bound its turn. This is several times the number of decisions of seats that trade
        # as much as they can.
        offers = self.setup.max_offers * self.num_players if self.setup.player_trade else 0
        return self.setup.max_rounds * self.num_players * (20 + offers)

    @derived
    def observation_scale(self) -> npt.NDArray[np.float32]:
        return scale_of(self.observation_high)

    # -- playing

    def new_states(self, num_games: int) -> States:
        """Return ``num_games`` records of games that have not begun: shape ``(num_games,)``."""
        return new_states(self.setup, self.geography.key, num_games)

    def name_of_event(self, event: int) -> str:
        return _WHAT[event]

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        stages = states["stage"]
        seats = np.where(stages < FIRST_DECISION, CHANCE, states["seat"])
        return np.where(stages == STAGE_OVER, GAME_OVER, seats).astype(np.int64)

    def end_early(self, states: States, i: int) -> None:
        """End game ``i`` at once, in its current position."""
        states["stage"][i], states["legal"][i], states["places"][i] = STAGE_OVER, 0, NO_PLACES

    def decision_kind(self, states: States, i: int) -> str | None:
        """Return the kind of the decision to be made (STRUGGLE 8.1); None if no decision is pending."""
        return decision_kind(int(states["stage"][i]))

    # -- looking

    def position(self, states: States, i: int) -> dict[str, Any]:
        """Return the position of game ``i`` as JSON-able data (`position_of`), with the board if not the stand-in."""
        position = position_of(states[i], self.board, self.action_names)
        if not self.board.is_stand_in:
            # Code that draws or reads a position has no other source for the board.
            position["board"] = self.board.as_json()
        return position

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.events_of(self, states[i : i + 1], action, outcomes)

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.opening_events(self, states[i : i + 1], outcomes)
