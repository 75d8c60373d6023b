"""Romans Go Home!: cards, table, deal, state, actions and the rules, compiled by numba. numpy and numba, nothing else.

The rulebook is read in this order: `planning` (RULES 2, 3), `attack` (4), `fort_effects` (5), `neutrals` (6), `scoring`
(7); `game_flow` says what follows what (4.13, 4.14). `knowledge` has a seat's private view and its determinizations,
`observation` the view as numbers.
"""

from romans_env.romans_go_home.rules import RomansGoHome
from romans_env.romans_go_home.table import Table

__all__ = ["RomansGoHome", "Table"]
