"""``python -m romans_training.struggle.analysis``: plays games, and prints statistics or writes a page of them."""

from __future__ import annotations

from pathlib import Path

import click

from romans_training.statistics_page import page_options, report
from romans_training.struggle import analysis


@click.command()
@click.option("--agents", default=",".join(analysis.AGENTS), show_default=True, help="Specs of three or four agents.")
@page_options(num_deals=150, seats="every seat")
def main(agents: str, deals: int, seed: int, page: Path | None) -> None:
    """Play duplicate deals, and report seats, lengths, ends, special cards and provinces."""
    specs = agents.split(",")
    if len(specs) not in (3, 4):
        raise click.UsageError(f"--agents names three or four agents, not {len(specs)}")
    report(analysis, specs, len(specs), deals, seed, page)


if __name__ == "__main__":
    main()
