"""The rules of Struggle for Rome, compiled by numba; they depend on numpy and numba alone.

The rulebook is docs/environments/struggle_rules.md. Where a rule is:

| STRUGGLE | file |
|---|---|
| 1 material, the board | `material`, `setup`; `board` and `board_form` (the file), `geography` (distances and fares) |
| 2 chance | `chance`; 2.3, 2.4 drawing cards: `general` |
| 3.1, 3.2 the start | `opening` |
| 3.3 rounds, phases, turns | `rounds` |
| 4.1 to 4.3 dice, production, shortage | `dice` |
| 4.4 the legionnaire | `legionnaire` |
| 5.1 building, the bank | `building` |
| 5.2 trade between seats | `trade` |
| 5.3 a tribe's turn, resting | `tribes` |
| 5.4 moving | `moving`; legal targets: `actions` (`may_move_to`), `geography` |
| 5.5 plundering | `plundering` |
| 5.6 to 5.8 kingdoms | `kingdoms` |
| 6 development cards | `development`; 6.1 diplomacy also in `points`, `legionnaire` |
| 7.1, 7.2 points | `points` |
| 7.3, 7.4 end, winners, returns | `end` |
| 8 actions, order of the decisions | `actions`, `game_flow` |
| 9 position, private view | `position`, `knowledge`; observation: `observation`; what happened: `events` |
| 9.3 determinizations | `determinization` |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from romans_env.core.lazy_names import lazy_names as _lazy_names

if TYPE_CHECKING:
    from romans_env.struggle.board import Board, load_board
    from romans_env.struggle.rules import StruggleForRome
    from romans_env.struggle.setup import StruggleSetup

__getattr__, __dir__ = _lazy_names(
    __name__,
    {
        "Board": "romans_env.struggle.board",
        "load_board": "romans_env.struggle.board",
        "StruggleForRome": "romans_env.struggle.rules",
        "StruggleSetup": "romans_env.struggle.setup",
    },
)

__all__ = ["Board", "StruggleForRome", "StruggleSetup", "load_board"]
