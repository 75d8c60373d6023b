"""Agents on a command line, where a folder stands for the agents in its files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from romans_agents.external.folder import agents_in
from romans_agents.permission import FileNotAllowedError, Files
from romans_training.compare.tournament.entries import TournamentError


class Field(NamedTuple):
    """The agents that take part in a tournament.

    Attributes:
        specs: agent specs, in the order of the command line.
        names: display name of each agent from a folder, by spec.
        left_out: for each file that holds no usable agent, by file name, a line that says why.
    """

    specs: tuple[str, ...]
    names: dict[str, str]
    left_out: dict[str, str]


def field_of(agents: Sequence[str], game: str, files: Files) -> Field:
    """Return the agents that a command line names.

    Args:
        agents: agent specs and folders.
        game: name of the game they play.
        files: which files agents may be loaded from, as in `romans_agents.make`.

    Raises:
        TournamentError: if a folder holds code that may not be loaded, or no agent at all.
        romans_agents.UnknownAgentError: if a folder cannot be read.
    """
    specs: list[str] = []
    names: dict[str, str] = {}
    left_out: dict[str, str] = {}
    for agent in agents:
        if not os.path.isdir(agent):
            specs.append(agent)
            continue
        try:
            found = agents_in(agent, game, [*agents, *names.values()], files)
        except FileNotAllowedError as error:
            raise TournamentError(f"{error}. Give --allow-code if you trust the authors") from None
        specs += found.specs.values()
        names |= {spec: name for name, spec in found.specs.items()}
        left_out |= found.left_out
        if not found.specs:
            why = "".join(f"; {line}" for line in found.left_out.values())
            raise TournamentError(f"{agent} holds no agent: put files such as my_bot.py or policy.npz there{why}")
    return Field(tuple(specs), names, left_out)
