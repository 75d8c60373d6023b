"""``romans evaluate``."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from itertools import chain, product
from pathlib import Path
from typing import Any

import click

import romans_agents
from romans_agents.warm_up import warm_up
from romans_env.core.files import atomic_write, check_writable, write_text
from romans_env.core.games import spec_of
from romans_env.core.records import Record
from romans_training.cli import options
from romans_training.data.record_files import LINES, write_line
from romans_training.measure.evaluation import Evaluation, ReducedEstimates, evaluate
from romans_training.measure.variance_reduction import check_method
from romans_training.progress_bars import ProgressBars, compiling_shown, games_counter
from romans_training.reporting import (
    NO_OPPONENT,
    in_percent,
    lost_in_words,
    print_table,
    say,
    width_remark,
    with_interval,
)


def _usual_opponents(game: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(("random", spec_of(game).default_opponent)))


@click.command(name="evaluate")
@click.argument("agent")
@options.game_option
@click.option(
    "--against",
    type=options.SpecsType(),
    help="Opponents; each gets a row in the results and takes all other seats. A+B puts A and B into the same game.  "
    "[default: random and the game's default opponent]",
)
@click.option(
    "--table",
    "tables",
    type=options.TableType(),
    multiple=True,
    help=f"Setup of the game; may be repeated.  {options.TABLE_HELP}",
)
@options.extra_options
@options.deals_option(1000, "Number of deals, each played from every seat.")
@options.seed_option
@options.json_option("results")
@options.variance_reduction_option
@options.file_option(
    "--records",
    "Also write the records of all games to this file (.jsonl), one per line; the agents then take longer.",
    "records_file",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    agent: str,
    game: str,
    against: tuple[str, ...] | None,
    tables: tuple[str, ...],
    deals: int,
    seed: int,
    json_file: Path | None,
    variance_reduction: str,
    records_file: Path | None,
    **_setup: Any,
) -> None:
    """Measure AGENT on duplicate deals: every deal is played once from every seat.

    AGENT and opponents are specs: random, greedy, the path of a policy file (.npz), a class in a file of your own
    (my_bot.py:MyBot), or name:option=value. Rates and points come with 95 % confidence intervals, clustered by deal.
    """
    check_method(variance_reduction, game)
    if json_file is not None:
        check_writable(json_file)
    rivals = against or _usual_opponents(game)
    matches = []
    for name, line_up in product(tables or (None,), rivals):
        table = options.setup_of(ctx, name)
        if table.num_players == 1 and line_up != rivals[0]:
            continue
        matches.append((table, options.one_for_each(tuple(line_up.split("+")), table.num_players - 1, "--against")))
    player = romans_agents.make(agent, game=game)
    # Compile before the first progress bar starts.
    warm_up(matches[0][0], list(dict.fromkeys([agent, *chain(*(specs for _, specs in matches))])), ["matches"])
    results = []
    with _records_written(records_file) as on_record, ProgressBars() as progress:
        for table, specs in matches:
            name = f"{table} against {'+'.join(specs) or NO_OPPONENT}"
            task = progress.add_task(name, total=deals * table.num_players)
            others = [romans_agents.make(spec, game=game) for spec in specs]
            with compiling_shown(progress, task):
                counter = games_counter(progress, task)
                results.append(evaluate(player, others, table, deals, seed, counter, on_record, variance_reduction))
    print_results(agent, results)
    if json_file is not None:
        write_text(json_file, json.dumps([result.as_json() for result in results], indent=2) + "\n")


@contextlib.contextmanager
def _records_written(path: Path | None) -> Iterator[Callable[[Record], object] | None]:
    """Yield a function that writes a record to a file, or None without a path; the file appears once complete."""
    if path is None:
        yield None
        return
    if path.suffix != LINES:
        raise click.BadParameter(f"a file of many records ends in {LINES}, not {path.name!r}", param_hint="--records")
    with atomic_write(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        yield lambda record: write_line(file, record)


def print_results(agent: str, results: list[Evaluation]) -> None:
    """Print the results as a Markdown table, with a column for draws if there were any."""
    games = sorted({result.num_games for result in results})
    number = f"{games[0]:,} games" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,} games a row"
    say(f"{agent}, {number}, with 95 % intervals")
    columns: dict[str, Callable[[Evaluation], str]] = {"win rate %": lambda result: in_percent(result.win_rate)}
    if any(result.draw_rate.mean for result in results):
        columns["draw rate %"] = lambda result: in_percent(result.draw_rate)
    columns["mean points"] = lambda result: with_interval(result.mean_points)
    is_reduced = all(result.reduced is not None for result in results)
    if is_reduced:
        columns["win rate %, AIVAT"] = lambda result: in_percent(_reduced(result).win_rate)
        columns["mean points, AIVAT"] = lambda result: with_interval(_reduced(result).mean_points)
    if len(games) > 1:
        columns["games"] = lambda result: f"{result.num_games:,}"
    rows = [
        [result.setup, _against(result) or NO_OPPONENT, *(figure(result) for figure in columns.values())]
        for result in results
    ]
    # The estimates with reduced variance are the better ones, so a narrow terminal drops the plain ones first.
    plain = ("mean points", "draw rate %", "win rate %") if is_reduced else ("mean points",)
    print_table(("table", "against"), tuple(columns), rows, drop=("games", *plain))
    for result in results:
        for lost in result.lost:
            say(lost_in_words(lost.agent, lost.kind, lost.games, result.num_games, lost.message))
    if is_reduced:
        say(width_remark([(_reduced(result).mean_return, result.mean_return) for result in results], "return"))


def _reduced(result: Evaluation) -> ReducedEstimates:
    assert result.reduced is not None
    return result.reduced


def _against(result: Evaluation) -> str:
    opponents = result.opponents
    if len(set(opponents)) == 1:
        return opponents[0] if len(opponents) == 1 else f"{len(opponents)} x {opponents[0]}"
    return "+".join(opponents)
