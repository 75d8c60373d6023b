"""``romans benchmark``."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from romans_env.core.files import check_writable, write_text
from romans_training.cli.interrupts import stopped_and_kept
from romans_training.cli.options import (
    PATH,
    file_option,
    flags_given,
    game_option,
    is_given,
    json_option,
    number_option,
)
from romans_training.compare.leaderboard.benchmark import FOLDER, default_folder, num_deals, protocol_steps
from romans_training.compare.leaderboard.protocols import BenchmarkError
from romans_training.compare.leaderboard.rating import in_points
from romans_training.compare.leaderboard.report import (
    how_to_send_in,
    print_exploitability,
    print_result,
    print_verified,
)
from romans_training.compare.leaderboard.run import BenchmarkProgress, benchmark_steps
from romans_training.compare.leaderboard.verify import verify_steps
from romans_training.progress_bars import followed

_PLAYED = ("game", "name", "former_name", "quick", "deals", "ray", "folder", "json_file")
"""Options that apply only to playing games, not to ``--verify``."""


def _say_the_new_name(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None:
        click.echo("--level and --protocol are now called --track", err=True)
    return value


@click.command(name="benchmark")
@click.argument("agent", required=False)
@game_option
@click.option(
    "--track",
    "name",
    metavar="NAME",
    help="Benchmark track: tiny, duel or table (Romans Go Home!), roma or struggle; a track's full name also works.  "
    "[default: the game's first track]",
)
@click.option("--level", "--protocol", "former_name", callback=_say_the_new_name, hidden=True)
@click.option("--quick", is_flag=True, help="Play for a few minutes only, which gives a wider interval.")
@click.option(
    "--deals",
    type=click.IntRange(min=2),
    help="Number of deals against each opponent, for an agent that takes seconds per decision: 6 deals make about a "
    "hundred games in all. A later run may ask for more.",
)
@number_option("--jobs", "Number of processes.  [default: one per core]")
@click.option(
    "--ray",
    metavar="ADDRESS",
    help="Address of a Ray cluster that plays the games; 'local' starts one on this machine.",
)
@click.option(
    "--folder",
    type=PATH,
    help="Folder for the results; games that it already holds are not played again.  "
    "[default: a folder in runs/benchmark/ named after the agent and the track]",
)
@json_option("result")
@file_option(
    "--verify",
    "Check the result in this file instead: recompute it from the games in the file, and play a random sample of them "
    "again.",
    "file",
)
@click.option(
    "--part",
    type=click.FloatRange(min=0, max=1, min_open=True),
    help="Share of the games that --verify plays again.  [default: enough that a file with 1 % of its games forged "
    "passes at most once in 100 checks]",
)
@file_option(
    "--deals-from",
    "File with the seed of the held-out deals, to play or check instead of the published deals.",
    "deals_from",
)
@click.option(
    "--allow-code",
    is_flag=True,
    help="Let --verify run the Python file, program or server that the result names as its agent. It runs with your "
    "rights, so use this only if you trust it.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    agent: str | None,
    game: str,
    name: str | None,
    former_name: str | None,
    quick: bool,
    deals: int | None,
    jobs: int | None,
    ray: str | None,
    folder: Path | None,
    json_file: Path | None,
    file: Path | None,
    part: float | None,
    deals_from: Path | None,
    allow_code: bool,
) -> None:
    """Rate AGENT with one number, on a scale set by fixed opponents.

    AGENT is a spec: random, greedy, the path of a policy file (.npz), a class in a file of your own
    (my_bot.py:MyBot), or name:option=value. Every agent plays against the same opponents, every deal from every seat.
    On the scale, random has 0 and one opponent, on most tracks the game's default opponent, has 1000. A game without a
    track, such as one of your own, gets its own scale: random and small searches play each other first.

    The same command continues a benchmark that was stopped.
    """
    name = name or former_name
    jobs = jobs or os.cpu_count() or 1
    if file is not None:
        if agent is not None:
            raise click.UsageError("--verify checks a file: leave out the agent")
        if flags := flags_given(ctx, _PLAYED):
            raise click.UsageError(f"the file of --verify already says what was played: leave out {flags}")
        checks = verify_steps(file, part, jobs, "code" if allow_code else "policies", None, deals_from)
        print_verified(followed(checks, f"{file}", lambda now: f"{file}"))
        return
    if part is not None or allow_code:
        raise click.UsageError("--part and --allow-code go with --verify")
    if agent is None:
        raise click.UsageError("name an agent, or a file with --verify")
    if json_file is not None:
        check_writable(json_file)
    # A protocol belongs to one game.
    steps_of_protocol = protocol_steps(game if name is None or is_given(ctx, "game") else None, name, jobs)
    with stopped_and_kept(ctx, FOLDER) as terminated:
        protocol = followed(steps_of_protocol, "opponents", lambda now: "opponents", terminated)
    if deals_from is not None:
        protocol = protocol.with_deals_from(deals_from)
    try:
        deals = num_deals(protocol, quick, deals)
    except BenchmarkError as error:
        raise click.UsageError(str(error)) from None
    folder = folder or default_folder(agent, protocol)
    with stopped_and_kept(ctx, folder) as terminated:
        steps = benchmark_steps(agent, protocol, folder, deals, jobs, ray)
        result = followed(steps, agent, lambda now: f"{agent}{_so_far(now)}", terminated)
    # Written first: the reader of the output may close the pipe early, as `head` does.
    if json_file is not None:
        write_text(json_file, json.dumps(result.as_json(), indent=1, ensure_ascii=False) + "\n")
        click.echo(f"written: {json_file}", err=True)
        click.echo(how_to_send_in(result, protocol), err=True)
    print_result(result, protocol)
    if protocol.is_exact and result.rating is not None:
        print_exploitability(agent, protocol)
    if result.rating is None:
        ctx.exit(1)


def _so_far(now: BenchmarkProgress) -> str:
    rating = now.rating
    if rating is None:
        return ""
    if rating.low is None or rating.high is None or rating.mean is None:
        return f", {in_points(rating)}"
    return f", {rating.mean:.0f} ± {(rating.high - rating.low) / 2:.0f}"
