"""``python -m romans_training.roma.analysis``: plays games of Roma, and prints statistics or writes a page of them."""

from __future__ import annotations

from pathlib import Path

import click

from romans_agents import UnknownAgentError
from romans_env.files import check_writable, write_text
from romans_training.figures import save_figure
from romans_training.reporting import games_counter, progress_of_games
from romans_training.roma.analysis import figure_of, page_of, played_games, statistics_of


@click.command()
@click.option("--agent", default="expectimax", show_default=True, help="Spec of the agent that plays itself.")
@click.option(
    "--deals", type=click.IntRange(min=2), default=1500, show_default=True, help="Deals, each played from both seats."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of all chance.")
@click.option(
    "--page",
    type=click.Path(path_type=Path),
    help="Write a page to this file, with a picture beside it.  [default: the page is printed]",
)
def main(agent: str, deals: int, seed: int, page: Path | None) -> None:
    """Play duplicate deals, and report seats, lengths, ends and cards."""
    if page is not None:
        check_writable(page)
    try:
        with progress_of_games() as progress:
            task = progress.add_task("games", total=2 * deals)
            games = played_games(agent, deals, seed, games_counter(progress, task))
    except UnknownAgentError as error:
        raise click.UsageError(str(error)) from None
    found = statistics_of(games)
    if page is None:
        click.echo(page_of(found, agent))
        return
    picture = page.with_suffix(".png")
    save_figure(figure_of(games, found), picture, dpi=110)
    write_text(page, page_of(found, agent, picture.name))
    click.echo(f"written: {page}, {picture}")


if __name__ == "__main__":
    main()
