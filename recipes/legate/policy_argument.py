"""The argument of a command that names a policy to go on from."""

from __future__ import annotations

from typing import Any

import click

from romans_agents import PolicyAgent, PolicyFileError, UnknownAgentError, make


class PolicyArgument(click.ParamType[PolicyAgent]):
    """An agent spec, as the `PolicyAgent` that it names."""

    name = "agent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> PolicyAgent:
        """The agent; or a usage error that says what to name."""
        if isinstance(value, PolicyAgent):
            return value
        try:
            agent = make(value)
        except (UnknownAgentError, PolicyFileError) as error:
            self.fail(str(error), param, ctx)
        if not isinstance(agent, PolicyAgent):
            self.fail(f"{value} is no policy: name a policy file (.npz) or a trained agent, such as legate", param, ctx)
        return agent
