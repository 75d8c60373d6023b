"""Ctrl-C while modules are imported: it ends the process at once, with nothing to lose.

An exception would not do. It can surface inside other people's modules, which turn it into errors of their own.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INTERRUPTED = 130
"""The exit status that shells expect of a program ended by Ctrl-C."""


@contextmanager
def interruptible_imports() -> Iterator[None]:
    """Let Ctrl-C end the process with status 130 while the block runs."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set handlers
        yield
        return
    before = signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(number: int, frame: Any) -> None:
    os.write(2, b"romans: stopped\n")
    os._exit(INTERRUPTED)
