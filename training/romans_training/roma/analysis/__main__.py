"""``python -m romans_training.roma.analysis``: plays games of Roma, and prints statistics or writes a page of them."""

from __future__ import annotations

from pathlib import Path

import click

from romans_training.roma import analysis
from romans_training.statistics_page import page_options, report


@click.command()
@click.option("--agent", default="expectimax", show_default=True, help="Spec of the agent that plays itself.")
@page_options(num_deals=1500, seats="both seats")
def main(agent: str, deals: int, seed: int, page: Path | None) -> None:
    """Play duplicate deals, and report seats, lengths, ends and cards."""
    report(analysis, agent, 2, deals, seed, page)


if __name__ == "__main__":
    main()
