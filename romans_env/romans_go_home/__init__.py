"""Romans Go Home!: the rules, compiled by numba. numpy and numba, nothing else.

The rulebook is docs/environments/romans_go_home_rules.md. Where a rule is:

| RULES | file |
|---|---|
| 1 material, the tables | `material`, `setup` |
| 2.1, 2.2 round, wall, hands; 3 planning | `planning` |
| 2.2, 2.3 the deal, which is all chance | `chance` |
| 4.1 to 4.10 the attack | `attack` |
| 4.11 the winner's warriors; 5 what forts do | `fort_effects` |
| 4.13, 4.14 actions, and what follows what | `actions`, `game_flow` |
| 6 neutral clans | `neutrals` |
| 7 end, winners, returns | `end` |
| 8 the variant Vogel | `attack`: `lose_fort`, `capture_fort` |

`knowledge` has a seat's private view, `determinization` samples complete games from it, `observation` gives it as
numbers, `position` as plain data, and `events` tells what happened.
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

# Pickles of version 0.1 name it so.
sys.modules[f"{__name__}.table"] = setup

__all__ = ["RomansGoHome", "Table"]
