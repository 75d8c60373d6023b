"""Rendering as text, the same in every one-game environment."""

from __future__ import annotations

from collections.abc import Callable

from romans_env.game import Game

RENDER_MODES = ["ansi", "human"]

Renderer = Callable[..., str]
"""``renderer(game, viewer, told)``: the position and what happened, from event ``told`` on or, for None, lately."""


class RenderModeError(ValueError, TypeError):
    """A render mode that there is not.

    Also a TypeError, because that is what stable-baselines3's ``make_vec_env`` catches to go on without a render mode.
    """


def check_render_mode(render_mode: str | None) -> None:
    """RenderModeError for an unknown mode."""
    if render_mode not in (None, *RENDER_MODES):
        raise RenderModeError(f"render_mode is None or one of {RENDER_MODES}, not {render_mode!r}")


class TextRendering:
    """Mixed into an environment that sets ``render_mode`` and ``_renderer``, and ``_num_told`` to 0 at its resets."""

    render_mode: str | None
    _renderer: Renderer
    _num_told: int

    def _rendered(self, game: Game, viewer: str | None) -> str | None:
        """Text in mode ``"ansi"``; in ``"human"`` what is new is printed, and None given back."""
        if self.render_mode is None:
            return None
        if self.render_mode == "ansi":
            return self._renderer(game, viewer)
        print(self._renderer(game, viewer, self._num_told))
        self._num_told = len(game.events())
        return None
