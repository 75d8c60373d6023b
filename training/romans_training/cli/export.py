"""``romans export``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

import romans_agents
from romans_env.core.files import atomic_write, check_writable
from romans_env.errors import in_one_line
from romans_training.cli.options import PATH, flags_given, number_option, own_game_option
from romans_training.progress_bars import ProgressBars
from romans_training.reporting import report_console

_FORMS = {
    "load_policies": ("parquet", "chat", "minari"),
    "jsonl": ("chat",),
    "judge": ("chat",),
    "agent": ("minari",),
    "jobs": ("parquet", "chat"),
}
"""Options that apply only to some values of ``--to``."""


@click.command(name="export")
@click.argument("sources", type=PATH, nargs=-1, required=True)
@own_game_option
@click.option(
    "--to",
    "form",
    type=click.Choice(("parquet", "chat", "minari", "onnx", "json")),
    required=True,
    help="Format to write.",
)
@click.option(
    "--out",
    type=PATH,
    help="Output file, folder or Minari dataset id.  [default: first source with a new suffix]",
)
@click.option(
    "--load-policies",
    is_flag=True,
    help="With --to parquet, chat or minari: load the policy files that the records name, to export action "
    "probabilities.",
)
@click.option("--jsonl", is_flag=True, help="With --to chat: write JSON Lines instead of Parquet.")
@click.option("--judge", help="With --to chat: agent that estimates the value of each action, such as flat-mc.")
@click.option("--agent", help="With --to minari: export only the seats that this agent played.  [default: all seats]")
@number_option("--jobs", "With --to parquet or chat: number of processes.  [default: one per core]")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    sources: tuple[Path, ...],
    form: str,
    out: Path | None,
    load_policies: bool,
    jsonl: bool,
    judge: str | None,
    agent: str | None,
    jobs: int | None,
) -> None:
    """Convert SOURCES, a policy or recorded games, to a format that other programs read.

    --to onnx or json converts a policy file (.npz). The other formats take recorded games: .json, or .jsonl with one
    record per line. --to parquet writes one row of arrays per decision. --to chat writes what the seat knew and chose,
    in words, for language models. --to minari makes a Minari dataset with one episode per seat.

    The same command continues an export to parquet or chat that was stopped.
    """
    err = report_console(is_error=True)
    of_records, files = form in ("parquet", "chat"), "policies" if load_policies else "none"
    target = out or sources[0].with_suffix("" if of_records else f".{form}")
    for name, forms in _FORMS.items():
        if form not in forms and (flag := flags_given(ctx, [name])):
            raise click.UsageError(f"{flag} goes with --to {' or '.join(forms)}, not with --to {form}")
    if form == "minari":
        if out is None:
            raise click.UsageError("name the dataset with --out, such as roma/raider-v0")
        from romans_training.data.minari_dataset import export_minari

        target = _exported(export_minari, sources, out.as_posix(), agent=agent, files=files)
    elif of_records:
        if out is None and target == sources[0]:
            raise click.UsageError("name the output folder with --out")
        from romans_training.data.parquet import export_decisions

        settings = {"form": "chat" if form == "chat" else "decisions", "ending": "jsonl" if jsonl else "parquet"}
        jobs = jobs or os.cpu_count() or 1
        _exported(export_decisions, sources, target, files=files, jobs=jobs, judge=judge, **settings)
    else:
        if len(sources) != 1:
            raise click.UsageError(f"--to {form} takes one policy file")
        if sources[0].suffix in (".json", ".jsonl"):
            raise click.UsageError(
                f"--to {form} takes a policy file (.npz); records such as {in_one_line(sources[0])} are exported "
                "--to parquet, chat or minari"
            )
        check_writable(target)
        policy = romans_agents.Policy.load(sources[0])
        content = policy.to_onnx() if form == "onnx" else policy.to_json().encode()
        with atomic_write(target) as temporary:
            temporary.write_bytes(content)
    err.print(f"written: {target}")


def _exported(export: Callable[..., Any], *arguments: Any, **settings: Any) -> Any:
    """Call a function that exports records, show its progress, and return its result."""
    from romans_training.data.parquet import ExportError

    with ProgressBars("decisions") as progress:
        task = progress.add_task("export", total=None)
        try:
            return export(
                *arguments, on_progress=lambda games, decisions: progress.update(task, completed=decisions), **settings
            )
        except (ExportError, romans_agents.UnknownAgentError) as error:
            raise click.UsageError(str(error)) from None
