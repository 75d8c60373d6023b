"""Luck: the contribution of chance to the result of each player, in shares of the win.

The luck of a chance event is the value of the position after the actual outcome, minus its expected value over all
outcomes: the chance part of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018). Its expectation is zero however
inaccurate the values are, so the luck of many games averages out. `romans_env.core.games.GameSpec.luck` names the
function that computes it for a game.
"""

from __future__ import annotations

from typing import NamedTuple


class Luck(NamedTuple):
    """The luck of a chance event in a game.

    Attributes:
        action: the index of the action that the event followed; for the deal of a round, the index of the action after
            the deal.
        event: the name of the event.
        shares: the luck of each player by seat, in shares of the win, from -1 to 1.
    """

    action: int
    event: str
    shares: tuple[float, ...]
