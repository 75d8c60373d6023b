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
    "--game", "games", type=GameType(), multiple=True, help="Name of the game; may be repeated.  [default: every game]"
)
@click.option(
    "--agents", type=SpecsType(), help="Agent specs whose compiled code is needed.  [default: every agent of the game]"
)
@click.option(
    "--native",
    is_flag=True,
    help="Compile for this very processor what came with the package for every one of its kind.",
)
def command(games: tuple[str, ...], agents: tuple[str, ...] | None, native: bool) -> None:
    """Compile everything that commands need, and keep it on disk.

    For images of containers, and for clusters: what runs later starts at once. Compiled code is kept beside the
    installed package where that can be written, or else in the user's cache folder; NUMBA_CACHE_DIR names another
    folder.
    """
    if native:
        leave_shipped_code_alone()
    with ProgressBars("steps") as progress:
        for game in games or names():
            players = usual_agents(game) if agents is None else list(agents)
            setup, title = spec_of(game).make_setup(), spec_of(game).title
            planned = steps(setup, players, PARTS)
            task = progress.add_task(title, total=len(planned))
            # Helpers would load what came with the package.
            with contextlib.nullcontext() if native else helped(setup, players, PARTS, len(planned)):
                for text, run in planned:
                    progress.update(task, description=text)
                    with compiling_shown(progress, task):
                        run()
                    progress.advance(task)
            progress.update(task, description=title)
    # A set of folders, because every package has its own: that of the engine, of each game, and of its agents.
    folders = {function.folder for function in compile_progress.functions.values()}
    if None in folders:
        sys.exit(
            "romans: compiled code cannot be kept, because no folder for it can be written; set the environment "
            "variable NUMBA_CACHE_DIR to one that can"
        )
    console = report_console(is_error=True)
    console.print(f"compiled code is in {', '.join(sorted({str(folder.parent) for folder in folders if folder}))}")
