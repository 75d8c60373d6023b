"""The state of a game: one numpy record.

A record is the full state of a game, the deal included; an array of records is a batch. ``.copy()`` clones a game and
``.tobytes()`` saves it. Fields hold counts by kind, or indices into the tables of `material`; NONE is -1.

The dtype is built on ``numpy.record``, so that ``state.face_up[seat, warrior]`` works both compiled and interpreted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from romans_env.romans_go_home import material
from romans_env.romans_go_home.setup import Table

# The phases of a game, in the order in which a round passes through them (RULES 3 and 4.13).
(
    PHASE_DISCARD,
    PHASE_PLACE,
    PHASE_REVEAL,
    PHASE_CHARM,
    PHASE_CAPTURE,
    PHASE_TAKE,
    PHASE_AXX,
    PHASE_HORSIE,
    PHASE_ZVORD,
    PHASE_UNWARY,
    PHASE_SIGNAL,
    PHASE_TAX,
    PHASE_TURN_END,
    PHASE_GAME_OVER,
) = range(14)

_i1 = np.int8

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # -- the legal actions: bit a is set if action a is legal; 0 once the game is over
                ("legal", np.int64),
                # -- the table (RULES 1)
                ("num_players", _i1),
                ("num_neutrals", _i1),
                ("num_clans", _i1),
                ("vogel", _i1),
                ("fort_deck", _i1, (material.NUM_FORTS,)),
                # -- the size of the table; unused slots, rounds and cards are NONE
                ("warriors", _i1, (material.NUM_WARRIORS,)),  # copies of each in a clan
                ("clan_size", _i1),
                ("line_size", _i1),
                ("num_rounds", _i1),
                # -- the deal (RULES 2.3): forts in drawing order; cards of each clan in each round, a neutral's by slot
                ("fort_order", _i1, (material.DECK_SIZE,)),
                ("dealt", _i1, (material.NUM_ROUNDS, material.MAX_CLANS, material.HAND_SIZE)),
                # -- the clock: round 0-2, turn 0 (planning) or 1-6, the phase, the seat to act or to be asked next
                ("round_index", _i1),
                ("turn", _i1),
                ("phase", _i1),
                ("seat", _i1),
                # -- while a seat plans or reorders: the next slot to fill (0-6); NONE when no reorder has begun
                ("slot", _i1),
                # -- the wall, by slot: a fort or NONE
                ("wall", _i1, (material.WALL_SIZE,)),
                # -- the clans, by seat
                ("hand", _i1, (material.MAX_CLANS, material.NUM_WARRIORS)),
                # by slot; revealed warriors stay in it until the round ends
                ("line", _i1, (material.MAX_CLANS, material.LINE_SIZE)),
                ("set_aside", _i1, (material.NUM_ROUNDS, material.MAX_CLANS)),
                ("face_up", _i1, (material.MAX_CLANS, material.NUM_WARRIORS)),
                ("shown", _i1, (material.MAX_CLANS, material.NUM_WARRIORS)),  # all revealed this round
                # captured forts, and the sums over them
                ("forts", _i1, (material.MAX_CLANS, material.NUM_FORTS)),
                ("points", _i1, (material.MAX_CLANS,)),
                ("num_forts", _i1, (material.MAX_CLANS,)),
                ("num_legion", _i1, (material.MAX_CLANS,)),
                # -- the other forts
                ("to_come", _i1, (material.NUM_FORTS,)),  # of later rounds
                ("lost_forts", _i1, (material.NUM_FORTS,)),  # discarded from the game
                # -- this turn
                ("revealed", _i1, (material.MAX_CLANS,)),
                ("wrecked", _i1),  # 1: the Ch'ariotts revealed this turn were discarded (RULES 4.2)
                ("charmed", _i1),  # the seat whose revealed warrior is charmed
                ("total", _i1, (material.MAX_CLANS,)),
                ("captor", _i1),
                ("captured", _i1),  # the fort the captor took
                ("axx_stays", _i1),
                ("weakest_stays", _i1),
                # -- the end: the seat that won by three Legion forts (RULES 5.4)
                ("legion_winner", _i1),
                # -- padding to whole 64-bit words: numpy does not promise to copy alignment bytes outside of the fields
                ("spare", _i1, (4,)),
            ],
            align=True,
        ),
    )
)

States = npt.NDArray[Any]
"""An array of STATE records, shape ``(n,)``."""
if TYPE_CHECKING:
    from romans_env.romans_go_home.state_type import State as State
else:
    State = Any
    """One STATE record (numba knows it as a Record, Python as a numpy.record)."""


def new_states(table: Table, num_games: int) -> States:
    """Return records of a table without a deal: STATE, shape ``(num_games,)``."""
    states = np.zeros(num_games, dtype=STATE)
    states["num_players"] = table.num_players
    states["num_neutrals"] = table.num_neutrals
    states["num_clans"] = table.num_clans
    states["vogel"] = table.variant == "vogel"
    states["fort_deck"] = table.deck_counts()
    states["warriors"] = table.warrior_counts()
    states["clan_size"] = len(table.warriors)
    states["line_size"] = table.line_size
    states["num_rounds"] = table.num_rounds
    states["fort_order"] = material.NONE
    states["dealt"] = material.NONE
    states["phase"], states["seat"] = PHASE_GAME_OVER, material.NONE
    return states
