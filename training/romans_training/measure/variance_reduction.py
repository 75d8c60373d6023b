"""Narrower intervals from the same games: control variates over chance and known policies.

AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018, "AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games") adds, for every event of a game whose probabilities are known, the expected
value over what might have happened less the value of what did. Such a term, a *control variate*, has the expectation
zero whatever the value is worth: the mean of a result stays, and its variance falls with what the value explains.

The game names the events and the features of the value (`romans_env.core.games.GameSpec.control_variates`). The weights
of the features are those that leave the least variance (as in MIVAT: White and Bowling 2009, "Learning a Value Analysis
Tool for Agent Evaluation"). They are fitted by ridge regression to other deals than those that they correct
(cross-fitting), so that they depend on nothing of these, and the estimate is unbiased for any number of deals.
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
"""The values of an option."""
FOLDS = 10
"""Parts of the deals; each is corrected by what is fitted to the others."""
FEWEST_DEALS = 4
"""Of fewer deals nothing is fitted, and they stay as they are."""
LEAST_DEALS = 10
"""A variate that differs from zero in fewer deals has no weight: its scale could not be known."""
CLEAR = 10
"""A combination of variates has a weight where its standard deviation is larger than its errors by this factor."""
LARGEST_PART = 0.25
"""The most degrees of freedom of a fit, as a part of the deals: cross-validation fails where a fit takes nearly all."""
_PENALTIES = np.append(np.logspace(-4, 4, 17), np.inf)
_ROUNDING = 1e-9
Floats = npt.NDArray[np.float64]


class VarianceReductionError(ConfigError):
    """The variance reduction is unknown."""


def check_method(method: str, game: str) -> None:
    """Check that there is a method for a game.

    Raises:
        VarianceReductionError: there is none; the message says what there is.
    """
    if method not in METHODS:
        raise VarianceReductionError(f"there is no variance reduction {method!r}; there are {', '.join(METHODS)}")
    if method != NONE and spec_of(game).control_variates is None:
        raise VarianceReductionError(f"{game} has no control variates for {method}: give {NONE}")


def variates_of(
    method: str, rules: Rules, players: Sequence[Sequence[Agent]], seed: int | np.random.SeedSequence, words: Integers
) -> ControlVariates | None:
    """Return what computes the control variates of games; None for the method ``none``.

    Args:
        method: one of METHODS.
        rules: the rules of the game.
        players: the agent of each seat, for every game.
        seed: the seed of what is drawn.
        words: the chance words of the games: int64, shape (games, 4).

    Raises:
        VarianceReductionError: a game without control variates.
    """
    check_method(method, rules.name)
    if method == NONE:
        return None
    variates_of_game = spec_of(rules.name).part("control_variates")
    assert variates_of_game is not None
    return variates_of_game(rules, players, seed, words)


def reduced(values: Floats, variates: Floats, groups: Integers | None = None, error: float = 0.0) -> Floats:
    """Return results of deals, less what their control variates explain: float64, shape (deals,).

    Args:
        values: the results: float64, shape (deals,).
        variates: the control variates, of expectation zero: float64, shape (deals, variates).
        groups: of deals whose results may differ in the mean, such as those against an opponent, and have the same
            weights: int64, shape (deals,); None: all are one group.
        error: the largest error of a variate, such as that of rounded ones. What varies hardly more than its errors has
            no weight: a few errors that go with the results would explain them all.
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
    """Return the weights of a ridge regression whose penalty generalised cross-validation chooses (Golub et al. 1979).

    With the largest penalty, they are zero.
    """
    deviations, centred = _within(variates, groups), _within(values, groups)
    scale, least = deviations.std(axis=0), max(CLEAR * error, _ROUNDING)
    varies = (scale > least) & ((np.abs(variates) > max(error, _ROUNDING)).sum(axis=0) >= LEAST_DEALS)
    left, sizes, right = np.linalg.svd(deviations[:, varies] / scale[varies], full_matrices=False)
    # Variates that are nearly the same vary together; what is left of them in their differences is errors.
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
