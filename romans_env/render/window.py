"""The window of ``render_mode="human"``, which uses pygame like Gymnasium's own environments."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import DependencyNotInstalled


def has_screen() -> bool:
    """Return whether a window can be opened, because there is a display or SDL is told to use another driver."""
    if os.environ.get("SDL_VIDEODRIVER") or sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def check_window_library() -> None:
    """Check that pygame can be imported.

    Raises:
        DependencyNotInstalled: if it cannot; the message names the package to install.
    """
    _pygame()


class Window:
    """A window that shows pictures one after the other; the first picture opens it. A copy starts with a closed window.

    Args:
        title: the title of the window.
        fps: the largest number of pictures per second; `show` waits until the next picture is due.
    """

    def __init__(self, title: str, fps: float):
        self._title, self._fps = title, fps
        self._surface: Any = None
        self._clock: Any = None
        self._was_closed = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Window, (self._title, self._fps)

    def show(self, picture: npt.NDArray[np.uint8]) -> None:
        """Show a picture, uint8 of shape ``(height, width, 3)``; do nothing once the user has closed the window."""
        if self._was_closed:
            return
        pygame = _pygame()
        height, width = picture.shape[:2]
        if self._surface is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._surface = pygame.display.set_mode((width, height))
            self._clock = pygame.time.Clock()
        self._surface.blit(pygame.image.frombuffer(picture.tobytes(), (width, height), "RGB"), (0, 0))
        pygame.display.flip()
        # Polling events also keeps the system from considering the window hung.
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self._was_closed = True
            return
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Close the window if it is open; the next picture opens it again."""
        if self._surface is not None:
            self._surface = None
            _pygame().display.quit()


def _pygame() -> Any:
    try:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        import pygame
    except ImportError:
        raise DependencyNotInstalled(
            "render_mode 'human' opens a window with pygame; install it with pip install 'romans-env[window]', or use "
            "render_mode 'ansi' or 'rgb_array'"
        ) from None
    return pygame
