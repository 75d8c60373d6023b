"""The rollouts of `policy-rollouts` for many positions of Roma at once, so that networks are evaluated in batches.

The values are those of `romans_agents.loops.policy_loops.evaluate_actions`, up to rounding, in half the time.
Rollouts that see the same observation share one evaluation, as most do until a die or the rival's cards differ.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.loops.compiled_networks import output
from romans_agents.loops.policy_loops import MAX_DECISIONS
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.engine.random_stream import WORDS, next_word
from romans_env.roma import step
from romans_env.roma.actions import NUM_ACTIONS
from romans_env.roma.observation import OBSERVATION_SIZE

CHUNK, TABLE = 256, 1024
"""The observations evaluated at once, which must fit into the cache, and the size of the hash table that finds equal
ones: a power of two."""


class Rollouts(NamedTuple):
    """The rollouts of a call.

    Attributes:
        records: the games, shape ``(n,)``.
        words: chance words, int64, shape ``(n, 4)``.
        places: where the return belongs in the sums: int64, shape ``(n, 3)``.
        seats: the seat whose return is estimated: int64, shape ``(n,)``.
        movers: the seat of the last decision: int64, shape ``(n,)``.
        left: how many more times the seat to act changes: int64, shape ``(n,)``.
        returns: the sum of the estimates so far: float64, shape ``(n,)``.
    """

    records: npt.NDArray[Any]
    words: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int64]
    movers: npt.NDArray[np.int64]
    left: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float64]


class Chunk(NamedTuple):
    """Scratch memory for the observations that are evaluated together; rows are different observations.

    Attributes:
        seen: the observations, int16, shape ``(CHUNK, OBSERVATION_SIZE)``.
        slots: the row of each rollout's observation: int64, shape ``(CHUNK,)``.
        worth: how many times the value counts for each rollout: int64, shape ``(CHUNK,)``.
        asks: whether a row needs a value, and whether it needs an action: bool, shape ``(2, CHUNK)``.
        rows, places: the rows to evaluate, and the index of a row among them: int64, shape ``(CHUNK,)``.
        values, choices: the value of each row, float64, and its likeliest action, int64, -1 if not yet known.
        first, last: hidden layers, float32, shapes ``(CHUNK, width)``.
        hashes, table: scratch of `find_row`.
        legal: scratch for legal actions, int64, shape ``(NUM_ACTIONS,)``.
    """

    seen: npt.NDArray[np.int16]
    slots: npt.NDArray[np.int64]
    worth: npt.NDArray[np.int64]
    asks: npt.NDArray[np.bool_]
    rows: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    choices: npt.NDArray[np.int64]
    first: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]
    hashes: npt.NDArray[np.int64]
    table: npt.NDArray[np.int64]
    legal: npt.NDArray[np.int64]


@jitted
def write_hidden(observations, rows, count, network, scale, is_tanh, first, last):
    """Compute the last hidden layer of some observations for a network with two hidden layers.

    Args:
        observations: int16, shape ``(n, OBSERVATION_SIZE)``.
        rows: the observations to evaluate, int64, shape ``(count,)`` or longer.
        count: the number of observations to evaluate.
        network: a `romans_agents.loops.compiled_networks.Network` with two hidden layers.
        scale: the factors of the entries of an observation: float32, shape ``(OBSERVATION_SIZE,)``.
        is_tanh: whether the activation is tanh; otherwise it is relu.
        first, last: written, the hidden layers: float32, shapes ``(n, width)``.

    Returns:
        The index in ``network.rest`` where the output layer begins.
    """
    width, after = network.sizes[1], network.sizes[2]
    packed, size = observations.view(np.int64), observations.shape[1]
    entries, factors = np.zeros(size + 4, dtype=np.int64), np.zeros(size + 4, dtype=np.float32)
    for k in range(count):
        x, seen, found = first[k], observations[rows[k]], 0
        for word in range(packed.shape[1]):
            if packed[rows[k], word] != 0:
                for entry in range(4 * word, 4 * word + 4):
                    if seen[entry] != 0:
                        entries[found], factors[found] = entry, np.float32(seen[entry]) * scale[entry]
                        found += 1
        factors[found : found + 4] = 0.0
        x[:] = network.rest[:width]
        # Four rows of weights at a time are twice as fast as one, because the sums are loaded and stored less often.
        for n in range(0, found, 4):
            a, b = network.first[entries[n]], network.first[entries[n + 1]]
            c, d = network.first[entries[n + 2]], network.first[entries[n + 3]]
            for j in range(width):
                x[j] += factors[n] * a[j] + factors[n + 1] * b[j] + factors[n + 2] * c[j] + factors[n + 3] * d[j]
        for j in range(width):
            x[j] = np.tanh(x[j]) if is_tanh else max(x[j], np.float32(0.0))
    at = width + width * after
    np.dot(first[:count], network.rest[width:at].reshape((after, width)).T, last[:count])
    bias = network.rest[at : at + after]
    for k in range(count):
        y = last[k]
        for j in range(after):
            total = y[j] + bias[j]
            y[j] = np.tanh(total) if is_tanh else max(total, np.float32(0.0))
    return at + after


@jitted
def find_row(seen, packed, row, hashes, table):
    """Return the first row with the same observation as ``row``, which is ``row`` itself for a new observation.

    Args:
        seen: the observations as words of 64 bits: int64, shape ``(n, m)``.
        packed: the number of words.
        row: the row to look up.
        hashes: the hashes of earlier rows, int64, shape ``(n,)``; written for a new observation.
        table: rows by hash, -1 where there is none: int64, shape ``(TABLE,)``; written for a new observation.
    """
    found = np.int64(0)
    for k in range(packed):
        if seen[row, k] != 0:
            # 31 bits times 32 bits do not overflow, so that interpreted code finds the same hash.
            found = ((found ^ (seen[row, k] & 0x7FFFFFFF) ^ (seen[row, k] >> 33) ^ k) & 0x7FFFFFFF) * 0x9E3779B1
            found ^= found >> 32
    place = found & (TABLE - 1)
    while table[place] >= 0:
        if hashes[table[place]] == found and np.array_equal(seen[table[place]], seen[row]):
            return table[place]
        place = (place + 1) & (TABLE - 1)
    table[place], hashes[row] = row, found
    return np.int64(row)


@jitted
def begin(states, games, actions, counts, samples, streams, rollouts):
    """Set up the rollouts and play their first actions; `evaluate_many` describes the arguments."""
    pair, chance = np.empty(2, dtype=states.dtype), np.empty(WORDS, dtype=np.int64)
    i = 0
    for k in range(games.shape[0]):
        game = games[k]
        seat = np.int64(step.seat_to_act(states, game))
        pair[0] = states[game]
        step.redact(pair, 0, seat)
        for sample in range(samples[k]):
            step.determinize(pair, 0, 1, seat, streams, game)
            for word in range(WORDS):
                chance[word] = next_word(streams, game)
            for column in range(counts[k]):
                rollouts.records[i] = pair[1]
                rollouts.words[i] = chance
                rollouts.seats[i] = rollouts.movers[i] = seat
                places = rollouts.places[i]
                places[0], places[1], places[2] = k, sample & 1, column
                step.act(rollouts.records, i, actions[k, column], rollouts.words)
                i += 1


@jitted
def look(rollouts, ids, decisions, chunk):
    """Write the observations of some rollouts, and what each observation is needed for; return their number.

    Args:
        rollouts: `Rollouts`.
        ids: the indices of the rollouts, int64, at most CHUNK.
        decisions: the number of decisions that these rollouts have played.
        chunk: `Chunk`; written.
    """
    left, packed = rollouts.left, chunk.seen.view(np.int64)
    chunk.table[:], unique = -1, 0
    for r in range(ids.shape[0]):
        i = ids[r]
        chunk.worth[r] = 0
        if step.is_over(rollouts.records, i):
            rollouts.returns[i] += left[i] * step.game_return(rollouts.records, i, rollouts.seats[i])
            left[i] = 0
            continue
        now = np.int64(step.seat_to_act(rollouts.records, i))
        step.observe(rollouts.records, i, now, chunk.seen, unique)
        row = find_row(packed, packed.shape[1], unique, chunk.hashes, chunk.table)
        if row == unique:
            chunk.asks[0, row] = chunk.asks[1, row] = False
            unique += 1
        chunk.slots[r] = row
        if decisions >= MAX_DECISIONS:
            chunk.worth[r], left[i] = left[i], 0
        elif now != rollouts.movers[i]:
            chunk.worth[r], left[i], rollouts.movers[i] = 1, left[i] - 1, now
        chunk.asks[0, row] |= chunk.worth[r] > 0
        chunk.asks[1, row] |= left[i] > 0
    return unique


@jitted
def write_asked(chunk, unique, asked, network, networks):
    """Compute the last hidden layer of a network for the rows that ask for it.

    Args:
        chunk: `Chunk`; its rows and hidden layers are written.
        unique: the number of rows.
        asked: the row of ``chunk.asks``.
        network: the network that it asks for.
        networks: `romans_agents.loops.compiled_networks.Networks`.

    Returns:
        The number of rows evaluated, and the index in ``network.rest`` where the output layer begins.
    """
    count = 0
    for row in range(unique):
        if chunk.asks[asked, row]:
            chunk.rows[count], chunk.places[row] = row, count
            count += 1
    scale, is_tanh = networks.scale, networks.is_tanh
    return count, write_hidden(chunk.seen, chunk.rows, count, network, scale, is_tanh, chunk.first, chunk.last)


@jitted
def likeliest_of(chunk, row, records, i, at, network):
    """Return the likeliest legal action of game ``i``, whose observation is ``row``; `write_asked` returns ``at``."""
    best, highest = np.int64(-1), -np.inf
    for k in range(step.legal_actions(records, i, chunk.legal)):
        logit = float(output(chunk.last[chunk.places[row]], at, network, chunk.legal[k]))
        if logit > highest:
            best, highest = chunk.legal[k], logit
    return best


@cached_jit(nogil=True)
def evaluate_many(states, games, actions, counts, samples, turns, streams, sums, networks):
    """Play rollouts of the policy after every candidate of many positions.

    Args:
        states: records of all games, shape ``(n,)``; they are not changed.
        games: the indices of the positions' games, int64, shape ``(k,)``.
        actions: the candidates, legal actions, int64, shape ``(k, m)``.
        counts: the number of candidates of each position, int64, shape ``(k,)``, from 1 to m.
        samples: the number of determinizations of a position, int64, shape ``(k,)``.
        turns: how many times the seat to act changes in a rollout, at least 1.
        streams: random streams of all games, int64, shape ``(n, 4)``; those of ``games`` advance.
        sums: float64, shape ``(k, 2, m)``. The returns of the seat to act, expected from -1 to 1, are added: in the
            first row for determinizations 0, 2, 4, ..., in the second row for the others.
        networks: `romans_agents.loops.compiled_networks.Networks` with two hidden layers each, of the same widths.
    """
    total = int((counts * samples).sum())
    numbers, flags = np.zeros((3, total), dtype=np.int64), np.empty((2, CHUNK), dtype=np.bool_)
    records, words = np.empty(total, dtype=states.dtype), np.empty((total, WORDS), dtype=np.int64)
    places, returns = np.empty((total, 3), dtype=np.int64), np.zeros(total)
    rollouts = Rollouts(records, words, places, numbers[0], numbers[1], numbers[2], returns)
    rollouts.left[:] = turns
    begin(states, games, actions, counts, samples, streams, rollouts)
    seen, scratch = np.zeros((CHUNK, OBSERVATION_SIZE), dtype=np.int16), np.empty((6, CHUNK), dtype=np.int64)
    slots, worth, rows, row_places, choices, hashes = scratch
    first = np.empty((CHUNK, networks.pi.sizes[1]), dtype=np.float32)
    last = np.empty((CHUNK, networks.pi.sizes[2]), dtype=np.float32)
    table, legal = np.empty(TABLE, dtype=np.int64), np.empty(NUM_ACTIONS, dtype=np.int64)
    values = np.empty(CHUNK)
    chunk = Chunk(seen, slots, worth, flags, rows, row_places, values, choices, first, last, hashes, table, legal)
    alive, num_alive, decisions = np.arange(total), total, 0
    while num_alive > 0:
        kept = 0
        for start in range(0, num_alive, CHUNK):
            # A copy, because the rollouts that go on are written to the front of the same array.
            ids = alive[start : min(start + CHUNK, num_alive)].copy()
            unique = look(rollouts, ids, decisions, chunk)
            count, at = write_asked(chunk, unique, 0, networks.vf, networks)
            for k in range(count):
                values[rows[k]] = min(1.0, max(-1.0, float(output(last[k], at, networks.vf, 0))))
            count, at = write_asked(chunk, unique, 1, networks.pi, networks)
            choices[:unique] = -1
            for r in range(ids.shape[0]):
                i, row = ids[r], slots[r]
                if worth[r] > 0:
                    own = step.seat_to_act(records, i) == rollouts.seats[i]
                    returns[i] += worth[r] * (values[row] if own else -values[row])
                if rollouts.left[i] > 0:
                    if choices[row] < 0:
                        choices[row] = likeliest_of(chunk, row, records, i, at, networks.pi)
                    step.act(records, i, choices[row], words)
                    alive[kept] = i
                    kept += 1
        num_alive, decisions = kept, decisions + 1
    for i in range(total):
        sums[places[i, 0], places[i, 1], places[i, 2]] += returns[i] / turns
