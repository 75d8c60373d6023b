"""What seats choose in the attack of a rollout: as the scripted players do, but for two decisions that a network makes.

The network is a small copy of a trained policy (`romans_training.romans_go_home.distil_attack`). Dru'hid's choice of a
fort and Zvord's order (RULES 4.7, 4.10) are where the scripted choice loses: with it there alone, `legate-2` wins 65 %
and 62 % of its games against `schemer` in place of 80 %; with it at all other decisions, as many as ever.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.tactics import tactical_action
from romans_env.engine.compiled import jitted
from romans_env.romans_go_home.actions import NUM_ACTIONS, bit
from romans_env.romans_go_home.observation import OBSERVATION_SIZE, observe
from romans_env.romans_go_home.state import PHASE_TAKE, PHASE_ZVORD

HIDDEN = 64
"""The size of the hidden layer, fixed so that its loops are compiled for it."""


class AttackNetwork(NamedTuple):
    """A policy for the attack: from an observation to logits of the actions, by one hidden layer of relu.

    Attributes:
        scale: what the entries of an observation are multiplied by: float32, shape (observation size,).
        first: weights of the hidden layer: float32, shape (observation size, HIDDEN).
        bias: of the hidden layer: float32, shape (HIDDEN,).
        last: weights of the logits: float32, shape (number of actions, HIDDEN).
        last_bias: of the logits: float32, shape (number of actions,).
    """

    scale: npt.NDArray[np.float32]
    first: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]
    last_bias: npt.NDArray[np.float32]


@jitted
def choose_in_rollout(state, seat, network, seen):
    """The action of a seat in the attack.

    Args:
        state: where the seat must decide.
        seat: the seat.
        network: `AttackNetwork`.
        seen: scratch for an observation: int8, shape (1, observation size).
    """
    if state.phase != PHASE_ZVORD and state.phase != PHASE_TAKE:
        return tactical_action(state, seat)
    observe(state, seat, seen, 0)
    # Most entries are 0. To list the others first takes a third of the time of branching at every entry.
    entries = np.empty(OBSERVATION_SIZE, dtype=np.int64)
    count = 0
    for k in range(OBSERVATION_SIZE):
        entries[count] = k
        count += seen[0, k] != 0
    hidden = np.empty(HIDDEN, dtype=np.float32)
    for j in range(HIDDEN):
        hidden[j] = network.bias[j]
    for n in range(count):
        k = entries[n]
        entry = np.float32(seen[0, k]) * network.scale[k]
        for j in range(HIDDEN):
            hidden[j] += entry * network.first[k, j]
    best, highest = np.int64(-1), np.float32(-np.inf)
    for action in range(NUM_ACTIONS):
        if state.legal & bit(action) != 0:
            logit = network.last_bias[action]
            for j in range(HIDDEN):
                logit += max(hidden[j], np.float32(0.0)) * network.last[action, j]
            if best < 0 or logit > highest:
                best, highest = np.int64(action), logit
    return best
