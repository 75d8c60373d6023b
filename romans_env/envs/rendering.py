"""The render modes, and the conversion of pictures to video frames."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from gymnasium import logger

from romans_env.render.picture import Picture
from romans_env.render.window import check_window_library, has_screen

RENDER_MODES = ["ansi", "human", "rgb_array"]
RENDER_FPS = 2
"""Frames per second of the window and of videos: slow enough to follow the decisions."""


class RenderModeError(ValueError):
    """An unknown render mode."""


def check_render_mode(render_mode: str | None) -> None:
    """Check that a render mode exists and can be used here.

    Raises:
        RenderModeError: if the mode is unknown.
        gymnasium.error.DependencyNotInstalled: if the mode is ``"human"``, and there is a display but no pygame.
    """
    if render_mode not in (None, *RENDER_MODES):
        raise RenderModeError(f"render_mode is None or one of {RENDER_MODES}, not {render_mode!r}")
    if render_mode == "human" and has_screen():
        check_window_library()


def warn_of_no_render_mode() -> None:
    """Warn that ``render()`` was called without a render mode, as Gymnasium and PettingZoo do."""
    logger.warn(
        "You are calling render method without specifying any render mode: choose render_mode='rgb_array', 'ansi' or "
        "'human' when the environment is created"
    )


def frame_of(picture: Picture) -> npt.NDArray[np.uint8]:
    """Return the pixels of a picture: uint8, shape ``(height, width, 3)``, with even height and width.

    Common video codecs need even sizes, so the last row or column of an odd size is repeated.
    """
    pixels = picture.pixels()
    height, width, _ = pixels.shape
    return np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
