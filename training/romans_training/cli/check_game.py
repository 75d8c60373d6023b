"""``romans check-game``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import numpy as np

from romans_env import Game, save_record
from romans_env.core.batch import Batch
from romans_env.core.files import check_writable, in_file_names
from romans_env.core.games import spec_of
from romans_env.core.protocol import Rules
from romans_env.testing import Finding, check_game
from romans_env.testing.game_check import CHECKS
from romans_env.testing.moment import played_on
from romans_training.cli.options import PATH, GameType, extra_options, number_option, setup_of
from romans_training.progress_bars import ProgressBars, compiling_shown
from romans_training.reporting import say

SECONDS = 0.3
"""Seconds for which each of the two speeds is measured."""


@click.command(name="check-game")
@click.argument("game", type=GameType(), is_eager=True)
@extra_options
@number_option(
    "--games",
    "Number of games to play at random, with seeds 0, 1 and so on.  [default: 20, or fewer if 10 seconds have passed]",
    least=1,
)
@click.option(
    "--folder",
    type=PATH,
    default=Path("check-game"),
    help="Folder for the records of games in which a mistake was found, each up to that point; created only if needed.",
)
@click.pass_context
def command(ctx: click.Context, /, game: str, games: int | None, folder: Path, settings: Any, **setup: Any) -> None:
    """Check a game of your own, FILE.py:SPEC, and print a line for each mistake.

    The checks cover legal actions, endings, observations and their bounds, returns, chance, copies, pickles, records,
    hidden information (views, determinizations, leaks), agreement of the step functions with the rules, and the
    PettingZoo and Gymnasium environments. The exit status is 1 if a mistake was found. The same check in pytest:
    assert romans_env.testing.check_game(SPEC) == []
    """
    spec, chosen = spec_of(game), setup_of(ctx, None).as_json() if settings or any(setup.values()) else {}
    hidden: set[str] = set()
    often: dict[str, Any] = {} if games is None else {"seeds": range(games), "seconds": np.inf}
    check_writable(folder / "record.json")
    with ProgressBars("checks") as progress:
        task = progress.add_task("check", total=None, count=spec.title)
        with compiling_shown(progress, task):
            findings = check_game(
                spec, [chosen], on_check=lambda name: progress.update(task, description=name), hidden=hidden, **often
            )
    for finding in findings:
        click.echo(str(finding) + _saved(finding, folder, game))
    if findings:
        say(f"{len(findings)} of {len(CHECKS)} checks found something")
        ctx.exit(1)
    rules = spec.make_rules(**chosen)
    single, batch = _speeds(rules)
    say(
        f"{spec.title} ({rules.setup}) passes {len(CHECKS)} checks. Random play makes {single:,.0f} decisions a "
        f"second in a Game, {batch:,.0f} in a batch."
    )
    fields = f"these fields of the state from some seat: {', '.join(sorted(hidden))}" if hidden else "nothing"
    say(f"The game hides {fields}. Is that all that the rules hide?")


def _saved(finding: Finding, folder: Path, game: str) -> str:
    """Write the record of a finding and return the words that name its file; "" if the finding has no record."""
    if finding.record is None:
        return ""
    path = folder / f"{in_file_names(game)}-{finding.check.replace(' ', '-')}.json"
    save_record(finding.record, path)
    return f"; record: {path}"


def _speeds(rules: Rules) -> tuple[float, float]:
    """Return the number of random decisions per second, in a single `Game` and in a batch."""
    made, begin = 0, time.perf_counter()
    while (seconds := time.perf_counter() - begin) < SECONDS:
        made += len(played_on(Game(rules, seed=made), made).actions)
    single = made / seconds
    batch = Batch(rules, 64)
    batch.start(seed=0)
    batch.step_randomly()
    steps, begin = 0, time.perf_counter()
    while (seconds := time.perf_counter() - begin) < SECONDS:
        batch.step_randomly()
        steps += 1
    return single, float(np.round(64 * steps / seconds))
