"""A call that is interrupted when it takes too long."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class DecisionTimeout(BaseException):
    """Raised within a call that was interrupted. No `Exception`, so that the code called does not catch it unawares."""


def run_with_timeout(seconds: float | None, function: Callable[[], T]) -> T:
    """Call ``function``; raise `DecisionTimeout` in it once ``seconds`` have passed.

    Only Python code in the main thread of a process on Unix is interrupted; elsewhere, and within compiled code, the
    call runs on to its end. Whoever swallows the interruption is interrupted again.

    Args:
        seconds: the limit; None for none.
        function: called without arguments.

    Raises:
        DecisionTimeout: the call was interrupted.
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
        # The signal may have come within the line above.
        with contextlib.suppress(DecisionTimeout):
            signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _interrupt(number: int, frame: Any) -> None:
    raise DecisionTimeout
