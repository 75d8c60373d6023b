"""``romans warm-up``."""

from __future__ import annotations

import contextlib
import sys

import click

from romans_agents.warm_up import PARTS, helped, steps, usual_agents
from romans_env.compiling.decorators import leave_shipped_code_alone
from romans_env.compiling.progress import progress as compile_progress
from romans_env.core.games import names, spec_of
from romans_training.cli.options import GameType, SpecsType
from romans_training.progress_bars import ProgressBars, compiling_shown
from romans_training.reporting import report_console


@click.command(name="warm-up")
@click.option(
    "--game",
    "games",
    type=GameType(),
    multiple=True,
    help="Game to compile for; may be repeated.  [default: every game]",
)
@click.option("--agents", type=SpecsType(), help="Agents to compile for.  [default: every agent of the game]")
@click.option(
    "--native",
    is_flag=True,
    help="Recompile the shipped code for this exact CPU.",
)
def command(games: tuple[str, ...], agents: tuple[str, ...] | None, native: bool) -> None:
    """Compile everything that commands need and keep it on disk, so that later commands start at once.

    Useful for container images and clusters. Compiled code is kept next to the installed package if that folder is
    writable, otherwise in the user's cache folder; NUMBA_CACHE_DIR names another folder.
    """
    if native:
        leave_shipped_code_alone()
    with ProgressBars("steps") as progress:
        for game in games or names():
            players = usual_agents(game) if agents is None else list(agents)
            setup, title = spec_of(game).make_setup(), spec_of(game).title
            planned = steps(setup, players, PARTS)
            task = progress.add_task(title, total=len(planned))
            # Helper processes would load the shipped code.
            with contextlib.nullcontext() if native else helped(setup, players, PARTS, len(planned)):
                for text, run in planned:
                    progress.update(task, description=text)
                    with compiling_shown(progress, task):
                        run()
                    progress.advance(task)
            progress.update(task, description=title)
    # Several folders, because the engine, each game and each game's agents have their own.
    folders = {function.folder for function in compile_progress.functions.values()}
    if None in folders:
        sys.exit(
            "romans: compiled code cannot be kept, because no folder for it is writable; set the environment variable "
            "NUMBA_CACHE_DIR to a writable folder"
        )
    console = report_console(is_error=True)
    console.print(f"compiled code is in {', '.join(sorted({str(folder.parent) for folder in folders if folder}))}")
