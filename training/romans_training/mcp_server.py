"""A seat of a game for an assistant: a text environment as a server of the Model Context Protocol."""

from __future__ import annotations

from typing import Any

import numpy as np

from romans_agents.text_env import TextEnv
from romans_env.errors import needs_extra


def server_of(env: TextEnv, seed: int | None = None) -> Any:
    """Return an `mcp.server.MCPServer` of a seat, yet to be run: the environment's tools, and one to start a game.

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

    def new_game(seat_number: int | None = None) -> str:
        """Start a game; one that is being played is given up. The seat counts from 0; without one it is drawn."""
        (of_game,) = seeds.spawn(1)
        try:
            return env.reset(int(of_game.generate_state(1, np.uint64)[0]), seat_number)
        except ValueError as error:
            raise ToolError(str(error)) from None

    def strict(function: Any) -> Any:
        """Return a tool that refuses arguments which it does not have; the library's own pass them over."""
        tool = Tool.from_function(function)
        arguments = tool.fn_metadata.arg_model
        arguments.model_config["extra"] = "forbid"
        arguments.model_rebuild(force=True)
        tool.parameters = arguments.model_json_schema(by_alias=True)
        return tool

    return MCPServer(
        "romans-env",
        instructions=f"Play {env.title}: read the rules, start a game, then play until it is over.",
        tools=[strict(function) for function in (new_game, *env.tools)],
    )
