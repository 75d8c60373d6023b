"""A seat of a game for an assistant: a text environment as a server of the Model Context Protocol."""

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
    """Return an `mcp.server.MCPServer` of a seat, yet to be run: the environment's tools, and one to start a game.

    An action that cannot be played is an error of its tool, which says why; the game goes on.

    Args:
        env: the environment.
        seed: decides all chance of the games, the first, the second and so on; None for fresh chance. Whoever plays is
            not asked for it: it could start a game with it from another seat first, and see the hands.

    Raises:
        ModuleNotFoundError: saying how to install the package.
    """
    with needs_extra("the server", "mcp"):
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.server.mcpserver.tools import Tool
    seeds = np.random.SeedSequence(seed)
    lock = threading.Lock()

    def new_game(seat_number: int | None = None) -> str:
        """Start a game; one that is being played is given up.

        Args:
            seat_number: Your seat, counted from 0; without one it is drawn.
        """
        (of_game,) = seeds.spawn(1)
        try:
            return env.reset(int(of_game.generate_state(1, np.uint64)[0]), seat_number)
        except ValueError as error:
            raise ToolError(str(error)) from None

    def with_errors(function: Any) -> Any:
        """Return a function that raises what the environment's tool says of an action that cannot be played."""

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
        """Return a tool that refuses arguments which it does not have; the library's own pass them over."""
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
    """Return what a docstring says of a tool, and of each of its arguments."""
    summary, *sections = re.split(r"\n\n(?=\w+:\n)", inspect.getdoc(function) or "")
    arguments = "".join(one.partition("\n")[2] for one in sections if one.startswith("Args:"))
    return " ".join(summary.split()), dict(re.findall(r"^ {4}(\w+): (.+)$", arguments, re.MULTILINE))
