"""``romans agents``."""

from __future__ import annotations

import click
from rich.table import Table
from rich.text import Text

from romans_agents.listing import AgentDescription, Rating, Ratings, describe_agents, ratings_of
from romans_env.games import DEFAULT_GAME, spec_of
from romans_training.cli.options import game_option
from romans_training.cli.screen import new_console


@click.command(name="agents")
@game_option
def command(game: str) -> None:
    """List the agents of a game, with their ratings, and the options of their specs with the defaults.

    An agent spec is a name, or a name with options: NAME:OPTION=VALUE,OPTION=VALUE.
    """
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("agent", no_wrap=True)
    ratings = ratings_of(game)
    if ratings is not None:
        table.add_column("wins %", no_wrap=True)
    table.add_column("")
    for agent in describe_agents(game):
        text = Text(agent.summary)
        options = _options(agent)
        if options:
            text.append(f"\n{options}", "cyan")
        rating = [] if ratings is None else [_rating(agent.name, ratings)]
        table.add_row(Text(agent.name, "bold"), *rating, text)
    console = new_console()
    console.print(table)
    if ratings is not None:
        console.print(f"\n{_explained(ratings, game)}")
    default = spec_of(game).default_opponent
    console.print(f"\nFiles play, too: path/to/policy.npz, my_bot.py:MyBot. The default opponent is {default}.")


def _rating(name: str, ratings: Ratings) -> Text:
    rating: Rating | None = ratings.agents.get(name)
    if rating is None:
        return Text("reference" if name == ratings.against else "-")
    text = Text(f"{rating.win_rate:.1f} ±{rating.half_width:.1f}")
    if rating.options:
        text.append(f"\n{rating.options}", "dim")
    return text


def _explained(ratings: Ratings, game: str) -> str:
    place = "" if spec_of(game).title == ratings.setup else f" on {ratings.setup}"
    option = "" if game == DEFAULT_GAME else f" --game {game}"
    return (
        f"wins %: of the games against {ratings.against}{place}, with half the width of the 95 % interval, where "
        f"it was measured. To measure an agent: romans evaluate AGENT --against {ratings.against}{option}"
    )


def _options(agent: AgentDescription) -> str:
    """The options as they are written in an agent spec; one whose default is None stands without a value."""
    parts = [f"{name}=..." for name in agent.needed]
    for name, default in agent.options.items():
        value = str(default).lower() if isinstance(default, bool) else default
        parts.append(name if value is None else f"{name}={value}")
    return ", ".join(parts)
