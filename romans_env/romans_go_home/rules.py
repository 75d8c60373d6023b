"""The game with a setup, as the layers above see it: what `romans_env.core.protocol.Rules` asks of a game."""

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
    """Romans Go Home! at a table.

    All chance of a game is one event, the deal. Its outcome is the deal as plain JSON, and is drawn, not listed.

    Args:
        setup: the fixed settings.
    """

    spec, step, setup_class = SPEC, step, Table
    num_actions = NUM_ACTIONS
    action_names = ACTION_NAMES
    # The place of the last warrior is forced; the decision about an Unwary fort may follow on Zvord's (4.13).
    hidden_decisions = MappingProxyType({"discard": 6, "place": 5, "reorder": 5})
    observation_size = observation.OBSERVATION_SIZE
    observation_low = observation.OBSERVATION_LOW
    observation_high = observation.OBSERVATION_HIGH
    global_state_low = observation.GLOBAL_STATE_LOW
    global_state_high = observation.GLOBAL_STATE_HIGH

    @derived
    def players(self) -> tuple[str, ...]:
        """See `Rules.players`."""
        return self.setup.players

    @derived
    def seats(self) -> tuple[str, ...]:
        """See `Rules.seats`."""
        return self.setup.clans

    @derived
    def max_decisions(self) -> int:
        """See `Rules.max_decisions`."""
        # In a round a player chooses at most line_size times while it plans, as often again for Zvord, and once a turn
        # for another warrior that it revealed and for a fort.
        return 4 * self.setup.line_size * self.num_players * self.setup.num_rounds

    # -- the deal

    def new_states(self, num_games: int) -> States:
        """See `Rules.new_states`."""
        return new_states(self.setup, num_games)

    def has_chance_to_come(self, states: States, i: int) -> bool:
        """See `Rules.has_chance_to_come`."""
        return self.seat_to_act(states, i) == CHANCE

    def drawn_outcome(self, states: States, i: int) -> Outcome:
        """See `CompiledRules.drawn_outcome`."""
        # To write the deal takes longer than to start a game, and few games are asked for it.
        dealt: Any = SimpleNamespace(fort_order=states["fort_order"][i].copy(), dealt=states["dealt"][i].copy())
        return partial(deal_as_json, dealt, self.setup)

    def write_outcome(self, states: States, i: int, outcome: Outcome) -> None:
        """See `CompiledRules.write_outcome`."""
        set_deal(states[i], self.setup, outcome)

    def outcomes_of(self, deal: Any) -> Sequence[Outcome]:
        """See `Rules.outcomes_of`."""
        check_deal(self.setup, deal)
        return (copied_deal(deal),)

    def deal_of(self, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """See `Rules.deal_of`."""
        if len(outcomes) != 1 or outcomes[0] is None:
            raise ValueError(f"the outcomes of a game are one deal, not {shortened(list(outcomes))}")
        return cast(dict[str, Any], copy.deepcopy(outcomes[0]))

    # -- playing

    def seat_to_act(self, states: States, i: int) -> int:
        """See `Rules.seat_to_act`."""
        return int(states["seat"][i])

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        """See `Rules.seats_to_act`."""
        return states["seat"].astype(np.int64)

    def end_early(self, states: States, i: int) -> None:
        """See `Rules.end_early`."""
        states["phase"][i], states["seat"][i], states["legal"][i] = PHASE_GAME_OVER, GAME_OVER, 0

    def legal_actions(self, states: States, i: int) -> list[int]:
        """See `Rules.legal_actions`."""
        return bits_as_list(int(states["legal"][i]))

    def is_legal(self, states: States, i: int, action: int) -> bool:
        """See `Rules.is_legal`."""
        return 0 <= action < NUM_ACTIONS and bool(int(states["legal"][i]) >> action & 1)

    def decision_kind(self, states: States, i: int) -> str | None:
        """See `Rules.decision_kind`."""
        return KIND_OF_PHASE.get(int(states["phase"][i]))

    # -- looking

    def position(self, states: States, i: int) -> dict[str, Any]:
        """See `Rules.position`."""
        return position_of(states[i], self.setup)

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        """See `Rules.events`."""
        return events.events_of(states[i : i + 1], self.setup, action)

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        """See `Rules.opening_events`."""
        dealt = states[i : i + 1].copy()
        self.act_chance(dealt, 0, outcomes[0])
        return events.opening_events(dealt, self.setup)
