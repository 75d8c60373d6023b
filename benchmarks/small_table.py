"""How exploitable policies are on the small table: `docs/small_table.md`.

    python -m benchmarks.small_table                          # uniform, greedy, CFR and CFR+
    python -m benchmarks.small_table --iterations 10,100 --agent runs/mine/policy.npz

Prints a Markdown table, a line as soon as it is known. Exploitability is OpenSpiel's: what the best response wins in
the mean of both seats, in returns from -1 to 1 (NashConv / 2); 0 in an equilibrium.
"""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.progress import track

import romans_agents
from romans_env.envs.open_spiel_game import open_spiel_game, tabular_policy
from romans_env.romans_go_home.table import SMALL_TABLE
from romans_training.cli.options import SpecsType


@click.command()
@click.option(
    "--agent", "texts", multiple=True, default=["random", "greedy"], show_default=True, help="Agent spec to evaluate."
)
@click.option(
    "--iterations", type=SpecsType(), default="10,100,1000", show_default=True, help="Iterations of CFR and CFR+."
)
def main(texts: tuple[str, ...], iterations: tuple[str, ...]) -> None:
    """Print how exploitable agents, CFR and CFR+ are on the small table."""
    from open_spiel.python.algorithms import cfr, exploitability

    game = open_spiel_game(SMALL_TABLE)

    def show(name: str, policy: Any) -> None:
        print(f"| {name} | {exploitability.nash_conv(game, policy) / 2:.5f} |", flush=True)

    print("| policy | exploitability |\n|---|---:|")
    for text in texts:
        show(f"`{text}`", tabular_policy(game, romans_agents.make(text)))
    for name, solver in (("CFR", cfr.CFRSolver(game)), ("CFR+", cfr.CFRPlusSolver(game))):
        done = 0
        for target in sorted(map(int, iterations)):
            rounds = range(done, target)
            for _ in track(rounds, f"{name} to {target}", console=Console(stderr=True), transient=True):
                solver.evaluate_and_update_policy()
            done = target
            show(f"{name}, {target} iterations", solver.average_policy())


if __name__ == "__main__":
    main()
