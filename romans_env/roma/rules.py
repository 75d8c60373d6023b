"""The rules of Roma as an implementation of `romans_env.core.protocol.Rules`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.compiled_rules import CompiledRules
from romans_env.core.event import Event
from romans_env.core.protocol import CHANCE, GAME_OVER, Outcome
from romans_env.roma import events, observation, step
from romans_env.roma.actions import ACTION_NAMES, NUM_ACTIONS
from romans_env.roma.chance import OUTCOMES
from romans_env.roma.position import decision_kind, position_of
from romans_env.roma.setup import RomaSetup
from romans_env.roma.spec import SPEC
from romans_env.roma.state import FIRST_DECISION, PHASE_OVER, States, new_states


class Roma(CompiledRules):
    """The rules of Roma.

    Args:
        setup: the fixed settings; Roma has none.
    """

    spec, step, setup_class, outcomes = SPEC, step, RomaSetup, OUTCOMES
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

    def __repr__(self) -> str:
        return "Roma()"

    # -- playing

    def new_states(self, num_games: int) -> States:
        """Return ``num_games`` records of games that have not begun: shape ``(num_games,)``."""
        return new_states(num_games)

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        phases = states["phase"]
        seats = np.where(phases < FIRST_DECISION, CHANCE, states["seat"])
        return np.where(phases == PHASE_OVER, GAME_OVER, seats).astype(np.int64)

    def end_early(self, states: States, i: int) -> None:
        """End game ``i`` at once, in its current position."""
        states["phase"][i], states["legal"][i] = PHASE_OVER, 0

    def decision_kind(self, states: States, i: int) -> str | None:
        """Return the kind of the decision to be made (ROMA 8.1); None if no decision is pending."""
        return decision_kind(int(states["phase"][i]))

    # -- looking

    def position(self, states: States, i: int) -> dict[str, Any]:
        """Return the position of game ``i`` as JSON-able data (see `position_of`)."""
        return position_of(states[i])

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.events_of(self, states[i : i + 1], action, outcomes)

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Event]:
        return events.opening_events(outcomes)
