"""What responses win beside the exact best response, for policies of every strength.

    python -m benchmarks.openspiel.responses                       # Kuhn and Leduc poker, 20 policies each, by search
    python -m benchmarks.openspiel.responses --by learning --policies 6 --steps 300000

A response may fall short of the exact value. Above it, by more than its interval, it may not be.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pyspiel
import torch

from benchmarks.openspiel.tabular import TabularAgent, exact_response, exact_value, policies, tabular
from romans_agents.openspiel.responder import OpenSpielResponder
from romans_env.core.files import write_text
from romans_env.core.games import spec_of
from romans_training import exploit

FILE = Path(__file__).with_suffix(".json")
GAMES = ("kuhn_poker", "leduc_poker")


@click.command()
@click.option("--games", multiple=True, default=GAMES)
@click.option("--policies", "number", type=int, default=20)
@click.option("--by", type=click.Choice(["search", "learning"]), default="search")
@click.option("--effort", type=click.Choice(["full", "light"]), default="full")
@click.option("--deals", type=int, default=200, help="Deals of a report, each played from both seats.")
@click.option("--steps", type=int, default=300_000, help="Decisions of the response by learning.")
@click.option("--out", type=click.Path(path_type=Path), default=FILE)
def main(games: tuple[str, ...], number: int, by: str, effort: str, deals: int, steps: int, out: Path) -> None:
    """Measure what is not in the file yet, in OpenSpiel's returns, the mean over both seats."""
    torch.set_num_threads(1)
    rows: list[dict[str, Any]] = json.loads(out.read_text(encoding="utf-8")) if out.exists() else []
    kind = f"search, {effort}" if by == "search" else f"learning, {steps:,} decisions"
    for name in games:
        game = pyspiel.load_game(name)
        rules, largest = spec_of(f"openspiel:{name}").make_rules(returns="points"), game.max_utility()
        for label, table in policies(game, number):
            if any((row["game"], row["policy"], row["by"]) == (name, label, kind) for row in rows):
                continue
            agent = TabularAgent(table, label)
            if by == "search":
                found = exploit(agent, rules, "search", search_deals=deals, effort=effort)
                response = OpenSpielResponder(agent, rules, effort)
            else:
                settings = {"num_envs": 64, "minibatch_size": 512, "hidden_layers": (64, 64), "threads": 1}
                found = exploit(
                    agent,
                    rules,
                    "learning",
                    deals=deals,
                    steps=steps,
                    minutes=None,
                    evaluate_every=steps // 10,
                    evaluation_deals=deals,
                    **settings,
                )
                response = None
            mean, low, high = (largest * one for one in found.bound.mean_return)
            row = {
                "game": name,
                "policy": label,
                "by": kind,
                "exact": exact_response(game, table),
                "mean": mean,
                "low": low,
                "high": high,
                "deals": deals,
            }
            if response is not None:
                row["value"] = exact_value(game, tabular(game, response, rules), table)
            rows.append(row)
            write_text(out, json.dumps(rows, indent=1) + "\n")
            shown = f"{name}, {label}, by {kind}: {mean:.3f} [{low:.3f}, {high:.3f}], exactly {row['exact']:.3f}"
            click.echo(shown + (f"; the response is worth {row['value']:.3f}" if "value" in row else ""))


if __name__ == "__main__":
    main()
