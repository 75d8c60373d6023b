"""Narrower intervals from the same games: control variates over chance and known policies.

AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018, "AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games") adds a term for every event of a game whose probabilities are known: the
expected value over all outcomes, minus the value of the outcome that happened. Such a term, a *control variate*, has
expectation zero whatever value function is used: the expected result is unchanged, and its variance falls by what the
value function explains.

The game defines the events and the features of the value function (`romans_env.core.games.GameSpec.control_variates`).
The weights of the features are chosen to minimise the variance (as in MIVAT: White and Bowling 2009, "Learning a Value
Analysis Tool for Agent Evaluation"). They are fitted by ridge regression on other deals than the ones they correct
(cross-fitting), so they are independent of these, and the estimate is unbiased for any number of deals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from romans_agents import Agent
from romans_agents.batches.game_arrays import Integers
from romans_env.core.games import spec_of
from romans_env.core.parts import ControlVariates
from romans_env.core.protocol import Rules
from romans_training.settings import ConfigError

NONE, AIVAT = "none", "aivat"
METHODS = (NONE, AIVAT)
"""The methods, as values of an option."""
FOLDS = 10
"""Number of folds for cross-fitting: each is corrected by weights fitted to the others."""
FEWEST_DEALS = 4
"""Smallest number of deals to which weights are fitted; results of fewer deals are not corrected."""
LEAST_DEALS = 10
"""A variate that is nonzero in fewer deals gets no weight, because its scale is uncertain."""
CLEAR = 10
"""A combination of variates gets a weight only if its standard deviation exceeds its errors by this factor."""
LARGEST_PART = 0.25
"""Largest number of degrees of freedom of a fit per deal; cross-validation fails if a fit takes nearly all."""
_PENALTIES = np.append(np.logspace(-4, 4, 17), np.inf)
_ROUNDING = 1e-9
Floats = npt.NDArray[np.float64]


class VarianceReductionError(ConfigError):
    """The variance reduction does not exist, or not for this game."""


def check_method(method: str, game: str) -> None:
    """Check that a method exists for a game.

    Raises:
        VarianceReductionError: if it does not; the message says which methods do.
    """
    if method not in METHODS:
        raise VarianceReductionError(f"there is no variance reduction {method!r}; there are {', '.join(METHODS)}")
    if method != NONE and spec_of(game).control_variates is None:
        raise VarianceReductionError(f"{game} has no control variates for {method}: give {NONE}")


def variates_of(
    method: str, rules: Rules, players: Sequence[Sequence[Agent]], seed: int | np.random.SeedSequence, words: Integers
) -> ControlVariates | None:
    """Return the object that computes the control variates of games; None for the method ``none``.

    Args:
        method: one of `METHODS`.
        rules: the rules of the game.
        players: for every game the agent of each seat.
        seed: seed of the samples that are drawn for the variates.
        words: random streams of the games' chance: int64, shape ``(games, 4)``.

    Raises:
        VarianceReductionError: if the game has no control variates.
    """
    check_method(method, rules.name)
    if method == NONE:
        return None
    variates_of_game = spec_of(rules.name).part("control_variates")
    assert variates_of_game is not None
    return variates_of_game(rules, players, seed, words)


def reduced(values: Floats, variates: Floats, groups: Integers | None = None, error: float = 0.0) -> Floats:
    """Correct the results of deals by their control variates.

    Args:
        values: the results: float64, shape ``(deals,)``.
        variates: the control variates, with expectation zero: float64, shape ``(deals, variates)``.
        groups: the group of each deal, int64, shape ``(deals,)``. Groups, such as the opponents, may differ in their
            mean result, but share the weights. None: all deals are one group.
        error: largest error of a variate, such as a rounding error. A variate that varies hardly more than this gets no
            weight, because a few errors that happen to correlate with the results would seem to explain them.

    Returns:
        The results minus the part that the variates explain: float64, shape ``(deals,)``.
    """
    num_deals = len(values)
    corrected = np.array(values, dtype=np.float64)
    if num_deals < FEWEST_DEALS:
        return corrected
    number = np.zeros(num_deals, dtype=np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]
    fold = np.arange(num_deals) % min(FOLDS, num_deals)
    for k in range(fold.max() + 1):
        rest = fold != k
        corrected[fold == k] -= variates[fold == k] @ _weights(values[rest], variates[rest], number[rest], error)
    return corrected


def _weights(values: Floats, variates: Floats, groups: Integers, error: float) -> Floats:
    """Return ridge regression weights, whose penalty minimises generalised cross-validation (Golub et al. 1979).

    With the largest penalty, which is infinite, all weights are zero.
    """
    deviations, centred = _within(variates, groups), _within(values, groups)
    scale, least = deviations.std(axis=0), max(CLEAR * error, _ROUNDING)
    varies = (scale > least) & ((np.abs(variates) > max(error, _ROUNDING)).sum(axis=0) >= LEAST_DEALS)
    left, sizes, right = np.linalg.svd(deviations[:, varies] / scale[varies], full_matrices=False)
    # If two variates are nearly equal, their difference consists of errors; such directions are dropped.
    clear = sizes > least * np.sqrt(len(values)) * np.linalg.norm(right / scale[varies], axis=1)
    left, sizes, right = left[:, clear], sizes[clear], right[clear]
    freedom = len(values) - len(np.unique(groups))
    along = left.T @ centred
    best, weights = np.inf, np.zeros(variates.shape[1])
    for penalty in _PENALTIES * len(values):
        shrunk = sizes**2 / (sizes**2 + penalty)
        rest = float((centred**2).sum() - ((2 * shrunk - shrunk**2) * along**2).sum())
        score = rest / max(freedom - shrunk.sum(), _ROUNDING) ** 2
        if shrunk.sum() <= LARGEST_PART * len(values) and score < best:
            best = score
            weights[varies] = right.T @ (sizes / (sizes**2 + penalty) * along) / scale[varies]
    return weights


def _within(columns: Floats, groups: Integers) -> Floats:
    """Return deviations from the means of groups."""
    belongs = (groups == np.unique(groups)[:, None]).astype(np.float64)
    return np.asarray(columns - belongs.T @ ((belongs @ columns).T / belongs.sum(axis=1)).T)
