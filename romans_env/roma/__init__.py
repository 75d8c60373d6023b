"""Roma: cards, state, actions and the rules, compiled by numba. numpy and numba, nothing else.

The rulebook (docs/roma_rules.md) is read in this order: `cards` (ROMA 1), `chance` (2), `opening` (3), `turn` (4),
`general` (5), the cards of section 6 by what they do (`activation`, `battles`, `removing`, `moving`, `points`,
`taking`, `dice`), `end` (7), `actions` (8), `knowledge` (9), `position` (10); `game_flow` says what follows what.
`determinization` samples full states from a private view, `observation` has the view as numbers.
"""

from romans_env.roma.rules import Roma
from romans_env.roma.setup import RomaSetup

__all__ = ["Roma", "RomaSetup"]
