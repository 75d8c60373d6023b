"""Few rollouts of `trader`, of the actions and as many as a small network asks for: what `odoacer` plays.

For each action that `trader` scores high the network says how much better than `trader`'s it is, how sure that is, and
how much one rollout can tell. A round of rollouts is played while what it may add to the chance to win, for each
rollout, is worth enough (the value of information). A rollout lasts 13 turns, one more than a round has.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from romans_agents.loops.search_loops import draw_chance
from romans_agents.policies.policy_file import read_numbers
from romans_agents.struggle.rollouts import COURSE, LARGEST_GAP, START, VIEW, play_turns
from romans_agents.struggle.tactics import write_scores
from romans_agents.struggle.win_chance import chance_of
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.struggle import StruggleForRome, step

MOST, MOST_ROUNDS = 6, 16
"""Actions that are compared, at most, and rounds of rollouts."""
TURNS = 13
"""Turns of a rollout, the first being that of the position after the action."""
FARTHEST, LARGEST = 8.0, 127
"""Bounds of what the network sees: how far a score is behind the highest, and an entry of an observation."""


class Prior(NamedTuple):
    """The network that says where rollouts pay: float32, weights of shape (inputs, outputs).

    Attributes:
        scale: what the entries of an observation are multiplied by.
        first, first_bias, second, second_bias: layers of the observation.
        action, gap: added to the second: a row an action, and three of how far its score is behind the highest.
        third, third_bias, last, last_bias: to the difference in tenths, and the logarithms of two variances.
        slope: what a card of the score is worth: shape (1,).
    """

    scale: Any
    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    action: Any
    gap: Any
    third: Any
    third_bias: Any
    last: Any
    last_bias: Any
    slope: Any


def load_prior(path: Path) -> Prior:
    """Read the file that `recipes.odoacer.fit_networks` writes.

    Raises:
        ValueError: it is not such a file, or made for another board.
        OSError: it cannot be read.
    """
    arrays = read_numbers(path, Prior._fields, "no network of where rollouts pay", _check_shapes)
    return Prior(*(np.asarray(array, np.float32, "C") for array in arrays))


def _check_shapes(shapes: list[tuple[int, ...]]) -> None:
    rules, declared = StruggleForRome(), Prior(*shapes)
    biases = declared.first_bias, declared.second_bias, declared.third_bias
    size, (first, second, third) = rules.observation_size, map(math.prod, biases)
    widths = ((size,), (size, first), (first,), (first, second), (second,), (rules.num_actions, second), (3, second))
    if declared != (*widths, (second, third), (third,), (third, 3), (3,), (1,)):
        raise ValueError("its layers do not fit each other or the stand-in board")


@jitted
def add_layer(inputs, weights, outputs):
    """Add a layer's outputs for the inputs that are not 0, as of a relu."""
    for i in range(inputs.shape[0]):
        if inputs[i] > 0.0:
            for j in range(outputs.shape[0]):
                outputs[j] += inputs[i] * weights[i, j]


@jitted
def write_prior(seen, actions, scores, count, prior, known):
    """Write of each action the difference to the first, its variance, and that of a rollout: shape (3, MOST)."""
    hidden = prior.first_bias.copy()
    for i in range(seen.shape[0]):
        if seen[i] != 0:
            entry = np.float32(min(np.int64(seen[i]), np.int64(LARGEST))) * prior.scale[i]
            for j in range(hidden.shape[0]):
                hidden[j] += entry * prior.first[i, j]
    common = prior.second_bias.copy()
    add_layer(hidden, prior.second, common)
    for k in range(count):
        gap = max(scores[k] - scores[0], -FARTHEST)
        far, equal, near = np.float32(gap / 4.0), np.float32(gap == 0.0), np.float32(math.exp(gap))
        both = common.copy()
        for j in range(both.shape[0]):
            both[j] += prior.action[actions[k], j] + far * prior.gap[0, j] + equal * prior.gap[1, j]
            both[j] += near * prior.gap[2, j]
        third, last = prior.third_bias.copy(), prior.last_bias.copy()
        add_layer(both, prior.third, third)
        add_layer(third, prior.last, last)
        known[0, k] = 0.1 * last[0] + prior.slope[0] * gap
        known[1, k] = math.exp(min(max(last[1], -12.0), -3.0))
        known[2, k] = math.exp(min(max(last[2], -12.0), -3.0))
    known[0, :count] -= known[0, 0]
    known[1, 0] = 1e-12


