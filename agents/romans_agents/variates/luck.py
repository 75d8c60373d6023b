"""Luck: what chance gave to the players of a game, in shares of a win.

The luck of a chance event is what the position is worth after what came, less what it was worth in the mean over what
might have come: the chance part of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018). Its expectation is zero
whatever the value of a position is worth, so over many games nobody is lucky. The game names what finds it
(`romans_env.core.games.GameSpec.luck`).
"""

from __future__ import annotations

from typing import NamedTuple


class Luck(NamedTuple):
    """A chance event of a game.

    Attributes:
        action: the number of the action that it followed, or preceded as the deal of a round does.
        event: its name.
        shares: the luck of each player, in shares of a win, from -1 to 1, by seat.
    """

    action: int
    event: str
    shares: tuple[float, ...]
