"""The value of a position for a seat: tanh of a linear function of differences between the two sides.

`recipes.quaestor.fit_value` fits the weights to results of games between the scripted agents.
"""

from __future__ import annotations

import numpy as np

from romans_agents.roma.value_weights import WEIGHTS
from romans_env.compiling.decorators import inlined, jitted
from romans_env.roma.end import return_of
from romans_env.roma.material import CARDS, NONE, NUM_DISCS, STOCK_AT_START
from romans_env.roma.state import PHASE_OVER, State

FEATURES = ("points", "late_points", "few_points", "free_discs", "money", "hand", "blocked", "turn", *CARDS)
"""Names of the features. Each is the seat's number minus the opponent's: `late_points` are points weighted more as the
stock shrinks, `few_points` is 1 / (1 + points), and a card counts while it is on a disc. `turn` is 1 if the seat is to
act, otherwise -1."""
NUM_FEATURES = len(FEATURES)
POINTS, LATE_POINTS, FEW_POINTS, FREE_DISCS, MONEY, HAND, BLOCKED, TURN, ON_DISC = range(9)
"""Indices of the features; ON_DISC is that of the first card."""


@inlined
def add_side(state: State, seat, sign, features):
    """Add one side's numbers, times ``sign``, to the features: float64, shape ``(NUM_FEATURES,)``."""
    points = float(state.points[seat])
    features[POINTS] += sign * points / 10.0
    features[LATE_POINTS] += sign * points / 10.0 * (1.0 - float(state.stock) / STOCK_AT_START)
    features[FEW_POINTS] += sign / (1.0 + points)
    features[MONEY] += sign * np.sqrt(float(state.money[seat]) + 1.0)
    features[HAND] += sign * np.sqrt(float(state.hand_size[seat]) + 1.0)
    for disc in range(NUM_DISCS):
        kind = state.discs[seat, disc]
        if kind >= 0:
            features[ON_DISC + kind] += sign
        elif kind == NONE:
            features[FREE_DISCS] += sign
        features[BLOCKED] += sign * float(state.blocked[seat, disc])


@inlined
def write_features(state: State, seat, features):
    """Write the features of a position for a seat: float64, shape ``(NUM_FEATURES,)``."""
    features[:] = 0.0
    add_side(state, seat, 1.0, features)
    add_side(state, 1 - seat, -1.0, features)
    features[TURN] = 1.0 if state.seat == seat else -1.0


@jitted
def value_of(state: State, seat):
    """Return the expected return of a seat, in [-1, 1]; the actual return if the game is over."""
    if state.phase == PHASE_OVER:
        return return_of(state, seat)
    features = np.empty(NUM_FEATURES)
    write_features(state, seat, features)
    total = 0.0
    for k in range(NUM_FEATURES):
        total += WEIGHTS[k] * features[k]
    return np.tanh(total)
