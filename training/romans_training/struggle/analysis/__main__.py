"""``python -m romans_training.struggle.analysis``: plays games, and prints statistics or writes a page of them."""

from __future__ import annotations

from pathlib import Path

import click

from romans_agents import UnknownAgentError
from romans_env.files import check_writable, write_text
from romans_training.figures import save_figure
from romans_training.reporting import games_counter, progress_of_games
from romans_training.struggle.analysis import AGENTS, figure_of, page_of, played_games, statistics_of


@click.command()
@click.option("--agents", default=",".join(AGENTS), show_default=True, help="Specs of three or four agents.")
@click.option(
    "--deals", type=click.IntRange(min=2), default=150, show_default=True, help="Deals, each played from every seat."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of all chance.")
@click.option(
    "--page",
    type=click.Path(path_type=Path),
    help="Write a page to this file, with a picture beside it.  [default: the page is printed]",
)
def main(agents: str, deals: int, seed: int, page: Path | None) -> None:
    """Play duplicate deals, and report seats, lengths, ends, special cards and provinces."""
    specs = agents.split(",")
    if len(specs) not in (3, 4):
        raise click.UsageError(f"--agents names three or four agents, not {len(specs)}")
    if page is not None:
        check_writable(page)
    try:
        with progress_of_games() as progress:
            task = progress.add_task("games", total=len(specs) * deals)
            games = played_games(specs, deals, seed, games_counter(progress, task))
    except UnknownAgentError as error:
        raise click.UsageError(str(error)) from None
    found = statistics_of(games)
    if page is None:
        click.echo(page_of(found, specs))
        return
    picture = page.with_suffix(".png")
    save_figure(figure_of(games, found), picture, dpi=110)
    write_text(page, page_of(found, specs, picture.name))
    click.echo(f"written: {page}, {picture}")


if __name__ == "__main__":
    main()
