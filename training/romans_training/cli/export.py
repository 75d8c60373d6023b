"""``romans export``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

import romans_agents
from romans_env.files import atomic_write, check_writable
from romans_training.cli.options import PATH, number_option
from romans_training.progress_bars import ProgressBars
from romans_training.reporting import report_console


@click.command(name="export")
@click.argument("sources", type=PATH, nargs=-1, required=True)
@click.option(
    "--to",
    "form",
    type=click.Choice(("parquet", "chat", "onnx", "json")),
    required=True,
    help="Form of what is written.",
)
@click.option(
    "--out",
    type=PATH,
    help="File to write, or the folder of records.  [default: the first of SOURCES with another ending]",
)
@click.option(
    "--load-policies",
    is_flag=True,
    help="Load the policy files that records name, for the probabilities of their actions.",
)
@click.option("--jsonl", is_flag=True, help="With --to chat: write JSON Lines, not Parquet.")
@click.option("--judge", help="With --to chat: agent that says what each action is worth, such as flat-mc.")
@number_option("--jobs", "Of records: number of processes.  [default: one for each core]")
def command(
    sources: tuple[Path, ...],
    form: str,
    out: Path | None,
    load_policies: bool,
    jsonl: bool,
    judge: str | None,
    jobs: int | None,
) -> None:
    """Write SOURCES in a form that other programs read.

    A policy file (.npz) becomes an ONNX model or JSON. Recorded games (.json, or .jsonl with a record on every line)
    become Parquet files with a row for every decision: arrays, or with --to chat what the seat knew and what it chose
    in words, for language models. An export that was stopped goes on with the same command.
    """
    err = report_console(is_error=True)
    of_records = form in ("parquet", "chat")
    target = out or sources[0].with_suffix("" if of_records else f".{form}")
    if not of_records and (jsonl or judge):
        raise click.UsageError("--jsonl and --judge go with --to chat")
    if of_records:
        if out is None and target == sources[0]:
            raise click.UsageError("name the folder to write by --out")
        settings = {"form": "chat" if form == "chat" else "decisions", "ending": "jsonl" if jsonl else "parquet"}
        files, count = "policies" if load_policies else "none", jobs or os.cpu_count() or 1
        _write_decisions(sources, target, files=files, jobs=count, judge=judge, **settings)
    else:
        if len(sources) > 1:
            raise click.UsageError(f"--to {form} takes one policy file")
        check_writable(target)
        policy = romans_agents.Policy.load(sources[0])
        content = policy.to_onnx() if form == "onnx" else policy.to_json().encode()
        with atomic_write(target) as temporary:
            temporary.write_bytes(content)
    err.print(f"written: {target}")


def _write_decisions(sources: tuple[Path, ...], folder: Path, **settings: Any) -> None:
    from romans_training.data.parquet import ExportError, export_decisions

    with ProgressBars("decisions") as progress:
        task = progress.add_task("export", total=None)
        try:
            export_decisions(
                sources,
                folder,
                on_progress=lambda games, decisions: progress.update(task, completed=decisions),
                **settings,
            )
        except (ExportError, romans_agents.UnknownAgentError) as error:
            raise click.UsageError(str(error)) from None
