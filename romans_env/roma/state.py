"""The state of a game: one numpy record.

A record is the full state of a game, future chance outcomes excepted; an array of records is a batch. ``.copy()``
clones a game and ``.tobytes()`` saves it. Cards are counted by kind (`material`); discs and dice count from 0; NONE is
-1.

The dtype is built on ``numpy.record``, so that ``state.hand[seat, kind]`` works both compiled and interpreted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from romans_env.roma.material import NONE, NUM_CARDS, NUM_DISCS, NUM_FACES, NUM_SEATS

# The phases of a game: chance events first (ROMA 2.1), then the kinds of decision (8.1), then the end.
(
    PHASE_DEAL,
    PHASE_DICE,
    PHASE_DRAW,
    PHASE_BATTLE,
    PHASE_GIVE,
    PHASE_LAY,
    PHASE_TRIPLE,
    PHASE_MAIN,
    PHASE_KEEP,
    PHASE_TAKE,
    PHASE_OWN,
    PHASE_RIVAL,
    PHASE_DIE,
    PHASE_SIGN,
    PHASE_BUY,
    PHASE_OVER,
) = range(16)
FIRST_DECISION = PHASE_GIVE
"""The first phase that is a decision; all phases below are chance events."""
DECISION_KINDS = ("give", "lay", "triple", "main", "keep", "take", "own", "rival", "die", "sign", "buy")
"""The kinds of decision (ROMA 8.1), in the order of their phases."""

LEGAL_WORDS = 6
"""Number of 64-bit words in a set of actions (`actions`)."""

_i1, _i2 = np.int8, np.int16

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # -- the set of legal actions; empty at chance events and after the end
                ("legal", np.int64, (LEGAL_WORDS,)),
                # -- action dice thrown this turn; with turn, battles and drawn, it identifies a chance event
                ("thrown", np.int32),
                # -- the clock: turn 0 is the opening
                ("turn", _i2),
                # -- the number that belongs to a decision (ROMA 10.2)
                ("value", _i2),
                ("money", _i2, (NUM_SEATS,)),
                ("battles", _i1),  # battle dice thrown this turn
                ("drawn", _i1),  # cards drawn this turn
                ("phase", _i1),
                ("seat", _i1),  # the seat whose turn it is; in the opening, the seat that draws or decides
                ("left", _i1),  # dice still to be thrown, cards still to be drawn or given
                # -- the effect being carried out (ROMA 6): its card, its disc d, and the disc it attacks
                ("effect", _i1),
                ("disc", _i1),
                ("target", _i1),
                # -- the seat whose private view this record is; NONE in a full state
                ("viewer", _i1),
                ("essedum", _i1),
                ("stock", _i1),
                ("points", _i1, (NUM_SEATS,)),
                ("dice", _i1, (NUM_FACES,)),  # unused dice, by face
                # -- cards, counts by kind, and their totals
                ("pile", _i1, (NUM_CARDS,)),
                ("discard", _i1, (NUM_CARDS,)),
                ("hand", _i1, (NUM_SEATS, NUM_CARDS)),
                ("aside", _i1, (NUM_SEATS, NUM_CARDS)),
                ("known", _i1, (NUM_SEATS, NUM_CARDS)),  # hidden cards that the rival is certain of (ROMA 9.2)
                ("pile_size", _i1),
                ("discard_size", _i1),
                ("hand_size", _i1, (NUM_SEATS,)),
                ("aside_size", _i1, (NUM_SEATS,)),
                ("known_size", _i1, (NUM_SEATS,)),
                # -- discs: a card, NONE if free; face-down in the opening, face-up from turn 1 on (ROMA 3.4)
                ("discs", _i1, (NUM_SEATS, NUM_DISCS)),
                ("blocked", _i1, (NUM_SEATS, NUM_DISCS)),
                # -- padding to whole 64-bit words: numpy does not promise to copy alignment bytes outside of the fields
                ("spare", _i1, (9,)),
            ],
            align=True,
        ),
    )
)

States = npt.NDArray[Any]
"""An array of STATE records, shape ``(n,)``."""
if TYPE_CHECKING:
    from romans_env.roma.state_type import State as State
else:
    State = Any
    """One STATE record (numba knows it as a Record, Python as a numpy.record)."""


def new_states(num_games: int) -> States:
    """Return records of games that have not begun: STATE, shape ``(num_games,)``."""
    states = np.zeros(num_games, dtype=STATE)
    states["phase"], states["viewer"], states["discs"] = PHASE_OVER, NONE, NONE
    return states
