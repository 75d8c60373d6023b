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
from romans_agents.struggle.heuristics import write_scores
from romans_agents.struggle.rollouts import COURSE, LARGEST_GAP, START, VIEW, play_turns
from romans_agents.struggle.win_chance import chance_of
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.struggle import StruggleForRome, step

MOST, MOST_ROUNDS = 6, 16
"""Actions that are compared, at most, and rounds of rollouts."""
TURNS = 13
"""Turns of a rollout, the first being that of the position after the action."""
FARTHEST, LARGEST = 8.0, 127
"""Bounds of what the network sees: how far a score is behind the highest, and an entry of an observation."""
GAP_UNIT = 4.0
"""The network sees how far a score is behind the highest in this unit, so that all that it sees is of the size of 1."""
DIFFERENCE_UNIT = 0.1
"""The unit in which the network gives differences of the chance to win."""
LEAST_LOG_VARIANCE, MOST_LOG_VARIANCE = -12.0, -3.0
"""Bounds of the logarithms of variances that the network gives."""
NO_VARIANCE = 1e-12
"""The variance of what is known for certain: above 0, because it is divided by."""
DIFFERENCE, VARIANCE, NOISE = range(3)
"""Rows of ``known``, what is known of the actions that are compared: how much more each adds to the chance to win than
the first action (the highest score) does; the variance of that estimate; and the variance of one rollout's difference.
"""


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
    """Add a layer's outputs to ``outputs``; inputs below 0 count as 0 (relu)."""
    for i in range(inputs.shape[0]):
        if inputs[i] > 0.0:
            for j in range(outputs.shape[0]):
                outputs[j] += inputs[i] * weights[i, j]


@jitted
def add_observation(seen, prior, second):
    """Add what an observation gives the second layer, which all actions have in common, to ``second``."""
    hidden = prior.first_bias.copy()
    for i in range(seen.shape[0]):
        if seen[i] != 0:
            entry = np.float32(min(np.int64(seen[i]), np.int64(LARGEST))) * prior.scale[i]
            for j in range(hidden.shape[0]):
                hidden[j] += entry * prior.first[i, j]
    add_layer(hidden, prior.second, second)


@jitted
def write_prior(seen, actions, scores, count, prior, known):
    """Write what the network says of actions before any rollout.

    Args:
        seen: the observation, shape (observation size,).
        actions: the actions that are compared, the one with the highest score first, shape (MOST,).
        scores: the scores that `trader` gives them, shape (MOST,).
        count: the number of actions; the rest of both arrays is unused.
        prior: the network, a `Prior`.
        known: written: rows DIFFERENCE, VARIANCE and NOISE, float64, shape (3, MOST).
    """
    common = prior.second_bias.copy()
    add_observation(seen, prior, common)
    for k in range(count):
        gap = max(scores[k] - scores[0], -FARTHEST)
        # Three inputs for how far the score is behind: evenly, whether it is equal, and fast at first.
        far, equal, near = np.float32(gap / GAP_UNIT), np.float32(gap == 0.0), np.float32(math.exp(gap))
        both = common.copy()
        for j in range(both.shape[0]):
            both[j] += prior.action[actions[k], j] + far * prior.gap[0, j] + equal * prior.gap[1, j]
            both[j] += near * prior.gap[2, j]
        third, last = prior.third_bias.copy(), prior.last_bias.copy()
        add_layer(both, prior.third, third)
        add_layer(third, prior.last, last)
        known[DIFFERENCE, k] = DIFFERENCE_UNIT * last[0] + prior.slope[0] * gap
        known[VARIANCE, k] = math.exp(min(max(last[1], LEAST_LOG_VARIANCE), MOST_LOG_VARIANCE))
        known[NOISE, k] = math.exp(min(max(last[2], LEAST_LOG_VARIANCE), MOST_LOG_VARIANCE))
    known[DIFFERENCE, :count] -= known[DIFFERENCE, 0]
    known[VARIANCE, 0] = NO_VARIANCE


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
    """Return the mean of max(0, x), where x is normal with the mean ``behind`` and this standard deviation."""
    if deviation < 1e-9:
        return 0.0
    x = behind / deviation
    density = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return deviation * (density + 0.5 * x * (1.0 + math.erf(x / math.sqrt(2.0))))


@jitted
def plan_rollouts(known, count, rounds, played):
    """Choose the actions whose rollouts may add most to the chance to win, for each rollout.

    Args:
        known: rows DIFFERENCE, VARIANCE and NOISE.
        count: how many actions are compared.
        rounds: the rounds of rollouts so far.
        played: written: whether an action is among the chosen ones, shape (MOST,).

    Returns:
        How many rounds of them to play before planning anew, and the value of one rollout. The values of 1, 2, 4 and 8
        rounds are compared, because a small difference shows after many rounds only; at most 2 are played at once.
    """
    means, variances, noises = known[DIFFERENCE, :count], known[VARIANCE, :count], known[NOISE, :count]
    best, most, chosen, ahead = means.argmax(), 0.0, 0, 1
    gains, now = np.empty(count), np.zeros(count, np.bool_)
    while ahead <= 8 and rounds + ahead <= MOST_ROUNDS:
        # The variance that so many more rounds remove: estimates can still move by its square root.
        less = variances - 1.0 / (1.0 / variances + ahead / noises)
        less[0] = 0.0
        for k in range(count):
            gains[k] = expected_gain(means[k] - means[best], math.sqrt(less[k] + less[best])) if k != best else -1.0
        now[:] = False
        # The first is played always: returns are compared with its.
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
    """Choose an action of the record VIEW, which is redacted.

    Args:
        records: scratch records, of which VIEW is given.
        seat: the seat that decides.
        streams: the search's random stream: int64, shape (1, 4).
        words: scratch for chance words: int64, a row for each record.
        seen: scratch for an observation, of its dtype, shape (1, observation size).
        weights: of the style of the scripted agent, `trader`.
        prior: the network, a `Prior`.
        fitted: `win_chance.WinChance`, which judges where a rollout ends.
        least_worth: the least value of a rollout that is played.
        doubt: how many standard errors are taken off a difference before the actions are compared.

    Returns:
        The action, and how many rollouts were played.
    """
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
                # Bayes' rule for normal numbers: means count by their precision, 1 / variance.
                precision = 1.0 / known[VARIANCE, k] + 1.0 / known[NOISE, k]
                weighted = known[DIFFERENCE, k] / known[VARIANCE, k] + (chance - first) / known[NOISE, k]
                known[DIFFERENCE, k] = weighted / precision
                known[VARIANCE, k] = 1.0 / precision
            rounds += 1
    careful = known[DIFFERENCE, :count] - doubt * np.sqrt(known[VARIANCE, :count])
    careful[0] = 0.0
    return actions[careful.argmax()], rollouts
