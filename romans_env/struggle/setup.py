"""The fixed settings of a game (STRUGGLE 1.1)."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from romans_env.errors import is_integer, shortened
from romans_env.struggle.board import Board, load_board
from romans_env.struggle.material import MAX_SEATS

MIN_SEATS = 3
MOST = 10**6
"""The largest value of ``max_offers`` and ``max_rounds``."""

_ALWAYS_SAID = ("num_players", "player_trade", "max_offers", "max_rounds")


@dataclass(frozen=True)
class StruggleSetup:
    """The setup of a game of Struggle for Rome.

    Args:
        num_players: 3 or 4; None means 4.
        board: path of a board file, or its parsed JSON (STRUGGLE 1.3); None for the stand-in board.
        player_trade: whether seats may make offers to each other (5.2).
        max_offers: number of offers that a seat may make in a turn, 1 to 1 000 000.
        max_rounds: number of rounds after which the game ends at the latest, 1 to 1 000 000.

    Raises:
        ValueError: for a setting that the rules do not allow; for a board, the message names the entry.
    """

    game: ClassVar[str] = "struggle"
    num_players: int = MAX_SEATS
    board: Board = field(default_factory=load_board)
    player_trade: bool = True
    max_offers: int = 3
    max_rounds: int = 60

    def __init__(
        self,
        num_players: int | None = None,
        board: str | os.PathLike[str] | dict[str, Any] | Board | None = None,
        player_trade: bool = True,
        max_offers: int = 3,
        max_rounds: int = 60,
    ):
        num_players = MAX_SEATS if num_players is None else num_players
        if not is_integer(num_players) or not MIN_SEATS <= num_players <= MAX_SEATS:
            raise ValueError(
                f"Struggle for Rome is a game for 3 or 4 players, not {shortened(num_players)} (STRUGGLE 1.1)"
            )
        if not isinstance(player_trade, (bool, np.bool_)):
            raise ValueError(f"player_trade is true or false, not {shortened(player_trade)} (STRUGGLE 1.1)")
        for name, number in (("max_offers", max_offers), ("max_rounds", max_rounds)):
            if not is_integer(number) or not 1 <= number <= MOST:
                raise ValueError(f"{name} is an integer from 1 to {MOST}, not {shortened(number)} (STRUGGLE 1.1)")
        vars(self).update(num_players=int(num_players), board=load_board(board), player_trade=bool(player_trade))
        vars(self).update(max_offers=int(max_offers), max_rounds=int(max_rounds))

    @property
    def num_seats(self) -> int:
        """Number of seats."""
        return self.num_players

    def as_json(self) -> dict[str, Any]:
        """Return the setup as plain JSON for `from_json`; the board is included unless it is the stand-in."""
        settings: dict[str, Any] = {name: getattr(self, name) for name in _ALWAYS_SAID}
        if not self.board.is_stand_in:
            settings["board"] = self.board.as_json()
        return settings

    @classmethod
    def from_json(cls, setup: Any) -> StruggleSetup:
        """Return the setup from the JSON of `as_json`; raise ValueError for anything else."""
        needed = set(_ALWAYS_SAID)
        if not isinstance(setup, dict) or not needed <= set(setup) <= needed | {"board"}:
            raise ValueError(
                f"a table of Struggle for Rome is an object with the keys {', '.join(_ALWAYS_SAID)}, and board if it "
                f"is not the stand-in, not {shortened(setup)}"
            )
        if "board" in setup and not isinstance(setup["board"], dict):
            raise ValueError(f"a table's board is the whole board file, not {shortened(setup['board'])}")
        if setup["num_players"] is None:
            raise ValueError("a table's num_players is 3 or 4, not None")
        return cls(**setup)

    def __str__(self) -> str:
        words = [str(self.num_players)]
        if not self.player_trade:
            words.append("no trade")
        elif self.max_offers != 3:
            words.append(f"{self.max_offers} offers")
        if self.max_rounds != 60:
            words.append(f"{self.max_rounds} rounds")
        if not self.board.is_stand_in:
            words.append(f"board {self.board.digest[:8]}")
        return " ".join(words)
