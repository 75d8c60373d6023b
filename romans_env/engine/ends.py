"""How each game of a batch ended, if it ended, in a step."""

from __future__ import annotations

GOES_ON, ENDED, ENDED_ILLEGAL = range(3)
"""Values of ``ends``: the game goes on; it ended in the step; an illegal action ended it."""
ILLEGAL_REWARD = -1.0
"""The reward of the seat whose illegal action ended the game."""
