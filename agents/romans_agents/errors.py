"""Errors of naming an agent."""

from __future__ import annotations


class UnknownAgentError(ValueError):
    """An agent spec that names no agent, options the agent does not have, or an agent's file that cannot be used."""


def in_one_line(error: BaseException) -> str:
    """The kind of an error and the first line of what it says."""
    says = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {says}" if says else type(error).__name__
