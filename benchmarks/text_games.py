"""Scores of agents that play through the texts and tools of language models: whole games in a text environment.

    python -m benchmarks.text_games                                   # prints a table
    python -m benchmarks.text_games --page docs/agents/language_models.md    # writes it into the page

The agents choose from their views and do not read the texts; only their answers go through the tools. Random players
also give one invalid action name in ten answers: it must be refused with a reason, and the game must continue.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

import romans_agents
from benchmarks.pages import write_generated
from romans_agents.external.text_env import TextEnv, make_text_env, tasks
from romans_env.core.games import spec_of
from romans_training.measure.intervals import Estimate, mean_of_clusters
from romans_training.reporting import in_percent

PLAYERS = {
    "romans-go-home": ("random", "greedy", "plan-mc:seconds=0.1"),
    "roma": ("random", "forum-runner", "flat-mc:seconds=0.1"),
    "struggle": ("random", "trader", "flat-mc:seconds=0.1"),
}


def played(env: TextEnv, player: romans_agents.Agent, seed: int, seat: int, wrong: float) -> tuple[float, int, int]:
    """Play a game; return the win share, the number of tool calls and the number of characters in the texts.

    Args:
        env: the environment.
        player: the agent that plays.
        seed: seed of the game.
        seat: the player's seat.
        wrong: the share of answers that are invalid, from 0 to 1.
    """
    rng = np.random.default_rng([seed, seat])
    player.seed(seed)
    letters, calls = len(env.reset(seed=seed, seat=seat)), 0
    while not env.is_over:
        game = env.game
        name = game.action_name(player.act(game.view(seat))) if rng.random() >= wrong else f"fly:{rng.integers(9)}"
        before = env.num_refused
        text = env.choose(name)
        if name not in game.rules.action_names:
            assert env.num_refused == before + 1 and all(legal in text for legal in env.legal_actions), text
        letters, calls = letters + len(text), calls + 1
    winners = env.game.winners()
    return (env.game.players[seat] in winners) / len(winners), calls, letters


@click.command()
@click.option("--deals", default=100, show_default=True, help="Deals per row, each played from every seat.")
@click.option("--slow-deals", default=20, show_default=True, help="Deals per row for searches.")
@click.option("--game", "games", type=click.Choice(list(PLAYERS)), multiple=True, default=list(PLAYERS))
@click.option("--page", type=click.Path(path_type=Path), help="Write the table into this page.")
def main(deals: int, slow_deals: int, games: tuple[str, ...], page: Path | None) -> None:
    """Play games, and print a table of the scores."""
    lines = [
        "| game | player | against | games | wins % | calls per game | characters per call |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for game in games:
        env, against = make_text_env(game), spec_of(game).default_opponent
        num_players = env.num_players
        for spec in PLAYERS[game]:
            player = romans_agents.make(spec, game=game)
            count = slow_deals if player.searches else deals
            wrong = 0.1 if spec == "random" else 0.0
            found = [
                played(env, player, task["seed"], task["seat"], wrong)
                for task in tasks(game, count, first_seed=1000, num_players=num_players)
            ]
            shares, calls, letters = np.array(found).T
            wins = in_percent(Estimate(*np.clip(mean_of_clusters(shares.reshape(count, num_players)), 0, 1).tolist()))
            row = f"{spec_of(game).title} | `{spec}` | `{against}` | {len(found)} | {wins}"
            lines.append(f"| {row} | {calls.mean():.0f} | {letters.sum() / (calls + 1).sum():.0f} |")
            click.echo(lines[-1])
    if page is not None:
        write_generated(page, "benchmarks.text_games", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
