"""Shows the progress of compiling: the cache folder, the current function, and the time.

On a terminal it is a single line that is redrawn and finally erased. If standard error is not a terminal, or another
library such as rich draws on it, a line is printed from time to time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from numba.core.event import Event, Listener

FIRST_AFTER_SECONDS = 1.5
"""The total compile time of the process, in seconds, before anything is shown."""
REDRAW_EVERY_SECONDS = 0.25
LINE_EVERY_SECONDS = 15.0
"""The time between two lines if they cannot be redrawn."""

_NAME = "romans_env"


class CachedFunction(NamedTuple):
    """A compiled function that is cached on disk.

    Attributes:
        name: its name in messages, such as ``romans_go_home.one_game.act``.
        folder: its cache folder; None if no folder is writable.
    """

    name: str
    folder: Path | None


class _CompileProgress(Listener):  # type: ignore[misc]
    """Shows what this process compiles, or what it waits for.

    It listens to events of the compiler, so calls of compiled functions have no overhead. Numba compiles one function
    at a time; a function called by another is compiled while the other is.

    Attributes:
        functions: the functions that are cached on disk, by their dispatchers.
    """

    def __init__(self) -> None:
        self.functions: dict[Any, CachedFunction] = {}
        self._report: Callable[[str], object] | None = None
        self._texts: list[str] = []
        self._begun = self._busy = 0.0
        self._display: tuple[threading.Thread, threading.Event] | None = None
        self._num_ready = 0
        self._part = ""
        self._has_said_where = False
        self._last_line_at = -LINE_EVERY_SECONDS
        self._when_compiling: Callable[[], object] | None = None

    def ready(self) -> set[str]:
        """Return the names of the functions that this process has compiled or loaded."""
        return {one.name for function, one in list(self.functions.items()) if function.overloads}

    @property
    def is_compiling(self) -> bool:
        """Whether this process, or one that it waits for, is compiling now."""
        return bool(self._texts)

    # -- numba's events

    def on_start(self, event: Event) -> None:
        """Handle numba's event that the compilation of a function starts."""
        function = self.functions.get(_dispatcher(event))
        if function is not None:
            self._begin(f"compiling {function.name}", _where(function.folder))
            begun, self._when_compiling = self._when_compiling, None
            if begun is not None:
                begun()

    def on_end(self, event: Event) -> None:
        """Handle numba's event that the compilation of a function ends."""
        if _dispatcher(event) in self.functions:
            self._num_ready += 1
            self._end()

    # -- what others call

    @contextlib.contextmanager
    def showing(self, text: str) -> Iterator[None]:
        """Show a text during the block."""
        self._begin(text)
        try:
            yield
        finally:
            self._end()

    @contextlib.contextmanager
    def of_part(self, number: int, of: int) -> Iterator[None]:
        """Show, during the block, that compiling belongs to part ``number`` of ``of`` parts, counted from 1."""
        before, self._part = self._part, f", part {number} of {of}" if of > 1 else ""
        try:
            yield
        finally:
            self._part = before

    @contextlib.contextmanager
    def reported_to(self, report: Callable[[str], object]) -> Iterator[None]:
        """Pass the text to a function instead of printing it during the block; an empty text when compiling ends."""
        before, self._report = self._report, report
        try:
            yield
        finally:
            self._report = before

    @contextlib.contextmanager
    def calling(self, begun: Callable[[], object]) -> Iterator[None]:
        """Call a function when the first compilation during the block starts, if there is one."""
        before, self._when_compiling = self._when_compiling, begun
        try:
            yield
        finally:
            self._when_compiling = before

    # -- the display

    def _begin(self, text: str, first_line: str = "") -> None:
        self._texts.append(text)
        if len(self._texts) > 1:
            return
        self._begun = time.monotonic()
        stop = threading.Event()
        delay = max(0.0, FIRST_AFTER_SECONDS - self._busy)
        thread = threading.Thread(target=self._show, args=(stop, delay, first_line), daemon=True)
        thread.start()
        self._display = thread, stop

    def _end(self) -> None:
        self._texts.pop()
        if self._texts or self._display is None:
            return
        thread, stop = self._display
        self._display = None
        stop.set()
        thread.join()
        self._busy += time.monotonic() - self._begun

    def _show(self, stop: threading.Event, delay: float, first_line: str) -> None:
        if stop.wait(delay):
            return
        if first_line and not self._has_said_where and self._report is None:
            self._has_said_where = True
            self._write_line(f"{_NAME}: {first_line}")
        is_drawn = False
        while not stop.wait(0.0 if not is_drawn else REDRAW_EVERY_SECONDS):
            seconds = self._busy + time.monotonic() - self._begun
            text = f"{(self._texts or [''])[-1]} ({seconds:.0f} s, {self._num_ready} ready{self._part})"
            if self._report is not None:
                self._report(text)
            elif _can_be_redrawn():
                _write(f"\r{f'{_NAME}: {text}'[: shutil.get_terminal_size().columns - 1]}\x1b[K")
            else:
                self._write_line(f"{_NAME}: {text}")
            is_drawn = True
        if is_drawn and self._report is not None:
            self._report("")
        elif is_drawn and _can_be_redrawn():
            _write("\r\x1b[K")

    def _write_line(self, line: str) -> None:
        now = time.monotonic()
        if now - self._last_line_at >= LINE_EVERY_SECONDS:
            self._last_line_at = now
            _write(f"{line}\n")


def say(line: str) -> None:
    """Print a message on standard error, as one line."""
    _write(f"{_NAME}: {line}\n")


def _dispatcher(event: Event) -> Any:
    """Return the dispatcher of the function that an event is about."""
    assert event.data is not None
    return event.data["dispatcher"]


def _where(folder: Path | None) -> str:
    if folder is None:
        return (
            "compiling at every start, because no folder for compiled code is writable: "
            "set the environment variable NUMBA_CACHE_DIR to a writable folder"
        )
    return f"compiling once, for some seconds; the compiled code is kept for later runs in\n  {folder.parent}"


def _can_be_redrawn() -> bool:
    """Return whether standard error is a terminal on which only this process draws."""
    stream = sys.__stderr__
    return stream is not None and stream is sys.stderr and stream.isatty() and multiprocessing.parent_process() is None


def _write(text: str) -> None:
    # Programs without a console have no standard error, and a pipe may have been closed.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()


progress = _CompileProgress()
"""The progress display of this process."""
