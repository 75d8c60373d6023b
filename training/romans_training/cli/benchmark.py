"""``romans benchmark``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from romans_env.files import write_text
from romans_training.benchmark import engine, faces, learning
from romans_training.benchmark.contest import Contest, Contestant, Figure
from romans_training.benchmark.report import as_json, print_figures

PARTS: dict[str, Callable[[], list[Contestant]]] = {
    "engine": engine.contestants,
    "aec": faces.aec_contestants,
    "vector": faces.vector_contestants,
    "learning": learning.contestants,
}


@click.command(name="benchmark")
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--runs", type=click.IntRange(min=1), default=5, show_default=True, help="Turns of each contestant.")
@click.option(
    "--seconds", type=click.FloatRange(min=0.01), default=0.5, show_default=True, help="Length of a turn, at least."
)
@click.option("--only", help="Measure those whose name contains this text.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file, too.")
def command(parts: tuple[str, ...], runs: int, seconds: float, only: str | None, json_file: Path | None) -> None:
    """Measure speed, side by side with peers.

    PARTS are engine, aec, vector and learning; without any, all. Contestants take turns, and figures are medians of the
    turns. Peers that are not installed are passed over; the extra "peers" brings them.
    """
    figures: list[Figure] = []
    console = Console(stderr=True, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("turns"))
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
        for part in parts or PARTS:
            contestants = [one for one in PARTS[part]() if only is None or only in one.name]
            task = progress.add_task(part, total=len(contestants) * (runs + 1))
            contest = Contest(part, contestants, runs, seconds)
            for name in contest.turns():
                progress.update(task, advance=1, description=f"{part}: {name}")
            figures += contest.figures
    if not figures:
        raise click.UsageError(f"no contestant's name contains {only!r}")
    print_figures(figures)
    if json_file is not None:
        write_text(json_file, json.dumps(as_json(figures, runs, seconds), indent=2) + "\n")
