"""Selective rollouts of `trader`, on which `odoacer` is based: a small network decides where rollouts are worthwhile.

For each action with a high score by `trader`, the network estimates how much it raises the win probability compared
with the best-scored action, the variance of that estimate, and the variance of a rollout. A round of rollouts is played
while its expected gain in win probability per rollout, the value of information, is large enough. A rollout lasts 13
turns, one more than a round of the game.
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
"""The most actions that are compared, and the most rounds of rollouts."""
TURNS = 13
"""Number of turns of a rollout, beginning with the turn in progress after the action."""
FARTHEST, LARGEST = 8.0, 127
"""Bounds of the network's inputs: the distance of a score from the highest one, and an entry of an observation."""
GAP_UNIT = 4.0
"""Unit of score distances in the network's inputs, chosen so that they are about as large as 1."""
DIFFERENCE_UNIT = 0.1
"""Unit of differences of the win probability in the network's output."""
LEAST_LOG_VARIANCE, MOST_LOG_VARIANCE = -12.0, -3.0
"""Bounds of the logarithms of variances in the network's output."""
NO_VARIANCE = 1e-12
"""The variance of a value that is known exactly; above 0, because it is a divisor."""
DIFFERENCE, VARIANCE, NOISE = range(3)
"""Rows of the array ``known`` about the compared actions: the difference of the win probability after each from that
after the first action (which has the highest score), the variance of that estimate, and the variance of the difference
in a single rollout."""


class Prior(NamedTuple):
    """The network that decides where rollouts are worthwhile; all arrays are float32, weights have (inputs, outputs).

    Attributes:
        scale: factors for the entries of an observation: shape ``(observation_size,)``.
        first, first_bias, second, second_bias: the first two layers, which process the observation.
        action, gap: inputs that are added to the second layer: a row for each action, and three rows for the distance
            of its score from the highest one.
        third, third_bias, last, last_bias: the last two layers; the outputs are the difference of the win probability,
            in units of DIFFERENCE_UNIT, and the logarithms of two variances.
        slope: the win probability per resource card of the score: shape ``(1,)``.
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
    """Read the network from a file that `recipes.odoacer.fit_networks` has written.

    Raises:
        ValueError: if the file is no such network, or was made for another board.
        OSError: if the file cannot be read.
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
    """Add relu(inputs) times the weights to ``outputs``; all float32, shapes ``(n,)``, ``(n, m)`` and ``(m,)``."""
    for i in range(inputs.shape[0]):
        if inputs[i] > 0.0:
            for j in range(outputs.shape[0]):
                outputs[j] += inputs[i] * weights[i, j]


@jitted
def add_observation(seen, prior, second):
    """Add the contribution of an observation, which is the same for all actions, to the inputs of the second layer.

    Args:
        seen: the observation: int16, shape ``(observation_size,)``.
        prior: the network, a `Prior`.
        second: added to: float32, shape ``(second layer,)``.
    """
    hidden = prior.first_bias.copy()
    for i in range(seen.shape[0]):
        if seen[i] != 0:
            entry = np.float32(min(np.int64(seen[i]), np.int64(LARGEST))) * prior.scale[i]
            for j in range(hidden.shape[0]):
                hidden[j] += entry * prior.first[i, j]
    add_layer(hidden, prior.second, second)


@jitted
def write_prior(seen, actions, scores, count, prior, known):
    """Write the network's estimates for the actions, before any rollout.

    Args:
        seen: the observation: int16, shape ``(observation_size,)``.
        actions: the compared actions, the one with the highest score first: int64, shape ``(MOST,)``.
        scores: their scores by `trader`: float64, shape ``(MOST,)``.
        count: the number of actions; the rest of both arrays is unused.
        prior: the network, a `Prior`.
        known: written: the rows DIFFERENCE, VARIANCE and NOISE: float64, shape ``(3, MOST)``.
    """
    common = prior.second_bias.copy()
    add_observation(seen, prior, common)
    for k in range(count):
        gap = max(scores[k] - scores[0], -FARTHEST)
        # Three inputs for the distance of the score: linear, whether it is zero, and exponential.
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
    """Write the actions to compare in the record VIEW, as `StilichoAgent.candidates` selects them, with their scores.

    Args:
        records: records, shape ``(NUM_RECORDS,)``.
        weights: the weights of `trader`: float64.
        actions: written: int64, shape ``(MOST,)``.
        scores: written, in descending order: float64, shape ``(MOST,)``.

    Returns:
        The number of actions.
    """
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
    """Return the mean of max(0, x) for a normal x with mean ``behind`` and standard deviation ``deviation``."""
    if deviation < 1e-9:
        return 0.0
    x = behind / deviation
    density = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return deviation * (density + 0.5 * x * (1.0 + math.erf(x / math.sqrt(2.0))))


@jitted
def plan_rollouts(known, count, rounds, played):
    """Choose the actions whose rollouts have the highest value of information per rollout.

    Args:
        known: the rows DIFFERENCE, VARIANCE and NOISE: float64, shape ``(3, MOST)``.
        count: the number of compared actions.
        rounds: the number of rounds of rollouts so far.
        played: written: True for the chosen actions: bool, shape ``(MOST,)``.

    Returns:
        The number of rounds to play before planning again, and the value of information per rollout. The values of 1,
        2, 4 and 8 rounds are compared, because a small difference shows only after many rounds; at most 2 rounds are
        played at once.
    """
    means, variances, noises = known[DIFFERENCE, :count], known[VARIANCE, :count], known[NOISE, :count]
    best, most, chosen, ahead = means.argmax(), 0.0, 0, 1
    gains, now = np.empty(count), np.zeros(count, np.bool_)
    while ahead <= 8 and rounds + ahead <= MOST_ROUNDS:
        # The variance that ``ahead`` more rounds remove: estimates can still move by its square root.
        less = variances - 1.0 / (1.0 / variances + ahead / noises)
        less[0] = 0.0
        for k in range(count):
            gains[k] = expected_gain(means[k] - means[best], math.sqrt(less[k] + less[best])) if k != best else -1.0
        now[:] = False
        # The first action is always played, because the others are compared with it.
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
    """Choose an action in the record VIEW by selective rollouts.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``; VIEW is the state at the seat's decision, redacted for it.
        seat: the seat to act.
        streams: the search's random stream: int64, shape ``(1, 4)``; advanced.
        words: scratch for chance words: int64, shape ``(NUM_RECORDS, 4)``.
        seen: scratch for an observation: int16, shape ``(1, observation_size)``.
        weights: the weights of `trader`: float64.
        prior: the network, a `Prior`.
        fitted: the `romans_agents.struggle.win_chance.WinChance` that evaluates the ends of rollouts.
        least_worth: the least value of information for which a rollout is played.
        doubt: the number of standard deviations that are subtracted from a difference before actions are compared.

    Returns:
        The action, and the number of rollouts that were played.
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
