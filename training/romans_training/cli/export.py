"""``romans export``."""

from __future__ import annotations

import os
from pathlib import Path

import click
from rich.console import Console

import romans_agents
from romans_env.files import atomic_write, check_writable
from romans_training.progress_bars import ProgressBars


@click.command(name="export")
@click.argument("sources", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option(
    "--to", "form", type=click.Choice(("parquet", "onnx", "json")), required=True, help="Form of what is written."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="File to write, or with --to parquet the folder.  [default: the first of SOURCES with another ending]",
)
@click.option(
    "--load-policies",
    is_flag=True,
    help="Load the policy files that records name, for the probabilities of their actions.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), help="With --to parquet: number of processes.  [default: one for each core]"
)
def command(sources: tuple[Path, ...], form: str, out: Path | None, load_policies: bool, jobs: int | None) -> None:
    """Write SOURCES in a form that other programs read.

    A policy file (.npz) becomes an ONNX model or JSON. Recorded games (.json, or .jsonl with a record on every line)
    become Parquet files with a row for every decision; an export that was stopped goes on with the same command.
    """
    err = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    target = out or sources[0].with_suffix(f".{form}" if form != "parquet" else "")
    if form == "parquet":
        if out is None and target == sources[0]:
            raise click.UsageError("name the folder to write by --out")
        _write_decisions(sources, target, load_policies, jobs or os.cpu_count() or 1)
    else:
        if len(sources) > 1:
            raise click.UsageError(f"--to {form} takes one policy file")
        check_writable(target)
        policy = romans_agents.Policy.load(sources[0])
        content = policy.to_onnx() if form == "onnx" else policy.to_json().encode()
        with atomic_write(target) as temporary:
            temporary.write_bytes(content)
    err.print(f"written: {target}")


def _write_decisions(sources: tuple[Path, ...], folder: Path, load_policies: bool, jobs: int) -> None:
    from romans_training.data.parquet import ExportError, export_decisions

    with ProgressBars("decisions") as progress:
        task = progress.add_task("export", total=None)
        try:
            export_decisions(
                sources,
                folder,
                "policies" if load_policies else "none",
                on_progress=lambda games, decisions: progress.update(task, completed=decisions),
                jobs=jobs,
            )
        except ExportError as error:
            raise click.UsageError(str(error)) from None
