"""The settings of Roma: there are none, as all games have two players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from romans_env.errors import shortened


@dataclass(frozen=True)
class RomaSetup:
    """The setup of a game of Roma.

    Args:
        num_players: 2 or None, which mean the same.

    Raises:
        ValueError: for any other number of players.
    """

    game: ClassVar[str] = "roma"
    num_players: ClassVar[int] = 2
    num_seats: ClassVar[int] = 2

    def __init__(self, num_players: int | None = None):
        if num_players is not None and (isinstance(num_players, bool) or num_players != 2):
            raise ValueError(f"Roma is a game for 2 players, not {shortened(num_players)} (ROMA 1.1)")

    @classmethod
    def from_json(cls, setup: Any) -> RomaSetup:
        """Return the setup from the JSON of `as_json`; raise ValueError for anything else."""
        if setup != {} or not isinstance(setup, dict):
            raise ValueError(f"Roma has no settings: its table must be an empty object, not {shortened(setup)}")
        return cls()

    def as_json(self) -> dict[str, Any]:
        """Return the setup as plain JSON, an empty object."""
        return {}

    def __str__(self) -> str:
        return "Roma"
