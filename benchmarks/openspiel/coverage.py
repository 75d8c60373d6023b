"""How often the 95 % interval of an evaluation holds the exact value.

python -m benchmarks.openspiel.coverage             # 1,000 evaluations of 50 deals of Kuhn poker, and of Leduc poker
"""

from __future__ import annotations

import click
import numpy as np
import pyspiel

from benchmarks.openspiel.tabular import TabularAgent, exact_value, policies
from romans_env.core.games import spec_of
from romans_training.measure.evaluation import evaluate


@click.command()
@click.option("--games", multiple=True, default=("kuhn_poker", "leduc_poker"))
@click.option("--repetitions", type=int, default=1000)
@click.option("--deals", type=int, default=50)
def main(games: tuple[str, ...], repetitions: int, deals: int) -> None:
    """Print the share of the intervals that hold the value, with the bias of their means."""
    for name in games:
        game = pyspiel.load_game(name)
        rules = spec_of(f"openspiel:{name}").make_rules(returns="points")
        chosen = dict(policies(game, 12))
        own, other = chosen["cfr-7"], chosen["random-0"]
        first, second = TabularAgent(own, "own"), TabularAgent(other, "other")
        value = exact_value(game, own, other) / game.max_utility()
        means, held = [], 0
        for k in range(repetitions):
            mean, low, high = evaluate(first, [second], rules, deals, seed=k).mean_return
            means.append(mean)
            held += low <= value <= high
        error = np.std(means) / np.sqrt(repetitions)
        click.echo(
            f"{name}: {100 * held / repetitions:.1f} % of {repetitions:,} intervals hold {value:.4f}; "
            f"the mean of their means is {np.mean(means):.4f} ± {1.96 * error:.4f}"
        )


if __name__ == "__main__":
    main()
