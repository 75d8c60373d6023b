"""A window for ``render_mode="human"``, by pygame, which Gymnasium's own environments use."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import DependencyNotInstalled


def has_screen() -> bool:
    """Return whether a window can be opened here: there is a display, or SDL has a driver set to draw on."""
    if os.environ.get("SDL_VIDEODRIVER") or sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def check_window_library() -> None:
    """Check that pygame is installed; raise DependencyNotInstalled, saying what to install, otherwise."""
    _pygame()


class Window:
    """Shows one picture after the other; opened by the first. Copies are windows that are not open yet.

    Args:
        title: the title of the window.
        fps: pictures a second, at most: showing one waits until it is its turn.
    """

    def __init__(self, title: str, fps: float):
        self._title, self._fps = title, fps
        self._surface: Any = None
        self._clock: Any = None
        self._was_closed = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Window, (self._title, self._fps)

    def show(self, picture: npt.NDArray[np.uint8]) -> None:
        """Show pixels of shape (height, width, 3); no-op once the window is closed."""
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
        # Asking for events is also what keeps the system from taking the window for hung.
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self._was_closed = True
            return
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Close the window if it is open; another picture would open it again."""
        if self._surface is not None:
            self._surface = None
            _pygame().display.quit()


def _pygame() -> Any:
    try:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        import pygame
    except ImportError:
        raise DependencyNotInstalled(
            "render_mode 'human' opens a window with pygame; install it by pip install 'romans-env[window]', or use "
            "render_mode 'ansi' or 'rgb_array'"
        ) from None
    return pygame
