"""Speed of a game on this machine compared with other libraries: ``python -m benchmarks.speed``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.speed import engine, env_apis, learning
from benchmarks.speed.report import TITLES, as_json, print_measurements
from benchmarks.speed.timing import Case, Measurement, measure
from romans_env.core.files import write_text
from romans_env.core.games import GameSpec, spec_of
from romans_training.cli.options import game_option

PARTS: dict[str, Callable[[GameSpec], list[Case]]] = {
    "engine": engine.cases,
    "aec": env_apis.aec_cases,
    "vector": env_apis.vector_cases,
    "learning": learning.cases,
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@game_option
@click.option(
    "--runs", type=click.IntRange(min=1), default=5, show_default=True, help="Number of rounds; each times all cases."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.01),
    default=0.5,
    show_default=True,
    help="Minimum time of a case in a round, in seconds.",
)
@click.option("--only", metavar="TEXT", help="Measure only the cases with this text in their name.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Also write the measurements to this file.")
def main(
    parts: tuple[str, ...], game: str, runs: int, seconds: float, only: str | None, json_file: Path | None
) -> None:
    """Measure speed, side by side with other libraries.

    PARTS are engine, aec, vector and learning; by default all. Each round times every case of a part once, and the
    table shows medians over the rounds. Libraries that are not installed are left out; the extra "peers" installs them.
    """
    spec = spec_of(game)
    found: list[Measurement] = []
    console = Console(stderr=True, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("runs"))
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
        for part in parts or PARTS:
            cases = [case for case in PARTS[part](spec) if only is None or only in case.name]
            task = progress.add_task(part, total=len(cases) * (runs + 1))

            def show(name: str, part: str = part, task: object = task) -> None:
                progress.update(task, advance=1, description=f"{part}: {name}")  # type: ignore[arg-type]

            found += measure(part, cases, runs, seconds, show)
    if not found:
        raise click.UsageError(f"no case has {only!r} in its name")
    for part in dict.fromkeys(one.part for one in found):
        print_measurements(TITLES[part], [one for one in found if one.part == part])
    if json_file is not None:
        write_text(json_file, json.dumps(as_json(spec, found, runs, seconds), indent=2) + "\n")


if __name__ == "__main__":
    main()
