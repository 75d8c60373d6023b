"""The exploitability of policies on the small table: `docs/measuring/small_table.md`.

    python -m benchmarks.small_table                          # agents, CFR and CFR+
    python -m benchmarks.small_table --iterations 10,100 --agent runs/mine/policy.npz
    python -m benchmarks.small_table --agent round-response:iterations=10000 --samples 200

Prints a Markdown table, line by line. Exploitability is computed by OpenSpiel (NashConv / 2): the mean return of a best
response over both seats, in returns from -1 to 1; 0 in an equilibrium. The next column is the return of the response of
``romans exploit --by search``. It is exact, too, so it shows how much of the exploitability that response finds.
"""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.progress import track

import romans_agents
from romans_agents import Agent
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel
from romans_agents.romans_go_home.rounds.responder import BestResponder
from romans_env import RomansGoHome, Table
from romans_env.envs.open_spiel_game import open_spiel_game, policy_of, tabular_policy
from romans_env.romans_go_home.setup import SMALL_TABLE
from romans_training.cli.options import SpecsType


def known_policy(game: Any, agent: Agent, samples: int | None = None, table: Table = SMALL_TABLE) -> Any:
    """Return an agent as an OpenSpiel ``TabularPolicy``, with the probabilities that a response by search assumes.

    Args:
        game: the OpenSpiel game of a small table.
        agent: the agent.
        samples: as for `OpponentModel`.
        table: the setup of the game.
    """
    rival = OpponentModel(agent, RomansGoHome(table), samples)
    return policy_of(game, lambda state: rival.probabilities(state.moment.states)[0])


def found_by_search(game: Any, agent: Agent, known: Any) -> float:
    """Return the exact mean return, over both seats, of the response by search to an agent."""
    from open_spiel.python.algorithms import expected_game_score

    response = tabular_policy(game, BestResponder(agent, RomansGoHome(SMALL_TABLE)))
    root = game.new_initial_state()
    line_ups = [response, known], [known, response]
    return sum(expected_game_score.policy_value(root, pair)[seat] for seat, pair in enumerate(line_ups)) / 2


@click.command()
@click.option(
    "--agent",
    "texts",
    multiple=True,
    default=["random", "greedy", "mixer", "legate"],
    show_default=True,
    help="Agent spec to evaluate.",
)
@click.option(
    "--iterations", type=SpecsType(), default="10,100,1000", show_default=True, help="Iterations of CFR and CFR+."
)
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    help="Plans sampled from each hand of an agent that plans at random but has no action probabilities; with fewer "
    "samples it seems more exploitable.  [default: 48; 4 for a search]",
)
def main(texts: tuple[str, ...], iterations: tuple[str, ...], samples: int | None) -> None:
    """Print the exploitability of agents, CFR and CFR+ on the small table."""
    from open_spiel.python.algorithms import cfr, exploitability

    game = open_spiel_game(SMALL_TABLE)

    def show(name: str, policy: Any, found: str = "") -> None:
        print(f"| {name} | {exploitability.nash_conv(game, policy) / 2:.5f} | {found} |", flush=True)

    print("| policy | exploitability | by search |\n|---|---:|---:|")
    for text in texts:
        agent = romans_agents.make(text)
        known = known_policy(game, agent, samples)
        show(f"`{text}`", known, f"{found_by_search(game, agent, known):.5f}")
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
