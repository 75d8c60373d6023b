"""What a user sees while something compiles: where the result is kept, what is compiled, and for how long.

On a terminal that is one line, written over and removed in the end; elsewhere, and where another program such as rich
draws on the terminal, whole lines now and then.
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
"""Compiling that takes less, all functions together, is not worth a line."""
REDRAW_EVERY_SECONDS = 0.25
LINE_EVERY_SECONDS = 15.0
"""How often there is a line where lines cannot be written over."""

_NAME = "romans_env"


class CachedFunction(NamedTuple):
    """What is known of a function that is kept on disk.

    Attributes:
        name: for messages, such as ``romans_go_home.one_game.act``.
        folder: where its code is kept; None where nothing can be written.
    """

    name: str
    folder: Path | None


class _CompileProgress(Listener):  # type: ignore[misc]
    """Shows what is compiled, and what this process waits for.

    It listens to the compiler itself, so that calls of what is compiled (or on disk) cost nothing. Numba compiles one
    function at a time; an entry point that another one calls is compiled within it.

    Attributes:
        functions: the functions that are kept on disk, by their dispatchers.
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
        """Whether something is compiled just now, here or in a process that this one waits for."""
        return bool(self._texts)

    # -- numba's events

    def on_start(self, event: Event) -> None:
        """Note that numba begins to compile a function."""
        function = self.functions.get(_dispatcher(event))
        if function is not None:
            self._begin(f"compiling {function.name}", _where(function.folder))
            begun, self._when_compiling = self._when_compiling, None
            if begun is not None:
                begun()

    def on_end(self, event: Event) -> None:
        """Note that numba has compiled a function."""
        if _dispatcher(event) in self.functions:
            self._num_ready += 1
            self._end()

    # -- what others call

    @contextlib.contextmanager
    def showing(self, text: str) -> Iterator[None]:
        """Show a text while the block runs."""
        self._begin(text)
        try:
            yield
        finally:
            self._end()

    @contextlib.contextmanager
    def of_part(self, number: int, of: int) -> Iterator[None]:
        """Say with what is compiled while the block runs that it belongs to one part of several, counted from 1."""
        before, self._part = self._part, f", part {number} of {of}" if of > 1 else ""
        try:
            yield
        finally:
            self._part = before

    @contextlib.contextmanager
    def reported_to(self, report: Callable[[str], object]) -> Iterator[None]:
        """Call a function with the text, in place of writing it, while the block runs; with '' when a compile ends."""
        before, self._report = self._report, report
        try:
            yield
        finally:
            self._report = before

    @contextlib.contextmanager
    def calling(self, begun: Callable[[], object]) -> Iterator[None]:
        """Call a function when something begins to compile while the block runs; once, or never."""
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
    """Write a line to the user on standard error, whatever is compiled."""
    _write(f"{_NAME}: {line}\n")


def _dispatcher(event: Event) -> Any:
    """Return what numba compiles."""
    assert event.data is not None
    return event.data["dispatcher"]


def _where(folder: Path | None) -> str:
    if folder is None:
        return (
            "compiling; no folder for compiled code can be written, so it is not kept and every start compiles anew: "
            "set the environment variable NUMBA_CACHE_DIR to a folder that can be written"
        )
    return f"compiling, once, for some seconds; what later runs need is kept in\n  {folder.parent}"


def _can_be_redrawn() -> bool:
    """Return whether standard error is a terminal of which this process alone writes the line."""
    stream = sys.__stderr__
    return stream is not None and stream is sys.stderr and stream.isatty() and multiprocessing.parent_process() is None


def _write(text: str) -> None:
    # A program without a console has no standard error, and a pipe may be closed.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()


progress = _CompileProgress()
"""What the user sees of this process."""
