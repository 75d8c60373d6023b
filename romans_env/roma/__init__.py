"""The rules of Roma, compiled by numba; they depend on numpy and numba alone.

The rulebook is docs/environments/roma_rules.md. Where a rule is:

| ROMA | file |
|---|---|
| 1 material | `material`, `setup` |
| 2 chance | `chance` |
| 3 opening | `opening` |
| 4 turn: free discs, dice, money, cards, laying | `turn` |
| 5 defence, battles, payments; 7.1 | `general` |
| 5.2 and the conditions of all cards; 6.10 scaenicus | `activation` |
| 5.6 battles; 6.7 legionarius, 6.16 centurio | `battles` |
| 6.1 architectus, 6.2 consiliarius, 6.12 senator, 6.19 machina | `moving` |
| 6.3 legat, 6.5 mercator, 6.15 tribunus, 6.18 basilica, 6.20 forum, 6.21 mercatus, 6.23 templum | `points` |
| 6.0 sicarius, 6.4 gladiator, 6.8 nero, 6.9 praetorianus, 6.13 velites, 6.22 onager | `removing` |
| 6.6 consul | `dice` |
| 6.11 haruspex, 6.17 aesculapinum | `taking` |
| 6.14 essedum | `activation`, `general`: `defence` |
| 6.24 turris | `general`: `defence` |
| 7.2 the last turn | `turn` |
| 7.3, 7.4 winners, returns | `end` |
| 8 actions, order of the decisions | `actions`, `game_flow` |
| 9 hidden cards | `knowledge`; sampled games: `determinization` |
| 10 position | `position`; observation: `observation`; what happened: `events` |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from romans_env.core.lazy_names import lazy_names as _lazy_names

if TYPE_CHECKING:
    from romans_env.roma.rules import Roma
    from romans_env.roma.setup import RomaSetup

__getattr__, __dir__ = _lazy_names(__name__, {"Roma": "romans_env.roma.rules", "RomaSetup": "romans_env.roma.setup"})

__all__ = ["Roma", "RomaSetup"]
