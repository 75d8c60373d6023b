"""The rules of Romans Go Home! as an implementation of `romans_env.core.protocol.Rules`."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import partial
from types import MappingProxyType, SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from romans_env.core.base_rules import derived
from romans_env.core.compiled_rules import CompiledRules
from romans_env.core.event import Event
from romans_env.core.protocol import CHANCE, GAME_OVER, Outcome
from romans_env.engine.bits import bits_as_list
from romans_env.errors import shortened
from romans_env.romans_go_home import events, observation, step
from romans_env.romans_go_home.actions import ACTION_NAMES, KIND_OF_PHASE, NUM_ACTIONS
from romans_env.romans_go_home.chance import check_deal, copied_deal, deal_as_json, set_deal
from romans_env.romans_go_home.position import position_of
from romans_env.romans_go_home.setup import Table
from romans_env.romans_go_home.spec import SPEC
from romans_env.romans_go_home.state import PHASE_GAME_OVER, States, new_states


class RomansGoHome(CompiledRules):
    """The rules of Romans Go Home! with the settings of one table.

    All chance of a game is a single event, the deal. Its outcome is the deal as plain JSON; there are too many deals to
    list, so the outcome is drawn.

    Args:
        setup: the table; None for the default one.
    """

    spec, step, setup_class = SPEC, step, Table
    num_actions = NUM_ACTIONS
    action_names = ACTION_NAMES
    # Planning is one discard and five places, as the last slot is forced. Zvord reorders five hidden warriors in four
    # choices, and an Unwary decision of the same seat may follow (4.13).
    hidden_decisions = MappingProxyType({"discard": 6, "place": 5, "reorder": 5})
    observation_size = observation.OBSERVATION_SIZE
    observation_low = observation.OBSERVATION_LOW
    observation_high = observation.OBSERVATION_HIGH
    global_state_low = observation.GLOBAL_STATE_LOW
    global_state_high = observation.GLOBAL_STATE_HIGH

    @derived
    def players(self) -> tuple[str, ...]:
        return self.setup.players

    @derived
    def seats(self) -> tuple[str, ...]:
        return self.setup.clans

    @derived
    def max_decisions(self) -> int:
        # Per round, a player decides at most line_size times while planning and at most line_size times for Zvord; in
        # each turn it decides at most once for another revealed warrior and at most once for a fort.
        return 4 * self.setup.line_size * self.num_players * self.setup.num_rounds

    # -- the deal

    def new_states(self, num_games: int) -> States:
        """Return ``num_games`` records of this table without a deal: shape ``(num_games,)``."""
        return new_states(self.setup, num_games)

    def has_chance_to_come(self, states: States, i: int) -> bool:
        return self.seat_to_act(states, i) == CHANCE

    def drawn_outcome(self, states: States, i: int) -> Outcome:
        # Converting the deal to JSON takes longer than starting a game, and few callers ask for it: do it on demand.
        dealt: Any = SimpleNamespace(fort_order=states["fort_order"][i].copy(), dealt=states["dealt"][i].copy())
        return partial(deal_as_json, dealt, self.setup)

    def write_outcome(self, states: States, i: int, outcome: Outcome) -> None:
        set_deal(states[i], self.setup, outcome)

    def outcomes_of(self, deal: Any) -> Sequence[Outcome]:
        check_deal(self.setup, deal)
        return (copied_deal(deal),)

    def deal_of(self, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        if len(outcomes) != 1 or outcomes[0] is None:
            raise ValueError(f"a game has exactly one chance outcome, its deal, not {shortened(list(outcomes))}")
        return cast(dict[str, Any], copy.deepcopy(outcomes[0]))

    # -- playing

    def seat_to_act(self, states: States, i: int) -> int:
        return int(states["seat"][i])

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        return states["seat"].astype(np.int64)

    def end_early(self, states: States, i: int) -> None:
        """End game ``i`` at once, in its current position."""
        states["phase"][i], states["seat"][i], states["legal"][i] = PHASE_GAME_OVER, GAME_OVER, 0

    def legal_actions(self, states: States, i: int) -> list[int]:
        return bits_as_list(int(states["legal"][i]))

    def is_legal(self, states: States, i: int, action: int) -> bool:
        return 0 <= action < NUM_ACTIONS and bool(int(states["legal"][i]) >> action & 1)

    def decision_kind(self, states: States, i: int) -> str | None:
        """Return the kind of the decision to be made, such as ``"place"``; None if no decision is pending."""
        return KIND_OF_PHASE.get(int(states["phase"][i]))

    # -- looking

    def position(self, states: States, i: int) -> dict[str, Any]:
        """Return the position of game ``i`` as JSON-able data (see `position_of`)."""
        return position_of(states[i], self.setup)

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.events_of(states[i : i + 1], self.setup, action)

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        dealt = states[i : i + 1].copy()
        self.act_chance(dealt, 0, outcomes[0])
        return events.opening_events(dealt, self.setup)
