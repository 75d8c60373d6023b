"""The common base of the environments of one game: methods of the game in progress, and rendering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gymnasium import logger

from romans_env.core.game import Game, View
from romans_env.core.protocol import Rules
from romans_env.core.records import Record
from romans_env.core.state_records import copied
from romans_env.envs.rendering import RENDER_FPS, check_render_mode, frame_of, warn_of_no_render_mode
from romans_env.envs.rewards import Reward, SeatState, check_reward, seat_state
from romans_env.render.renderer import Renderer
from romans_env.render.window import Window, has_screen


class GameEnv:
    """The base class of `GameAECEnv` and `SingleSeatEnv`, next to PettingZoo's and Gymnasium's classes.

    A subclass calls `_set_up` in its constructor; at each reset it sets ``_game``, and ``_num_shown`` to 0.
    """

    _game: Game | None = None
    _num_shown: int

    def _set_up(self, rules: Rules, reward: Reward, render_mode: str | None, renderer: Renderer) -> None:
        check_reward(reward)
        check_render_mode(render_mode)
        self.rules, self.reward = rules, reward
        self.render_mode, self._renderer = render_mode, renderer
        self._window = Window(renderer.title, RENDER_FPS) if render_mode == "human" and has_screen() else None
        if render_mode == "human" and self._window is None:
            logger.warn("render_mode='human' prints text: a window needs a screen, and DISPLAY is not set")

    # -- the game in progress

    @property
    def game(self) -> Game:
        """The game in progress; RuntimeError before the first reset."""
        if self._game is None:
            raise RuntimeError("call reset() first")
        return self._game

    def deal(self) -> dict[str, Any]:
        """Return the deal as plain JSON; ``reset(options={"deal": deal})`` plays it again."""
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
        """Return the private view of an agent: what it may know now."""
        return self.game.view(agent)

    def position(self, agent: str | None = None) -> dict[str, Any]:
        """Return the position as plain JSON: the full state, or what one agent may know, with None for the unknown."""
        return self.game.position(agent)

    def winners(self) -> list[str]:
        """Return the names of the winners; empty while the game runs."""
        return self.game.winners()

    def returns(self) -> dict[str, float]:
        """Return the return of each player by name, in [-1, 1]; 0 while the game runs."""
        return self.game.returns()

    def record(self) -> Record:
        """Return the whole game as JSON, which `replay` reads."""
        return self.game.record()

    @staticmethod
    def replay(record: Any) -> Game:
        """Return the game of a record, at the position where the record ends (`romans_env.replay`)."""
        return Game.replay(record)

    def _seat_states(self, seats: Sequence[int]) -> list[SeatState]:
        """Return snapshots of seats for reward functions; they do not change when the game goes on."""
        states = copied(self.game.states)
        return [seat_state(self.rules, states, 0, seat) for seat in seats]

    # -- rendering

    def _rendered(self, viewer: str | None) -> Any:
        """Render the game for a viewer, or, with None, the full state.

        Returns:
            Text in mode ``"ansi"``, pixels in mode ``"rgb_array"``. In mode ``"human"`` None: the picture is shown in a
            window, or the new part of the text is printed if there is no display.
        """
        game = self.game
        if self.render_mode is None:
            warn_of_no_render_mode()
            return None
        if self.render_mode == "ansi":
            return self._renderer.text(game, viewer)
        if self.render_mode == "rgb_array":
            return frame_of(self._renderer.picture(game, viewer))
        if self._window is not None:
            self._window.show(self._renderer.picture(game, viewer).pixels())
            return None
        print(self._renderer.text(game, viewer, self._num_shown))
        self._num_shown = len(game.events())
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
