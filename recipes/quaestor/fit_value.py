"""Fits the weights of `romans_agents.roma.value`: ``python -m recipes.quaestor.fit_value``.

The scripted agents play each other in every pairing, with one random decision in twenty so that positions differ. One
in four positions at the start of a turn is kept, with the return of its seat at the end. A logistic regression of the
return, as a share of the win, on the features is fitted by Newton's method with an L2 penalty. Since
``tanh(x) = 2 sigmoid(2 x) - 1``, the weights are half of its coefficients.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from recipes.quaestor.positions import sample_positions
from romans_agents.loops.codes import FIRST_OWN
from romans_agents.roma import value_weights
from romans_agents.roma.styles import DENIER, FORUM_RUNNER, RAIDER
from romans_agents.roma.value import FEATURES, NUM_FEATURES
from romans_env.core.files import write_text
from romans_env.engine.random_stream import WORDS, streams_from_seeds
from romans_env.roma.state import new_states

Floats = npt.NDArray[np.float64]

ERRS, ONE_IN, POSITIONS_OF_A_GAME = 20, 4, 12
PENALTY = 10.0
"""Weight of the L2 penalty, relative to the sum over all positions."""
_STEPS = 20

_HEAD = '''"""Weights of the features of `romans_agents.roma.value`, written by `recipes.quaestor.fit_value`."""

from __future__ import annotations

import numpy as np

WEIGHTS = np.array(
    [
'''


def positions(num_games: int, seed: int) -> tuple[Floats, Floats]:
    """Return features, float64, shape ``(n, NUM_FEATURES)``, and returns, float64, shape ``(n,)``, of positions."""
    chance = np.random.SeedSequence(seed)
    deal_streams, streams = (streams_from_seeds(own.spawn(num_games)) for own in chance.spawn(2))
    codes = FIRST_OWN + np.array([FORUM_RUNNER, RAIDER, DENIER])
    controllers = codes[np.arange(2 * num_games).reshape(num_games, 2) // [1, 3] % 3].astype(np.int8)
    features = np.empty((num_games * POSITIONS_OF_A_GAME, NUM_FEATURES))
    returns = np.empty(len(features))
    words = np.empty((num_games, WORDS), dtype=np.int64)
    states = new_states(num_games)
    count = sample_positions(states, controllers, deal_streams, streams, words, ERRS, ONE_IN, features, returns)
    return features[:count], returns[:count]


def fit(features: Floats, returns: Floats, penalty: float = PENALTY) -> Floats:
    """Return the weights of the logistic regression: float64, shape ``(NUM_FEATURES,)``."""
    shares = (1.0 + returns) / 2.0
    weights = np.zeros(features.shape[1])
    for _ in range(_STEPS):
        found = sigmoid(features @ weights)
        gradient = features.T @ (found - shares) + penalty * weights
        curvature = (features * (found * (1.0 - found))[:, None]).T @ features + penalty * np.eye(len(weights))
        weights -= np.linalg.solve(curvature, gradient)
    return weights / 2.0


def sigmoid(x: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-x))


def cross_entropy(weights: Floats, features: Floats, returns: Floats) -> float:
    """Return the mean cross entropy, in nats, of the shares of the win that the weights predict."""
    shares, found = (1.0 + returns) / 2.0, np.clip(sigmoid(2.0 * features @ weights), 1e-12, 1 - 1e-12)
    return float(-np.mean(shares * np.log(found) + (1.0 - shares) * np.log(1.0 - found)))


def source_of(weights: Floats) -> str:
    """Return the source of the module with the weights."""
    lines = [f"        {weight:.3f},  # {name}\n" for name, weight in zip(FEATURES, weights, strict=True)]
    return _HEAD + "".join(lines) + "    ]\n)\n"


@click.command()
@click.option("--games", type=click.IntRange(min=100), default=60000, show_default=True, help="Number of games.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=Path(value_weights.__file__),
    show_default=False,
    help="The module to write.  [default: the package's]",
)
def main(games: int, seed: int, output: Path) -> None:
    """Fit the weights, print how well they predict other games, and write them to a Python module."""
    weights = fit(*positions(games, seed))
    features, returns = positions(max(100, games // 10), seed + 1)
    for name, one in (("fitted", weights), ("in use", value_weights.WEIGHTS), ("zero", np.zeros(NUM_FEATURES))):
        click.echo(f"{name}: cross entropy {cross_entropy(one, features, returns):.4f} of {len(returns)} positions")
    write_text(output, source_of(weights))


if __name__ == "__main__":
    main()
