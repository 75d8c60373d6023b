"""A seat for an assistant, over the Model Context Protocol."""

import asyncio
import os
import re
import sys

import numpy as np
import pytest

import romans_env
from romans_agents.external.text_env import make_text_env
from romans_env import Table
from romans_training.cli.mcp_server import server_of
from tests.agents.texts import first_action, played


def seat():
    return make_text_env("romans-go-home", against="greedy", setup=Table(2, 0))


async def play_over(client):
    """Play a game through a client; gives the texts."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"rules", "new_game", "look", "choose", "plan"}
    assert client.server_info.version == romans_env.__version__
    for tool in tools.values():
        assert tool.description and not re.search("  |\n|Args:|Returns:", tool.description)
        assert all(one["description"] for one in tool.input_schema["properties"].values())
    assert tools["plan"].input_schema["properties"]["line"]["description"].startswith("The warriors that you lay face")
    assert "There is no game yet" in (await client.call_tool("look", {})).content[0].text
    wrong = await client.call_tool("new_game", {"seat_number": 2})
    assert wrong.is_error and "seat is from 0 to 1, not 2" in wrong.content[0].text
    texts = [(await client.call_tool("rules", {})).content[0].text]
    for name, arguments in (("new_game", {"seat_number": 0, "seed": 5}), ("look", {"viewer": "player_1"})):
        wrong = await client.call_tool(name, arguments)
        assert wrong.is_error and "Extra inputs are not permitted" in wrong.content[0].text
    result = await client.call_tool("new_game", {"seat_number": 0})
    texts.append(result.content[0].text)
    wrong = await client.call_tool("choose", {"action": "take:1"})
    assert wrong.is_error and "take:1 is not legal" in wrong.content[0].text
    assert not (await client.call_tool("look", {})).is_error
    while "The game is over." not in texts[-1]:
        result = await client.call_tool("choose", {"action": first_action(texts[-1])})
        assert not result.is_error, result
        texts.append(result.content[0].text)
    return texts


def test_a_scripted_client_plays_a_game():
    mcp = pytest.importorskip("mcp.client", reason="needs mcp; install the extra 'mcp'")

    async def run():
        async with mcp.Client(server_of(seat(), seed=5)) as client:
            return await play_over(client)

    texts = asyncio.run(run())
    _refused, of_game = np.random.SeedSequence(5).spawn(2)
    assert texts[1:] == played(seat(), seed=int(of_game.generate_state(1, np.uint64)[0]), seat=0)


def test_the_command_serves_over_standard_input_and_output():
    mcp = pytest.importorskip("mcp", reason="needs mcp; install the extra 'mcp'")
    stdio = pytest.importorskip("mcp.client.stdio")
    client_module = pytest.importorskip("mcp.client")
    arguments = ["-m", "romans_training.cli.main", "mcp", "--against", "random", "--table", "2+0"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    parameters = mcp.StdioServerParameters(command=sys.executable, args=arguments, env=environment)

    async def run():
        async with client_module.Client(stdio.stdio_client(parameters)) as client:
            return await play_over(client)

    assert "The game is over." in asyncio.run(run())[-1]


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(ModuleNotFoundError, match=r'install the extra \'mcp\', by pip install "romans-env\[mcp\]"'):
        server_of(seat())
