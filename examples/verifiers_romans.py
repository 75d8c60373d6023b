"""A taskset for verifiers: a language model plays a seat of a game by tool calls, against an agent of this package.

The taskset is found by the name of this module, so its folder must be on the path:

    PYTHONPATH=examples vf-eval verifiers_romans --env.taskset.game roma --env.taskset.num-deals 10 --no-push \\
        --model MODEL --client.base-url http://127.0.0.1:8000/v1 --env.agent.harness.id null \\
        --env.agent.runtime.type subprocess
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import verifiers.v1 as vf

from romans_agents.external.text_env import make_text_env, tasks
from romans_env.core.games import spec_of


class SeatData(vf.TaskData):
    """The game of a rollout: settings of the text environment, and the arguments of its reset."""

    settings: dict[str, Any]
    start: dict[str, Any]


class SeatState(vf.State):
    """The state that the tool server reports to the rollout."""

    is_over: bool = False
    reward: float = -1.0
    num_refused: int = 0


class Seat(vf.Toolset[vf.ToolsetConfig, SeatState]):
    """The tools of a text environment, in a separate process for every rollout."""

    TOOL_PREFIX = None

    async def setup_task(self, task: SeatData) -> None:
        self.env = make_text_env(**task.settings)
        self.env.reset(**task.start)

    def register(self, mcp: Any) -> None:
        for tool in self.env.tools:
            mcp.add_tool(self._with_state(self._told(tool)), name=tool.__name__, description=tool.__doc__)

    def _told(self, tool: Callable[..., str]) -> Callable[..., str]:
        @functools.wraps(tool)
        def call(*arguments: Any, **named: Any) -> str:
            text = tool(*arguments, **named)
            self.state.is_over, self.state.num_refused = self.env.is_over, self.env.num_refused
            self.state.reward = self.env.get_reward()
            return text

        return call


class SeatTask(vf.Task[SeatData, SeatState]):
    """A game from one seat; the rollout stops when the game is over."""

    @classmethod
    def toolsets(cls, config: vf.TaskConfig) -> list[vf.Toolset]:
        return [Seat(vf.ToolsetConfig())]

    @vf.stop
    async def game_over(self, trace: vf.Trace) -> bool:
        return trace.state.is_over

    @vf.reward
    async def game_reward(self, trace: vf.Trace) -> float:
        return trace.state.reward

    @vf.metric
    async def refused(self, trace: vf.Trace) -> float:
        return float(trace.state.num_refused)


class SeatsConfig(vf.TasksetConfig):
    """Command line options, under ``--env.taskset``."""

    game: str = "romans-go-home"
    against: str | None = None
    reward: str = "win"
    num_players: int | None = None
    num_deals: int = 100
    first_seed: int = 0


class Seats(vf.Taskset[SeatTask, SeatsConfig]):
    """Every deal from every seat. The prompt contains the first decision; the seed leads the tools to the same game."""

    def load(self) -> Iterator[SeatTask]:
        game, players = self.config.game, self.config.num_players or spec_of(self.config.game).default_players
        settings = {**self.config.model_dump(include={"game", "against", "reward"}), "setup": {"num_players": players}}
        env = make_text_env(**settings)
        for row in tasks(game, self.config.num_deals, self.config.first_seed, players):
            start = {name: row[name] for name in ("seed", "seat")}
            prompt = row["prompt"][0]["content"] + env.reset(**start)
            yield SeatTask(SeatData(prompt=prompt, settings=settings, start=start), self.config.task)


__all__ = ["Seats"]

if __name__ == "__main__":
    Seat.run()
