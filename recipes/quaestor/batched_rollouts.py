"""The rollouts of `policy-rollouts` for many positions of Roma at once, so that networks are evaluated in batches.

The values are those of `romans_agents.loops.policy_loops.evaluate_actions`, up to rounding, in half the time.
Rollouts that see the same observation share one evaluation, as most do until a die or the rival's cards differ.
"""

from __future__ import annotations

import numpy as np

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
        networks: `romans_agents.loops.compiled_networks.Networks` with two hidden layers each.
    """
    total = int((counts * samples).sum())
    records, pair = np.empty(total, dtype=states.dtype), np.empty(2, dtype=states.dtype)
    words, chance = np.empty((total, WORDS), dtype=np.int64), np.empty(WORDS, dtype=np.int64)
    places = np.empty((total, 3), dtype=np.int64)
    seats, movers = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
    left, returns = np.full(total, turns), np.zeros(total)
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
                records[i] = pair[1]
                words[i] = chance
                seats[i] = movers[i] = seat
                places[i, 0], places[i, 1], places[i, 2] = k, sample & 1, column
                step.act(records, i, actions[k, column], words)
                i += 1
    width = max(networks.pi.sizes[1], networks.vf.sizes[1])
    after = max(networks.pi.sizes[2], networks.vf.sizes[2])
    first, last = np.empty((CHUNK, width), dtype=np.float32), np.empty((CHUNK, after), dtype=np.float32)
    seen = np.zeros((CHUNK, OBSERVATION_SIZE), dtype=np.int16)
    packed = seen.view(np.int64)
    table, hashes = np.empty(TABLE, dtype=np.int64), np.empty(CHUNK, dtype=np.int64)
    rows, slots, worth = np.empty((3, CHUNK), dtype=np.int64)
    asks_value, asks_policy = np.empty((2, CHUNK), dtype=np.bool_)
    values, choices = np.empty(CHUNK), np.empty(CHUNK, dtype=np.int64)
    place_of, legal = np.empty(CHUNK, dtype=np.int64), np.empty(NUM_ACTIONS, dtype=np.int64)
    alive, num_alive, decisions = np.arange(total), total, 0
    while num_alive > 0:
        kept = 0
        for begin in range(0, num_alive, CHUNK):
            size = min(CHUNK, num_alive - begin)
            table[:], unique = -1, 0
            for r in range(size):
                i = alive[begin + r]
                worth[r] = 0
                if step.is_over(records, i):
                    returns[i] += left[i] * step.game_return(records, i, seats[i])
                    left[i] = 0
                    continue
                now = np.int64(step.seat_to_act(records, i))
                step.observe(records, i, now, seen, unique)
                row = find_row(packed, packed.shape[1], unique, hashes, table)
                if row == unique:
                    asks_value[row] = asks_policy[row] = False
                    unique += 1
                slots[r] = row
                if decisions >= MAX_DECISIONS:
                    worth[r], left[i] = left[i], 0
                elif now != movers[i]:
                    worth[r], left[i], movers[i] = 1, left[i] - 1, now
                asks_value[row] |= worth[r] > 0
                asks_policy[row] |= left[i] > 0
            count = 0
            for row in range(unique):
                if asks_value[row]:
                    rows[count] = row
                    count += 1
            if count > 0:
                at = write_hidden(seen, rows, count, networks.vf, networks.scale, networks.is_tanh, first, last)
                for k in range(count):
                    values[rows[k]] = min(1.0, max(-1.0, float(output(last[k], at, networks.vf, 0))))
            count = 0
            for row in range(unique):
                choices[row] = -1
                if asks_policy[row]:
                    rows[count], place_of[row] = row, count
                    count += 1
            if count > 0:
                at = write_hidden(seen, rows, count, networks.pi, networks.scale, networks.is_tanh, first, last)
            for r in range(size):
                i, row = alive[begin + r], slots[r]
                if worth[r] > 0:
                    own = step.seat_to_act(records, i) == seats[i]
                    returns[i] += worth[r] * (values[row] if own else -values[row])
                if left[i] > 0:
                    if choices[row] < 0:
                        highest = -np.inf
                        for k in range(step.legal_actions(records, i, legal)):
                            logit = float(output(last[place_of[row]], at, networks.pi, legal[k]))
                            if logit > highest:
                                choices[row], highest = legal[k], logit
                    step.act(records, i, choices[row], words)
                    alive[kept] = i
                    kept += 1
        num_alive, decisions = kept, decisions + 1
    for i in range(total):
        sums[places[i, 0], places[i, 1], places[i, 2]] += returns[i] / turns
