"""A seat of a game for an assistant: a server of the Model Context Protocol, with tools to look and to act."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

import romans_agents
from romans_agents import Agent, UnknownAgentError
from romans_env import Game
from romans_env.errors import in_one_line
from romans_env.games import rules_of, spec_of
from romans_env.protocol import Rules, Setup
from romans_env.render.language import AnswerError, describe, introduce, plan_of
from romans_env.render.terminal import NO_BREAK, terminal_of


class NoGameError(ValueError):
    """There is no game yet."""


class Seat:
    """A seat that is played from outside, one game after another, against agents.

    What it gives is what the seat may know, and nothing else.

    Args:
        setup: the game, as its setup or its rules.
        opponents: agent specs, from the seat's left on; one alone plays every other seat.

    Raises:
        ValueError: a wrong number of opponents.
        UnknownAgentError: a spec that names no agent.
    """

    def __init__(self, setup: Rules | Setup, opponents: Sequence[str]):
        self._rules = rules_of(setup)
        others = self._rules.num_players - 1
        specs = list(opponents) * others if len(opponents) == 1 else list(opponents)
        if len(specs) != others:
            raise ValueError(f"{self._rules.setup} needs {others} opponents, not {len(specs)}")
        self._opponents: list[Agent] = [romans_agents.make(spec, game=self._rules.name) for spec in specs]
        self._game: Game | None = None
        self._seat, self._shown = 0, 0

    def start(self, seat: int | None = None, seed: int | None = None) -> str:
        """Start a game, and play it on to the first decision of the seat; what happened, and the decision.

        Args:
            seat: from 0; None for one that is drawn.
            seed: decides all chance; None for fresh chance.

        Raises:
            ValueError: no such seat, or a seed below 0.
        """
        seed = secrets.randbits(62) if seed is None else seed
        if seed < 0:
            raise ValueError(f"seed is at least 0, not {seed}")
        words = np.random.SeedSequence([seed, 1]).generate_state(len(self._opponents) + 1).tolist()
        drawn = words.pop() % self._rules.num_players
        chosen = drawn if seat is None else seat
        if not 0 <= chosen < self._rules.num_players:
            raise ValueError(f"seat is from 0 to {self._rules.num_players - 1}, not {seat}")
        for agent, word in zip(self._opponents, words, strict=True):
            agent.seed(word)
        self._game, self._seat, self._shown = Game(self._rules, seed=seed), chosen, 0
        self._play_others()
        return self._news()

    def look(self) -> str:
        """The position as the seat may know it, and its decision.

        Raises:
            NoGameError: there is no game.
        """
        game = self._playing()
        return describe(game.view(self._seat)) if not game.is_over else self._ending()

    def act(self, answer: str) -> str:
        """Play the actions of an answer, as `romans_env.render.language` reads it; what happened, and what is next.

        Raises:
            NoGameError: there is no game.
            AnswerError: an answer that cannot be played; nothing is played.
        """
        game = self._playing()
        if game.is_over:
            raise AnswerError("the game is over; start another")
        plan = plan_of(answer, game.view(self._seat))
        for action in plan.actions:
            game.act(action)
        self._play_others()
        return self._news()

    def _playing(self) -> Game:
        if self._game is None:
            raise NoGameError("there is no game yet; start one")
        return self._game

    def _play_others(self) -> None:
        game = self._playing()
        while (seat := game.seat_to_act) is not None and seat != self._seat:
            agent = self._opponents[(seat - self._seat) % self._rules.num_players - 1]
            game.act(agent.act(game.view(seat)))

    def _news(self) -> str:
        """What happened since the last time, as the seat may know it, and its view."""
        game = self._playing()
        story = terminal_of(self._rules.name).story(game, game.players[self._seat])
        lines, self._shown = story[self._shown :], len(story)
        return "\n".join([*(line.replace(NO_BREAK, " ") for line in lines), "", self.look()])

    def _ending(self) -> str:
        game = self._playing()
        points = ", ".join(f"{player} {points}" for player, points in game.points().items())
        you = game.players[self._seat]
        how = {1.0: "You win.", -1.0: "You lose."}.get(game.returns()[you], "The win is shared.")
        return f"The game is over. You are {you}. {how} Points: {points}.\n"


def server_of(seat: Seat, game: str) -> Any:
    """The server of a seat, an `mcp.server.MCPServer`, which is yet to be run.

    Args:
        seat: the seat.
        game: the name of the game.

    Raises:
        ModuleNotFoundError: saying how to install the package.
    """
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"the server needs {error.name}: install the extra 'mcp', by pip install \"romans-env[mcp]\"",
            name=error.name,
        ) from None
    title = spec_of(game).title
    server = MCPServer(
        "romans-env", instructions=f"Play {title}: read the rules, start a game, then act until it is over."
    )

    def answered(ask: Any) -> str:
        try:
            return str(ask())
        except (ValueError, UnknownAgentError) as error:
            raise ToolError(in_one_line(error)) from None

    def rules() -> str:
        """What the game is about, and what its cards do."""
        return introduce(game)

    def new_game(seat_number: int | None = None, seed: int | None = None) -> str:
        """Start a game; one that is being played is given up. A seed makes the same game again."""
        return answered(lambda: seat.start(seat_number, seed))

    def look() -> str:
        """The position as you may know it, and your legal actions."""
        return answered(seat.look)

    def act(actions: list[str]) -> str:
        """Play actions, by their names: one, or a whole plan, as long as it is your decision. Gives what happened."""
        return answered(lambda: seat.act(json.dumps({"actions": actions})))

    for tool in (rules, new_game, look, act):
        server.add_tool(tool)
    return server
