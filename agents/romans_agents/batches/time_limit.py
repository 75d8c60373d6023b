"""Calls of agents' code with a time limit."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class DecisionTimeout(BaseException):
    """Interrupts a call that exceeds its time limit; it is not an `Exception`, which the called code might catch."""


def run_with_timeout(seconds: float | None, function: Callable[[], T]) -> T:
    """Call ``function``, and interrupt it with `DecisionTimeout` after ``seconds``.

    Only Python code in the main thread of a process on Unix can be interrupted. In other threads, on Windows, and in
    compiled code, the call runs to its end. Code that catches the interruption is interrupted again.

    Args:
        seconds: the time limit in seconds; None for no limit.
        function: the function to call, without arguments.

    Returns:
        The result of ``function``.

    Raises:
        DecisionTimeout: if the call was interrupted.
    """
    if sys.platform == "win32" or seconds is None or threading.current_thread() is not threading.main_thread():
        return function()
    before = signal.signal(signal.SIGALRM, _interrupt)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, max(seconds, 0.1))
            return function()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        # The signal may have arrived while the line above ran.
        with contextlib.suppress(DecisionTimeout):
            signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _interrupt(number: int, frame: Any) -> None:
    raise DecisionTimeout
