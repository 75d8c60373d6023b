"""``romans tournament``."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from romans_env import replay_page
from romans_env.core.files import check_writable, write_text
from romans_training.cli import options
from romans_training.cli.folders import field_of
from romans_training.cli.interrupts import stopped_and_kept
from romans_training.compare.tournament.battles import battles_of, recorded_games
from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.entries import TournamentError
from romans_training.compare.tournament.page import page_of
from romans_training.compare.tournament.report import print_result
from romans_training.compare.tournament.run import default_folder, tournament_steps
from romans_training.compare.tournament.store import FILE_NAME
from romans_training.progress_bars import followed
from romans_training.reporting import report_console

FOLDER_MOVE_TIME = 1.0
"""Default time limit of a decision in seconds when agents come from a folder, because one might never answer."""


def _check_ratings(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Refuse a rating scale of an earlier version."""
    if value not in (None, "elo"):
        raise click.BadParameter(
            f"ratings are Elo only, not {value!r}: docs/measuring/tournaments.md says how to rate the agents of "
            "tournament.json by the equilibrium of the field, with nashpy or OpenSpiel"
        )


@click.command(name="tournament")
@click.argument("agents", nargs=-1, required=True)
@options.game_option
@options.table_option
@options.extra_options
@options.deals_option(500, "Number of deals per line-up, each played in every distinct seating.")
@options.number_option(
    "--search-deals", "Number of deals per line-up with a searching agent, if smaller than --deals.", 50, least=2
)
@options.number_option("--line-ups", "Number of line-ups to play, drawn as a balanced random sample.  [default: all]")
@options.seed_option
@click.option(
    "--move-time",
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds allowed per decision; an agent that takes longer loses the game.  [default: no limit; 1 if AGENTS "
    "include a folder]",
)
@options.variance_reduction_option
@click.option("--ratings", callback=_check_ratings, expose_value=False, hidden=True)
@options.number_option("--jobs", "Number of processes.  [default: one per core]")
@click.option(
    "--ray",
    metavar="ADDRESS",
    help="Address of a Ray cluster that plays the games; 'local' starts one on this machine, 'auto' uses one that is "
    "running here.",
)
@click.option(
    "--folder",
    type=options.PATH,
    help="Folder for the results; games that it already holds are not played again.  "
    "[default: runs/tournament-GAME-SETUP, such as runs/tournament-romans-go-home-2+1]",
)
@click.option(
    "--json",
    "json_file",
    type=options.PATH,
    help="File for the result, as JSON.  [default: tournament.json in the folder]",
)
@click.option(
    "--picture",
    type=options.PATH,
    help="File for a picture of the result, .png or .svg.  [default: tournament.png in the folder]",
)
@options.file_option(
    "--battles",
    "File for the games as pairwise battles, .csv with columns model_a, model_b and winner, as arena-rank reads them.",
)
@options.file_option(
    "--html", "File for the result as a page (.html), in letters large enough for a projector.", "html_file"
)
@options.file_option(
    "--replays", "File for a page that replays one game of every line-up, the first deal (played again for it)."
)
@click.option(
    "--allow-code",
    is_flag=True,
    help="Load agents from Python files and models in a folder. They run with your rights, so use this only if you "
    "trust the authors.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    agents: tuple[str, ...],
    size: str | None,
    jobs: int | None,
    ray: str | None,
    folder: Path | None,
    json_file: Path | None,
    picture: Path | None,
    battles: Path | None,
    html_file: Path | None,
    replays: Path | None,
    allow_code: bool,
    **settings: Any,
) -> None:
    """Play AGENTS against each other on the same deals, each deal in every seating.

    AGENTS are agent specs (random, greedy, the path of a policy file (.npz), or name:option=value) or folders, such as
    the submissions of a class: each file in a folder is an agent named after the file. With more agents than seats,
    every combination plays. Confidence intervals are 95 %, clustered by deal.

    The same command continues a tournament that was stopped; it may ask for more deals or add agents.
    """
    err = report_console(is_error=True)
    chosen = {name: value for name, value in settings.items() if name in TournamentConfig.__dataclass_fields__}
    setup = options.setup_of(ctx, size)
    field = field_of(agents, setup.game, "code" if allow_code else "policies")
    for name, why in field.left_out.items():
        err.print(f"{name} does not take part: {why}")
    if field.names:
        chosen |= {"hosted": True, "move_time": chosen["move_time"] or FOLDER_MOVE_TIME}
    config = TournamentConfig(field.specs, setup, **chosen)
    folder = folder or default_folder(config.setup)
    picture = picture or folder / "tournament.png"
    json_file = json_file or folder / "tournament.json"
    with stopped_and_kept(ctx, folder) as terminated:
        # Drawing takes a second to import.
        from romans_training.compare.tournament.picture import check_picture_path, save_picture

        check_picture_path(picture)
        written = [file for file in (json_file, picture, battles, html_file, replays) if file]
        _check_targets(written, folder)
        steps = tournament_steps(config, folder, jobs or os.cpu_count() or 1, ray)
        start = next(steps)
        there = f", {start.games:,} of them played before" if start.games else ""
        # At a terminal the progress bar shows the total.
        if there or not err.is_terminal:
            err.print(f"{start.total:,} games{there}")
        result = followed(steps, "starting", lambda now: "tournament", terminated, start).renamed(field.names)
        print_result(result)
        text = json.dumps(result.as_json(), indent=2, ensure_ascii=False) + "\n"
        _write(json_file, lambda path: write_text(path, text))
        _write(picture, lambda path: save_picture(result, path))
        if battles is not None:
            _write(battles, lambda path: write_text(path, battles_of(config, folder)))
        if html_file is not None:
            _write(html_file, lambda path: write_text(path, page_of(result, setup, field.left_out)))
        if replays is not None:
            _write(replays, replay_page(list(recorded_games(config))).save)
    err.print(f"written: {', '.join(map(str, written))}")


def _check_targets(targets: list[Path], folder: Path) -> None:
    """Check that the files can be written, before hours of play; raise TournamentError otherwise."""
    places = [os.path.realpath(path) for path in (folder / FILE_NAME, *targets)]
    for k, target in enumerate(targets, 1):
        if places[k] in places[:k]:
            raise TournamentError(f"{target} is named for two results: give each its own file")
        # A missing folder is created before anything is played.
        if target.parent == folder and not folder.is_dir():
            continue
        try:
            check_writable(target)
        except OSError as error:
            raise TournamentError(f"cannot write {target}: {error.strerror}; name another file") from None


def _write(path: Path, write: Callable[[Path], object]) -> None:
    try:
        write(path)
    except OSError as error:
        raise TournamentError(
            f"cannot write {path}: {error.strerror or error}; the games are kept, and the same command writes it "
            "without playing them again"
        ) from None
