"""The decisions of all seats in the attack of a rollout: scripted, except for three kinds decided by a network.

The network is a small copy of a trained policy (`recipes.rounds.distil_attack`). Scripted decisions are weakest for
Dru'hid's choice of a fort and Zvord's reordering (RULES 4.7, 4.10): if only the one or the other is scripted, `legate`
wins 65 % or 62 % of its games against `schemer`, instead of 80 %. Next is the Tax-collector's fort (RULES 5.3).

The plans that are compared reveal similar warriors, so rollouts reach the same observations again and again. Therefore
the network's choices are cached by a hash of the observation.
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
"""The sizes of the hidden layers; they are constants, so that loops are compiled for them."""
NETWORK_PHASES = (PHASE_TAKE, PHASE_ZVORD, PHASE_TAX)
"""The phases in which the network chooses."""
SEEN_SIZE = -(-OBSERVATION_SIZE // 8) * 8
"""The size of the scratch for an observation: a multiple of 8 bytes, because it is hashed as 64-bit words."""
NUM_REMEMBERED = 2**18
"""Size of the cache of choices; a new entry overwrites an older one at the same place."""
ACTION_BITS = np.int64(63)
"""The bits of a cache entry that hold the action; the others hold the hash."""
assert NUM_ACTIONS <= ACTION_BITS


class AttackNetwork(NamedTuple):
    """A policy network for the attack, with two hidden layers and relu, and the cache of its choices.

    Attributes:
        first: weights of the first hidden layer: float32, shape ``(OBSERVATION_SIZE, FIRST)``.
        first_bias: bias of the first hidden layer: float32, shape ``(FIRST,)``.
        second: weights of the second hidden layer: float32, shape ``(FIRST, SECOND)``.
        second_bias: bias of the second hidden layer: float32, shape ``(SECOND,)``.
        last: weights of the logits: float32, shape ``(SECOND, NUM_ACTIONS)``.
        last_bias: bias of the logits: float32, shape ``(NUM_ACTIONS,)``.
        remembered: the cache of choices: int64, shape ``(NUM_REMEMBERED,)``, 0 for an empty entry. An entry is a single
            word, so that threads can share the cache.
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
    """Add the weighted sum of ``count`` rows of a matrix to ``total``.

    Four rows are added at once, which takes two thirds of the time of single rows. To pad the last four, three more
    entries of ``rows`` and ``factors`` are overwritten.

    Args:
        total: float32, shape ``(size,)``; added to.
        size: the number of columns.
        matrix: float32, shape ``(m, size)``.
        rows: indices of rows, int64, shape ``(count + 3,)`` or longer.
        factors: the factor of each row, float32, of the same shape.
        count: the number of rows.
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
    """Add the product of relu(layer) and a matrix to ``total``, skipping units that are not positive.

    Args:
        total: float32, shape ``(size,)``; added to.
        size: the number of columns.
        matrix: float32, shape ``(m, size)``.
        layer: float32, shape ``(m,)``.
        rows: scratch, int64, shape ``(m + 3,)`` or longer.
        factors: scratch, float32, of the same shape.
    """
    count = 0
    for k in range(layer.shape[0]):
        # Without a branch: the entry of a unit that is not positive is overwritten by the next unit.
        rows[count], factors[count] = k, layer[k]
        count += layer[k] > 0
    add_rows(total, size, matrix, rows, factors, count)


@inlined
def write_logits(seen, network, logits):
    """Compute the logits of all actions for the observation ``seen[0]``.

    Zeros are skipped: seven of eight entries of an observation, and about half of the hidden units. Listing the other
    entries first takes a third of the time of a branch at every entry.

    Args:
        seen: int8, shape ``(1, SEEN_SIZE)``.
        network: the `AttackNetwork`.
        logits: written: float32, shape ``(NUM_ACTIONS,)``.
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
    """Return the legal action with the highest logit for the observation ``seen[0]``: int8, shape ``(SEEN_SIZE,)``."""
    logits = np.empty(NUM_ACTIONS, dtype=np.float32)
    write_logits(seen, network, logits)
    best, highest = np.int64(-1), np.float32(-np.inf)
    for action in range(NUM_ACTIONS):
        if state.legal & bit(action) != 0 and (best < 0 or logits[action] > highest):
            best, highest = np.int64(action), logits[action]
    return best


@jitted
def choose_in_rollout(state: State, seat, network, seen):
    """Return the action of a seat in the attack of a rollout.

    Args:
        state: the record.
        seat: the seat to act.
        network: the `AttackNetwork`.
        seen: scratch for an observation: int8, shape ``(1, SEEN_SIZE)``; must be zeros at first.
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
