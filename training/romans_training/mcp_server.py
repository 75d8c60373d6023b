"""A seat of a game for an assistant: a server of the Model Context Protocol, with tools to look and to act."""

from __future__ import annotations

import json
import logging
import secrets
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

import romans_agents
from romans_agents import Agent, UnknownAgentError
from romans_env import Game
from romans_env.errors import error_line, in_one_line, needs_extra
from romans_env.games import rules_of, spec_of
from romans_env.protocol import Rules, Setup
from romans_env.render.language import AnswerError, describe, introduce, plan_of
from romans_env.render.terminal import NO_BREAK, terminal_of

_LOG = logging.getLogger(__name__)


class NoGameError(ValueError):
    """There is no game yet."""


class Seat:
    """A seat that is played from outside, one game after another, against agents.

    What it gives is what the seat may know, and nothing else.

    Args:
        setup: the game, as its setup or its rules.
        opponents: agent specs, from the seat's left on; one alone plays every other seat.
        seed: decides all chance of the games, the first, the second and so on; None for fresh chance. Whoever plays is
            not asked for it: it could start a game with it from another seat first, and see the hands.

    Raises:
        ValueError: a wrong number of opponents.
        UnknownAgentError: a spec that names no agent.
    """

    def __init__(self, setup: Rules | Setup, opponents: Sequence[str], seed: int | None = None):
        self._rules = rules_of(setup)
        others = self._rules.num_players - 1
        specs = list(opponents) * others if len(opponents) == 1 else list(opponents)
        if len(specs) != others:
            raise ValueError(f"{self._rules.setup} needs {others} opponents, not {len(specs)}")
        self._opponents: list[Agent] = [romans_agents.make(spec, game=self._rules.name) for spec in specs]
        self._seeds = np.random.SeedSequence(seed)
        # Calls of one assistant may come from several threads at once.
        self._lock = threading.RLock()
        self._game: Game | None = None
        self._seat, self._shown = 0, 0

    def start(self, seat: int | None = None) -> str:
        """Start a game, and play it on to the first decision of the seat; what happened, and the decision.

        Args:
            seat: from 0; None for one that is drawn.

        Raises:
            ValueError: no such seat; no game is started.
        """
        if seat is not None and not 0 <= seat < self._rules.num_players:
            raise ValueError(f"seat is from 0 to {self._rules.num_players - 1}, not {seat}")
        (seeds,) = self._seeds.spawn(1)
        deal, drawn, *words = map(int, seeds.generate_state(len(self._opponents) + 2, np.uint64) >> np.uint64(1))
        chosen = drawn % self._rules.num_players if seat is None else seat
        with self._lock:
            for agent, word in zip(self._opponents, words, strict=True):
                agent.seed(word)
            self._game, self._seat, self._shown = Game(self._rules, seed=deal), chosen, 0
            self._play_others()
            return self._news()

    def look(self) -> str:
        """The position as the seat may know it, and its decision.

        Raises:
            NoGameError: there is no game.
        """
        with self._lock:
            game = self._playing()
            return describe(game.view(self._seat)) if not game.is_over else self._ending()

    def act(self, answer: str) -> str:
        """Play the actions of an answer, as `romans_env.render.language` reads it; what happened, and what is next.

        Raises:
            NoGameError: there is no game.
            AnswerError: an answer that cannot be played; nothing is played.
        """
        with self._lock:
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
            try:
                game.act(agent.act(game.view(seat)))
            except Exception as error:
                # Of an agent's own code. What it says may name its cards, so the assistant does not get it.
                _LOG.warning("%s failed, and a random action is played: %s", agent.name, error_line(error))
                game.act(secrets.choice(game.legal_actions()))

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
    with needs_extra("the server", "mcp"):
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.server.mcpserver.tools import Tool
    title = spec_of(game).title

    def answered(ask: Any) -> str:
        try:
            return str(ask())
        except (ValueError, UnknownAgentError) as error:
            raise ToolError(in_one_line(error)) from None

    def rules() -> str:
        """What the game is about, and what its cards do."""
        return introduce(game)

    def new_game(seat_number: int | None = None) -> str:
        """Start a game; one that is being played is given up."""
        return answered(lambda: seat.start(seat_number))

    def look() -> str:
        """The position as you may know it, and your legal actions."""
        return answered(seat.look)

    def act(actions: list[str]) -> str:
        """Play actions, by their names: one, or a whole plan, as long as it is your decision. Gives what happened."""
        return answered(lambda: seat.act(json.dumps({"actions": actions})))

    def strict(function: Any) -> Any:
        """A tool that refuses arguments which it does not have; the library's own pass them over."""
        tool = Tool.from_function(function)
        arguments = tool.fn_metadata.arg_model
        arguments.model_config["extra"] = "forbid"
        arguments.model_rebuild(force=True)
        tool.parameters = arguments.model_json_schema(by_alias=True)
        return tool

    return MCPServer(
        "romans-env",
        instructions=f"Play {title}: read the rules, start a game, then act until it is over.",
        tools=[strict(function) for function in (rules, new_game, look, act)],
    )
