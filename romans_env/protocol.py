"""What the faces ask of a game, so that they need not know its cards.

A second game moves in by offering these members; `romans_env.romans_go_home.RomansGoHome` is the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

States = npt.NDArray[Any]
"""An array of state records, shape (n,)."""


class Rules(Protocol):
    """A game at one table. Every method works on ``states[i]``."""

    name: str
    """Name of the game; a record's format is ``name/1``."""
    num_actions: int
    """Size of the flat action space, at most 63."""
    observation_size: int
    observation_low: npt.NDArray[np.int8]
    observation_high: npt.NDArray[np.int8]
    global_state_low: npt.NDArray[np.int8]
    global_state_high: npt.NDArray[np.int8]
    table: Any
    """The fixed settings, with ``as_json()``."""
    num_players: int

    @property
    def players(self) -> tuple[str, ...]:
        """The seats that act, in order."""

    @property
    def clans(self) -> tuple[str, ...]:
        """All seats: players, then those that play by rule."""

    @property
    def action_names(self) -> tuple[str, ...]: ...

    def new_states(self, num_games: int) -> States: ...

    def deal(self, states: States, i: int, streams: Any) -> None:
        """Draw a deal from stream i and start the game."""

    def deal_from_seed(self, states: States, i: int, seed: int) -> None: ...

    def start_from_deal(self, states: States, i: int, deal: Any) -> None:
        """Start the game of a given deal; ValueError, and nothing changed, when it does not fit."""

    def deal_as_json(self, states: States, i: int) -> dict[str, Any]: ...

    def act(self, states: States, i: int, action: int) -> int:
        """Play an action; the seat that must decide next, -1 at the end, -2 and nothing changed for an illegal one."""

    def seat_to_act(self, states: States, i: int) -> int:
        """The deciding seat; -1 at the end."""

    def is_over(self, states: States, i: int) -> bool: ...

    def legal_set(self, states: States, i: int) -> int:
        """Legal actions as bits."""

    def decision_kind(self, states: States, i: int) -> str | None: ...

    def action_name(self, action: int) -> str: ...

    def action_id(self, name: str) -> int: ...

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8]
    ) -> None:
        """Write what a seat may know, and its legal actions (none while it is not to act), into two vectors."""

    def observe_everything(self, states: States, i: int, out: npt.NDArray[np.int8], row: int) -> None: ...

    def hidden_from(self, states: States, i: int, seat: int) -> States:
        """A record of what the seat may know, the rest overwritten, shape (1,)."""

    def redeal(self, hidden: States, seat: int, rng: np.random.Generator) -> States:
        """A complete record, uniform among those that a hidden one allows, shape (1,)."""

    def position(self, states: States, i: int) -> dict[str, Any]: ...

    def events(self, states: States, i: int, action: int) -> Sequence[Any]:
        """What an action sets off."""

    def opening_events(self, states: States, i: int) -> Sequence[Any]:
        """What there is to tell before the first action."""

    def points(self, states: States, i: int, seat: int) -> int: ...

    def winners(self, states: States, i: int) -> list[str]: ...

    def game_return(self, states: States, i: int, seat: int) -> float: ...
