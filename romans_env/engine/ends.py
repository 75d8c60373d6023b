"""How a game of a batch stands after a step."""

from __future__ import annotations

GOES_ON, ENDED, ENDED_ILLEGAL = range(3)
"""What ``ends`` says of a game: it goes on; it ended with the step; an illegal action ended it."""
