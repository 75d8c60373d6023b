"""``romans agents``."""

from __future__ import annotations

import shlex

import click
from rich.table import Table
from rich.text import Text

from romans_agents.specs.listing import AgentDescription, PublishedRatings, describe_agent, describe_agents, ratings_of
from romans_env.core.games import DEFAULT_GAME, spec_of
from romans_env.core.registration import option_of
from romans_training.cli.options import game_option
from romans_training.reporting import print_stripped, report_console, say


@click.command(name="agents")
@click.argument("name", required=False)
@game_option
def command(name: str | None, game: str) -> None:
    """List the agents of a game, strongest first; with NAME, describe one agent and its options.

    An agent spec is a name, or a name with options: NAME:OPTION=VALUE,OPTION=VALUE.
    """
    ratings = ratings_of(game) or PublishedRatings("", {})
    option = "" if game == DEFAULT_GAME else f" {shlex.join(option_of(game))}"
    if name is not None:
        for line in _described(describe_agent(name, game), ratings, game):
            say(line)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("agent", no_wrap=True)
    if ratings.agents:
        table.add_column("rating", justify="right", no_wrap=True)
    table.add_column("good for")
    agents = describe_agents(game)
    for agent in sorted(agents, key=lambda one: -ratings.agents[one.name].mean if one.name in ratings.agents else 1e9):
        rating = ratings.agents.get(agent.name)
        text = Text(agent.good_for or agent.summary)
        if rating is not None and rating.options:
            text.append(f" (rated: {rating.options.replace(',', ', ')})", "dim")
        value = "" if rating is None else f"{rating.mean:,.0f}"
        table.add_row(Text(agent.name, "bold"), *([value] if ratings.agents else []), text)
    print_stripped(report_console(), table)
    remarks = [f"{_scale(ratings, game)} (docs/measuring/leaderboard.md)."] if ratings.agents else []
    remarks += [
        f"romans agents NAME{option} lists an agent's options.",
        "Files are agents, too: policy.npz, my_bot.py:MyBot.",
    ]
    remarks.append(f"The default opponent is {spec_of(game).default_opponent}.")
    say("")
    say(" ".join(remarks))


def _scale(ratings: PublishedRatings, game: str) -> str:
    reference = spec_of(game).default_opponent
    return f"rating: from romans benchmark --track {ratings.protocol}, where random has 0 and {reference} has 1,000"


def _described(agent: AgentDescription, ratings: PublishedRatings, game: str) -> list[str]:
    """Describe an agent in paragraphs: what it does, its rating and its options."""
    lines = [f"{agent.name}: {agent.summary}"]
    if agent.good_for:
        lines.append(f"Good for: {agent.good_for}.")
    rating = ratings.agents.get(agent.name)
    if rating is not None:
        spec = f"{agent.name}:{rating.options}" if rating.options else agent.name
        interval = f"{rating.mean:,.0f} [{rating.low:,.0f}, {rating.high:,.0f}]"
        lines.append(f"{spec} has {interval} on the leaderboard; {_scale(ratings, game)}.")
    options = [f"  {name}=... (required)" for name in agent.needed]
    for name, default in agent.options.items():
        value = str(default).lower() if isinstance(default, bool) else default
        options.append(f"  {name}" if value is None else f"  {name}={value}")
    return [*lines, *(["Options, with their defaults:", *options] if options else ["It has no options."])]
