"""The rules of Romans Go Home!, compiled by numba; they depend on numpy and numba alone.

The rulebook is docs/environments/romans_go_home_rules.md. Where a rule is:

| RULES | file |
|---|---|
| 1 material and table sizes | `material`, `setup` |
| 2.1, 2.2 round, wall, hands; 3 planning | `planning` |
| 2.2, 2.3 the deal (all chance of a game) | `chance` |
| 4.1 to 4.10 the attack | `attack` |
| 4.11 the winner's warriors; 5 effects of forts | `fort_effects` |
| 4.13, 4.14 actions, order of the decisions | `actions`, `game_flow` |
| 6 neutral clans | `neutrals` |
| 7 end, winners, returns | `end` |
| 8 the `vogel` variant | `attack`: `lose_fort`, `capture_fort` |

`knowledge` makes a seat's private view, `determinization` samples complete games from it, `observation` encodes it as
numbers and `position` as plain data; `events` lists what happened.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from romans_env.core.lazy_names import lazy_names as _lazy_names
from romans_env.romans_go_home import setup

if TYPE_CHECKING:
    from romans_env.romans_go_home.rules import RomansGoHome
    from romans_env.romans_go_home.setup import Table

__getattr__, __dir__ = _lazy_names(
    __name__, {"RomansGoHome": "romans_env.romans_go_home.rules", "Table": "romans_env.romans_go_home.setup"}
)

# Pickles of version 0.1 refer to the module by this name.
sys.modules[f"{__name__}.table"] = setup

__all__ = ["RomansGoHome", "Table"]
