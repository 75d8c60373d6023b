"""The games of an assistant's server, with a stand-in of the library. (`tests/release` has the library itself.)"""

import inspect
import sys
from types import ModuleType, SimpleNamespace

import pytest

import romans_env
from romans_agents.external.text_env import make_text_env
from romans_training.cli.mcp_server import server_of
from tests.harness import each_game

pytestmark = pytest.mark.usefixtures("toy")


class Tool(SimpleNamespace):
    """A function as a tool."""

    @classmethod
    def from_function(cls, function, description):
        arguments = SimpleNamespace(
            model_config={},
            model_rebuild=lambda force: None,
            model_json_schema=lambda by_alias: {
                "properties": {name: {} for name in inspect.signature(function).parameters}
            },
        )
        metadata = SimpleNamespace(arg_model=arguments)
        return cls(name=function.__name__, call=function, description=description, fn_metadata=metadata)


@pytest.fixture
def library(monkeypatch):
    """The names that the server imports."""
    parts = {
        "mcp": {},
        "mcp.server": {"MCPServer": lambda name, **settings: SimpleNamespace(**settings)},
        "mcp.server.mcpserver": {},
        "mcp.server.mcpserver.exceptions": {"ToolError": RuntimeError},
        "mcp.server.mcpserver.tools": {"Tool": Tool},
    }
    for name, contents in parts.items():
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)


@each_game
def test_hosts_are_told_what_every_tool_and_argument_is(game, library):
    server = server_of(make_text_env(game.name, against="random", setup=game.rules().setup))
    assert server.version == romans_env.__version__
    for tool in server.tools:
        assert tool.description.endswith(".")
        assert not any(mark in tool.description for mark in ("  ", "\n", "Args:", "Returns:"))
        assert all(argument["description"] for argument in tool.parameters["properties"].values())


@each_game
def test_an_action_that_cannot_be_played_is_an_error_and_the_game_goes_on(game, library):
    env = make_text_env(game.name, against="random", setup=game.rules().setup)
    tools = {tool.name: tool.call for tool in server_of(env, seed=5).tools}
    tools["new_game"](seat_number=0)
    before = tools["look"]()
    with pytest.raises(RuntimeError, match="That cannot be played: there is no action 'sing'"):
        tools["choose"](action="sing")
    assert tools["look"]() == before
    tools["choose"](action=env.legal_actions[0])


@each_game
def test_a_game_cannot_be_looked_at_from_another_seat_first(game, library):
    """The assistant names the seat and no seed: the next game has other chance, which the server's seed decides."""
    env, chance = make_text_env(game.name, against="random", setup=game.rules().setup), []
    for _ in range(2):
        new_game = server_of(env, seed=5).tools[0].call
        for seat in (1, 0):
            new_game(seat_number=seat)
            chance.append(env.game.outcomes)
    assert chance[:2] == chance[2:]
    common = min(map(len, chance))
    assert chance[0][:common] != chance[1][:common]
    with pytest.raises(RuntimeError, match="seat is from 0 to"):
        new_game(seat_number=9)
