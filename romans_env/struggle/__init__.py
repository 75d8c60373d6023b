"""Struggle for Rome: material, state, actions and the rules, compiled by numba. numpy and numba, nothing else.

The rulebook (docs/struggle_rules.md) is read in this order: `board` and `material` (STRUGGLE 1), `chance` (2),
`opening` and `rounds` (3), `dice` and `legionnaire` (4), `building`, `trade`, `tribes`, `moving`, `plundering` and
`kingdoms` (5), `development` (6), `points` and `end` (7), `actions` (8), `position`, `knowledge` and `determinization`
(9); `game_flow` says what follows what. `geography` has a board's distances and fares, `observation` a view as numbers.
"""

from romans_env.struggle.board import Board, load_board
from romans_env.struggle.rules import StruggleForRome
from romans_env.struggle.setup import StruggleSetup

__all__ = ["Board", "StruggleForRome", "StruggleSetup", "load_board"]
