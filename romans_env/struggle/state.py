"""The state of a game: one numpy record.

A record is the full state of a game, future chance outcomes excepted; an array of records is a batch. ``.copy()``
clones a game and ``.tobytes()`` saves it. Cards, figures and counters are counted by kind (`material`). The record
refers to the board by a key; the board itself lies outside (`geography`), so that its size changes neither the record
nor the compiled code.

The dtype is built on ``numpy.record``, so that ``state.hand[seat, kind]`` works both compiled and interpreted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from romans_env.struggle import material
from romans_env.struggle.setup import StruggleSetup

# The stages of a game: chance events first (STRUGGLE 2.1), then the kinds of decision (8.1), then the end.
(
    STAGE_SETUP,
    STAGE_DICE,
    STAGE_PRODUCE,
    STAGE_THEFT,
    STAGE_BANK_PASTURE,
    STAGE_REST_PASTURE,
    STAGE_LOOT_PASTURE,
    STAGE_BUY_CARD,
    STAGE_LOOT_CARD,
    STAGE_COUNTER,
    STAGE_LEGION,
    STAGE_ROB,
    STAGE_BUILD,
    STAGE_ANSWER,
    STAGE_TRIBE,
    STAGE_FARE,
    STAGE_OVER,
) = range(17)
FIRST_DECISION = STAGE_LEGION
"""The first stage that is a decision; all stages below are chance events."""
DECISION_KINDS = ("legion", "rob", "build", "answer", "tribe", "fare")
"""The kinds of decision (STRUGGLE 8.1), in the order of their stages."""

LEGAL_WORDS = 5
"""Number of 64-bit words in a set of actions (`actions`)."""
NO_PLACES, HEXES, CROSSROADS = range(3)
"""Which actions for places of the board are legal, too: none, `legion` (hexes) or `move` (crossroads)."""
NUM_EVENTS = 5
"""Number of kinds of chance events (`chance`)."""

_i1, _i2, _i4 = np.int8, np.int16, np.int32

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # -- the set of legal actions, without those for places of the board (see places); empty at chance
                #    events and after the end
                ("legal", np.int64, (LEGAL_WORDS,)),
                # -- the setup (STRUGGLE 1.1)
                ("board", np.int64),
                ("max_offers", _i4),
                ("max_rounds", _i4),
                # -- the clock
                ("round_number", _i4),
                ("offers", _i4),  # made in this turn (5.2)
                ("gold", _i4, (material.MAX_SEATS,)),
                # -- chance events of each seat in this turn (in phase 1, this round): they identify the next (`chance`)
                ("num_events", _i2, (NUM_EVENTS, material.MAX_SEATS)),
                ("due", _i2, (material.MAX_SEATS,)),  # pasture cards still to be drawn (4.2)
                ("points", _i2, (material.MAX_SEATS,)),
                ("at", _i2, (material.MAX_SEATS, material.NUM_TRIBES)),  # crossroads of the figures
                ("legion", _i2),  # hex of the legionnaire
                ("target", _i2),  # the crossroads x of `fare`, else NONE
                ("markers", _i2),  # bit n: the number n bears a marker (4.1)
                ("num_players", _i1),
                ("player_trade", _i1),
                ("stage", _i1),
                ("places", _i1),  # NO_PLACES, HEXES or CROSSROADS
                ("phase", _i1),
                ("first", _i1),
                ("active", _i1),
                ("seat", _i1),  # the seat to act, or the one whose chance event comes next
                ("die", _i1),  # the first of two dice thrown, else 0
                ("victim", _i1),  # the seat being robbed (4.4)
                ("city", _i1),  # the city being plundered
                ("offer", _i1),  # the index of the offer being answered, else NONE
                ("final", _i1),
                ("moved", _i1),
                ("card_played", _i1),
                ("diplomacy", _i1),  # the seat that holds the Diplomacy card, or NONE
                # -- the seat whose private view this record is; NONE in a full state
                ("viewer", _i1),
                ("deck_size", _i1),
                # -- cards and counters in the middle
                ("bank", _i1, (material.NUM_BANK,)),
                ("pile", _i1, (material.NUM_PASTURE,)),
                ("discard", _i1, (material.NUM_PASTURE,)),
                ("deck", _i1, (material.NUM_DEVELOPMENT,)),
                ("counters", _i1, (material.NUM_PROVINCES, material.NUM_COUNTERS)),
                # -- cities
                ("has_counter", _i1, (material.NUM_CITIES,)),
                ("owner", _i1, (material.NUM_CITIES,)),  # a seat, NONE or NEUTRAL
                ("tribe", _i1, (material.NUM_CITIES,)),  # the tribe that owns the city, or NONE
                # -- seats
                ("hand", _i1, (material.MAX_SEATS, material.NUM_RESOURCES)),
                ("development", _i1, (material.MAX_SEATS, material.NUM_DEVELOPMENT)),
                ("development_size", _i1, (material.MAX_SEATS,)),
                ("played", _i1, (material.MAX_SEATS, material.NUM_DEVELOPMENT)),
                ("substituted", _i1, (material.MAX_SEATS,)),
                ("reserve", _i1, (material.MAX_SEATS, material.NUM_SUPPLIES)),
                # -- tribes
                ("kingdom", _i1, (material.MAX_SEATS, material.NUM_TRIBES)),
                ("num_cities", _i1, (material.MAX_SEATS, material.NUM_TRIBES)),
                ("army", _i1, (material.MAX_SEATS, material.NUM_TRIBES)),
                ("wagons", _i1, (material.MAX_SEATS, material.NUM_TRIBES)),
                ("box", _i1, (material.MAX_SEATS, material.NUM_TRIBES, material.NUM_PROVINCES)),  # plunder counters
                # -- padding to whole 64-bit words: numpy does not promise to copy alignment bytes outside of the fields
                ("spare", _i1, (1,)),
            ],
            align=True,
        ),
    )
)

States = npt.NDArray[Any]
"""An array of STATE records, shape ``(n,)``."""
if TYPE_CHECKING:
    from romans_env.struggle.state_type import State as State
else:
    State = Any
    """One STATE record (numba knows it as a Record, Python as a numpy.record)."""


def new_states(setup: StruggleSetup, board_key: int, num_games: int) -> States:
    """Return records of games that have not begun: STATE, shape ``(num_games,)``.

    Args:
        setup: the settings of the games.
        board_key: the key of the board's `geography.Geography`.
        num_games: the number of records.
    """
    states = np.zeros(num_games, dtype=STATE)
    states["board"], states["num_players"], states["player_trade"] = board_key, setup.num_players, setup.player_trade
    states["max_offers"], states["max_rounds"] = setup.max_offers, setup.max_rounds
    states["stage"], states["viewer"] = STAGE_OVER, material.NONE
    return states


assert sum(STATE[name].itemsize for name in STATE.names or ()) == STATE.itemsize
