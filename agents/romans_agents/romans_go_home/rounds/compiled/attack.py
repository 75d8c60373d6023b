"""What seats choose in the attack of a rollout: as the scripted players do, but for three decisions of a network.

The network is a small copy of a trained policy (`recipes.rounds.distil_attack`). Dru'hid's choice of a
fort and Zvord's order (RULES 4.7, 4.10) are where the scripted choice loses: with it there alone, `legate` wins 65 %
and 62 % of its games against `schemer` in place of 80 %. At the Tax-collector's fort (RULES 5.3) it differs next.

Plans that are compared share what they reveal, so rollouts ask the network the same again and again. What it chose is
remembered by a hash of the observation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.loops.tree import hash_of
from romans_agents.romans_go_home.heuristics import tactical_action
from romans_env.compiling.decorators import inlined, jitted
from romans_env.romans_go_home.actions import NUM_ACTIONS, bit
from romans_env.romans_go_home.observation import OBSERVATION_SIZE, observe
from romans_env.romans_go_home.state import PHASE_TAKE, PHASE_TAX, PHASE_ZVORD, State

FIRST, SECOND = 128, 64
"""The sizes of the hidden layers, fixed so that their loops are compiled for them."""
NETWORK_PHASES = (PHASE_TAKE, PHASE_ZVORD, PHASE_TAX)
"""The phases in which the network chooses."""
SEEN_SIZE = -(-OBSERVATION_SIZE // 8) * 8
"""The size of the scratch for an observation: whole words, as it is hashed."""
NUM_REMEMBERED = 2**18
"""Choices that are remembered; those of other observations with the same place are forgotten."""
ACTION_BITS = np.int64(63)
"""The bits of a remembered choice that are the action; all others are of the hash."""
assert NUM_ACTIONS <= ACTION_BITS


class AttackNetwork(NamedTuple):
    """A policy for the attack: from an observation to logits of the actions, by two hidden layers of relu.

    Attributes:
        first: weights of the first hidden layer: float32, shape (observation size, FIRST).
        first_bias: of the first hidden layer: float32, shape (FIRST,).
        second: weights of the second hidden layer: float32, shape (FIRST, SECOND).
        second_bias: of the second hidden layer: float32, shape (SECOND,).
        last: weights of the logits: float32, shape (SECOND, number of actions).
        last_bias: of the logits: float32, shape (number of actions,).
        remembered: what it has chosen with these weights: int64, shape (NUM_REMEMBERED,), 0 where there is nothing. A
            choice is one word, so that threads may share them.
    """

    first: npt.NDArray[np.float32]
    first_bias: npt.NDArray[np.float32]
    second: npt.NDArray[np.float32]
    second_bias: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]
    last_bias: npt.NDArray[np.float32]
    remembered: npt.NDArray[np.int64]


@inlined
def add_rows(total, size, matrix, rows, factors, count):
    """Add ``count`` rows of a matrix, each times its factor, to ``total``.

    Four at a time, which takes two thirds of the time of one at a time. ``rows`` and ``factors`` have room for three
    more entries, which are overwritten: the last four are filled up with factors of 0.
    """
    for n in range(count, count + 3):
        rows[n], factors[n] = 0, 0.0
    for n in range(0, count, 4):
        a, b, c, d = rows[n], rows[n + 1], rows[n + 2], rows[n + 3]
        by_a, by_b, by_c, by_d = factors[n], factors[n + 1], factors[n + 2], factors[n + 3]
        for j in range(size):
            total[j] += by_a * matrix[a, j] + by_b * matrix[b, j] + by_c * matrix[c, j] + by_d * matrix[d, j]


@inlined
def add_active(total, size, matrix, layer, rows, factors):
    """Add to ``total`` each matrix row scaled by its unit of a layer, skipping units that are not positive.

    ``rows`` and ``factors`` are scratch, as for `add_rows`.
    """
    count = 0
    for k in range(layer.shape[0]):
        # Without a branch: what is written for a unit that is not positive is overwritten by the next.
        rows[count], factors[count] = k, layer[k]
        count += layer[k] > 0
    add_rows(total, size, matrix, rows, factors, count)


@inlined
def write_logits(seen, network, logits):
    """Write the logits of all actions for the observation ``seen[0]``: float32, shape (number of actions,).

    Entries and units of 0 are passed over: seven of eight in an observation, and about half of the layers. To list the
    others first takes a third of the time of branching at every entry.
    """
    rows = np.empty(OBSERVATION_SIZE + 3, dtype=np.int64)
    factors = np.empty(OBSERVATION_SIZE + 3, dtype=np.float32)
    count = 0
    for k in range(OBSERVATION_SIZE):
        rows[count] = k
        count += seen[0, k] != 0
    for n in range(count):
        factors[n] = seen[0, rows[n]]
    first, second = network.first_bias.copy(), network.second_bias.copy()
    add_rows(first, FIRST, network.first, rows, factors, count)
    add_active(second, SECOND, network.second, first, rows, factors)
    logits[:] = network.last_bias
    add_active(logits, NUM_ACTIONS, network.last, second, rows, factors)


@jitted
def likeliest_action(state: State, network, seen):
    """Return the legal action of the highest logit, given the observation ``seen[0]``."""
    logits = np.empty(NUM_ACTIONS, dtype=np.float32)
    write_logits(seen, network, logits)
    best, highest = np.int64(-1), np.float32(-np.inf)
    for action in range(NUM_ACTIONS):
        if state.legal & bit(action) != 0 and (best < 0 or logits[action] > highest):
            best, highest = np.int64(action), logits[action]
    return best


@jitted
def choose_in_rollout(state: State, seat, network, seen):
    """Return the action of a seat in the attack.

    Args:
        state: where the seat must decide.
        seat: the seat.
        network: `AttackNetwork`.
        seen: scratch for an observation: int8, shape (1, SEEN_SIZE), zeros at first.
    """
    if state.phase not in NETWORK_PHASES:
        return tactical_action(state, seat)
    observe(state, seat, seen, 0)
    key = hash_of(seen.view(np.int64), 0)
    place = (key >> np.int64(20)) & np.int64(NUM_REMEMBERED - 1)
    word = network.remembered[place]
    if (word ^ key) & ~ACTION_BITS != 0:
        word = (key & ~ACTION_BITS) | likeliest_action(state, network, seen)
        network.remembered[place] = word
    return word & ACTION_BITS
