"""``romans agents``."""

from __future__ import annotations

import click
from rich.table import Table
from rich.text import Text

from romans_agents.listing import AgentDescription, describe_agents
from romans_env.games import spec_of
from romans_training.cli.options import game_option
from romans_training.cli.screen import new_console


@click.command(name="agents")
@game_option
def command(game: str) -> None:
    """List the agents of a game, with the options of their specs and the defaults.

    An agent spec is a name, or a name with options: NAME:OPTION=VALUE,OPTION=VALUE.
    """
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("agent", no_wrap=True)
    table.add_column("")
    for agent in describe_agents(game):
        text = Text(agent.summary)
        options = _options(agent)
        if options:
            text.append(f"\n{options}", "cyan")
        table.add_row(Text(agent.name, "bold"), text)
    console = new_console()
    console.print(table)
    default = spec_of(game).default_opponent
    console.print(f"\nFiles play, too: path/to/policy.npz, my_bot.py:MyBot. The default opponent is {default}.")


def _options(agent: AgentDescription) -> str:
    """The options as they are written in an agent spec; one whose default is None stands without a value."""
    parts = [f"{name}=..." for name in agent.needed]
    for name, default in agent.options.items():
        value = str(default).lower() if isinstance(default, bool) else default
        parts.append(name if value is None else f"{name}={value}")
    return ", ".join(parts)
