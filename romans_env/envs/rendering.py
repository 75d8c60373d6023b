"""The render modes, the same in every one-game environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import logger

from romans_env.core.game import Game
from romans_env.render.picture import Picture
from romans_env.render.renderer import Renderer
from romans_env.render.window import Window, check_window_library, has_screen

RENDER_MODES = ["ansi", "human", "rgb_array"]
RENDER_FPS = 2
"""Frames per second of the window and of videos: slow enough to follow the decisions."""


class RenderModeError(ValueError):
    """An unknown render mode."""


def check_render_mode(render_mode: str | None) -> None:
    """Check that a render mode exists and can be shown here.

    Raises:
        RenderModeError: an unknown mode.
        gymnasium.error.DependencyNotInstalled: ``"human"`` where there is a screen and no pygame.
    """
    if render_mode not in (None, *RENDER_MODES):
        raise RenderModeError(f"render_mode is None or one of {RENDER_MODES}, not {render_mode!r}")
    if render_mode == "human" and has_screen():
        check_window_library()


def warn_of_no_render_mode() -> None:
    """Warn, as Gymnasium and PettingZoo do, of a ``render()`` of an environment without a render mode."""
    logger.warn(
        "You are calling render method without specifying any render mode: choose render_mode='rgb_array', 'ansi' or "
        "'human' when the environment is created"
    )


def frame_of(picture: Picture) -> npt.NDArray[np.uint8]:
    """Return the pixels of a picture, uint8, shape (height, width, 3), both even.

    The usual video codecs take even sizes alone, so an odd last row or column is repeated.
    """
    pixels = picture.pixels()
    height, width, _ = pixels.shape
    return np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")


class Rendering:
    """Mixed into an environment that calls `_set_up_rendering`, and sets ``_num_shown`` to 0 at its resets."""

    render_mode: str | None
    _renderer: Renderer
    _num_shown: int

    def _set_up_rendering(self, render_mode: str | None, renderer: Renderer) -> None:
        check_render_mode(render_mode)
        self.render_mode, self._renderer = render_mode, renderer
        self._window = Window(renderer.title, RENDER_FPS) if render_mode == "human" and has_screen() else None
        if render_mode == "human" and self._window is None:
            logger.warn("render_mode='human' prints text: a window needs a screen, and DISPLAY is not set")

    def _rendered(self, game: Game, viewer: str | None) -> Any:
        """Render a game: text in mode ``"ansi"``, pixels in ``"rgb_array"``; ``"human"`` shows it and returns None.

        It is shown as a picture in a window, or where there is no screen as the text of what is new.
        """
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

    def _close_window(self) -> None:
        if self._window is not None:
            self._window.close()
