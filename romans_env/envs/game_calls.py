"""The calls about the game in progress that every one-game environment offers on ``env.unwrapped``."""

from __future__ import annotations

from typing import Any

from romans_env.core.game import Game, View
from romans_env.core.protocol import Rules
from romans_env.core.records import Record


class GameCalls:
    """Mixed into an environment that sets ``rules`` and, at its resets, ``_game``."""

    rules: Rules
    _game: Game | None

    @property
    def game(self) -> Game:
        """The game in progress; RuntimeError before the first reset."""
        if self._game is None:
            raise RuntimeError("call reset() first")
        return self._game

    def deal(self) -> dict[str, Any]:
        """Return the deal as plain JSON; ``reset(options={"deal": deal})`` plays it."""
        return self.game.deal()

    def action_name(self, action: int) -> str:
        """Return the name of an action id."""
        return self.rules.action_name(action)

    def action_id(self, name: str) -> int:
        """Return the id of an action name."""
        return self.rules.action_id(name)

    def legal_actions(self) -> list[int]:
        """Return the ids of the legal actions, ascending."""
        return self.game.legal_actions()

    def view(self, agent: str) -> View:
        """Return the private view of an agent, as an object."""
        return self.game.view(agent)

    def position(self, agent: str | None = None) -> dict[str, Any]:
        """Return the full state as plain data, or the private view of one agent."""
        return self.game.position(agent)

    def winners(self) -> list[str]:
        """Return the names of the winners; empty while the game runs."""
        return self.game.winners()

    def returns(self) -> dict[str, float]:
        """Return the return of every player; 0 while the game runs."""
        return self.game.returns()

    def record(self) -> Record:
        """Return the game as a JSON record."""
        return self.game.record()

    @staticmethod
    def replay(record: Any) -> Game:
        """Return the game of a record."""
        return Game.replay(record)
