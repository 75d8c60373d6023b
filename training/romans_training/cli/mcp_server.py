"""A server of the Model Context Protocol that lets an AI assistant play a text environment."""

from __future__ import annotations

import functools
import inspect
import re
import threading
from typing import Any

import numpy as np

import romans_env
from romans_agents.external.text_env import TextEnv
from romans_env.errors import needs_extra


def server_of(env: TextEnv, seed: int | None = None) -> Any:
    """Return an `mcp.server.MCPServer`, not yet running, with the environment's tools and one that starts a game.

    An action that cannot be played raises a tool error that says why; the game goes on.

    Args:
        env: the environment.
        seed: seed of the series of games; None for a fresh one. The assistant cannot choose it: it could otherwise
            play the same deal from another seat first, and see the hands.

    Raises:
        ModuleNotFoundError: if the package mcp is missing; the message says how to install it.
    """
    with needs_extra("the server", "mcp"):
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.server.mcpserver.tools import Tool
    seeds = np.random.SeedSequence(seed)
    lock = threading.Lock()

    def new_game(seat_number: int | None = None) -> str:
        """Start a new game; a game in progress is abandoned.

        Args:
            seat_number: Your seat, counted from 0; drawn at random if left out.
        """
        (of_game,) = seeds.spawn(1)
        try:
            return env.reset(int(of_game.generate_state(1, np.uint64)[0]), seat_number)
        except ValueError as error:
            raise ToolError(str(error)) from None

    def with_errors(function: Any) -> Any:
        """Wrap a tool of the environment so that its answer to a refused action is raised as a ToolError."""

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> str:
            with lock:
                before = env.num_refused
                said = str(function(*args, **kwargs))
                if env.num_refused > before:
                    raise ToolError(said)
                return said

        return called

    def tool_of(function: Any) -> Any:
        """Return a tool that rejects unknown arguments; by default the library ignores them."""
        summary, of_arguments = _description(function)
        tool = Tool.from_function(with_errors(function), description=summary)
        arguments = tool.fn_metadata.arg_model
        arguments.model_config["extra"] = "forbid"
        arguments.model_rebuild(force=True)
        tool.parameters = arguments.model_json_schema(by_alias=True)
        for name, schema in tool.parameters.get("properties", {}).items():
            schema["description"] = of_arguments[name]
        return tool

    return MCPServer(
        "romans-env",
        version=romans_env.__version__,
        instructions=f"Play {env.title}: read the rules, start a game, then play until it is over.",
        tools=[tool_of(function) for function in (new_game, *env.tools)],
    )


def _description(function: Any) -> tuple[str, dict[str, str]]:
    """Return a tool's description and those of its arguments, from its docstring."""
    summary, *sections = re.split(r"\n\n(?=\w+:\n)", inspect.getdoc(function) or "")
    arguments = "".join(one.partition("\n")[2] for one in sections if one.startswith("Args:"))
    return " ".join(summary.split()), dict(re.findall(r"^ {4}(\w+): (.+)$", arguments, re.MULTILINE))