@jitted
def write_candidates(records, weights, actions, scores):
    """Write the actions that `StilichoAgent.candidates` gives for the record VIEW, and scores; return how many."""
    legal, worth = np.empty(1024, dtype=np.int64), np.empty(1024)
    count = step.legal_actions(records, VIEW, legal)
    write_scores(records[VIEW], weights, legal, count, worth)
    kept = 0
    while kept < min(count, MOST):
        best = worth[:count].argmax()
        if kept >= 2 and worth[best] < scores[0] - LARGEST_GAP:
            break
        actions[kept], scores[kept] = legal[best], worth[best]
        worth[best] = -np.inf
        kept += 1
    return kept


@jitted
def expected_gain(behind, deviation):
    """Return the mean of the positive part of a normal number."""
    if deviation < 1e-9:
        return 0.0
    x = behind / deviation
    density = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return deviation * (density + 0.5 * x * (1.0 + math.erf(x / math.sqrt(2.0))))


@jitted
def plan_rollouts(known, count, rounds, played):
    """Choose the actions to be played on, and return for how many rounds and what a rollout of them is worth."""
    means, variances, noises = known[0, :count], known[1, :count], known[2, :count]
    best, most, chosen, ahead = means.argmax(), 0.0, 0, 1
    gains, now = np.empty(count), np.zeros(count, np.bool_)
    while ahead <= 8 and rounds + ahead <= MOST_ROUNDS:
        less = variances - 1.0 / (1.0 / variances + ahead / noises)
        less[0] = 0.0
        for k in range(count):
            gains[k] = expected_gain(means[k] - means[best], math.sqrt(less[k] + less[best])) if k != best else -1.0
        now[:] = False
        now[0] = now[best] = True
        total = 0.0
        for _ in range(count - 1):
            other = gains.argmax()
            total += gains[other]
            gains[other], now[other] = -2.0, True
            if total / (now.sum() * ahead) > most:
                most, chosen = total / (now.sum() * ahead), ahead
                played[:count] = now
        ahead *= 2
    return min(chosen, 2), most


@cached_jit(nogil=True)
def choose(records, seat, streams, words, seen, weights, prior, fitted, least_worth, doubt):
    """Return the action of the record VIEW, which is redacted, and how many rollouts were played."""
    actions, scores = np.empty(MOST, dtype=np.int64), np.empty(MOST)
    known, played, returns = np.zeros((3, MOST)), np.zeros(MOST, np.bool_), np.empty(4)
    count = write_candidates(records, weights, actions, scores)
    if count == 1:
        return actions[0], 0
    step.observe(records, VIEW, seat, seen, 0)
    write_prior(seen[0], actions, scores, count, prior, known)
    rounds = rollouts = 0
    while True:
        ahead, worth = plan_rollouts(known, count, rounds, played)
        if worth < least_worth:
            break
        for _ in range(ahead):
            step.determinize(records, VIEW, START, seat, streams, 0)
            draw_chance(words, START, streams)
            first = 0.0
            for k in range(count):
                if not played[k]:
                    continue
                records[COURSE], words[COURSE] = records[START], words[START]
                step.act(records, COURSE, actions[k], words)
                play_turns(records, TURNS, weights, words)
                chance = chance_of(records, COURSE, seat, weights, fitted, returns, seen)
                rollouts += 1
                if k == 0:
                    first = chance
                    continue
                precision = 1.0 / known[1, k] + 1.0 / known[2, k]
                known[0, k] = (known[0, k] / known[1, k] + (chance - first) / known[2, k]) / precision
                known[1, k] = 1.0 / precision
            rounds += 1
    careful = known[0, :count] - doubt * np.sqrt(known[1, :count])
    careful[0] = 0.0
    return actions[careful.argmax()], rollouts
