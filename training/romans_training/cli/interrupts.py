"""Ctrl-C while modules are imported, and SIGTERM while games are played."""

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
    """Let Ctrl-C end the process at once, with status 130, while the block runs.

    An exception would not do. It can surface inside other people's modules, which turn it into errors of their own.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set handlers
        yield
        return
    before = signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def interrupted_by_sigterm() -> Iterator[list[int]]:
    """Let SIGTERM interrupt as Ctrl-C does, so that workers are ended; the list then holds its number."""
    caught: list[int] = []

    def on_signal(number: int, frame: Any) -> None:
        # Ending the workers is not to be interrupted in its turn.
        signal.signal(number, signal.SIG_IGN)
        caught.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield caught
        return
    before = signal.signal(signal.SIGTERM, on_signal)
    try:
        yield caught
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, frame: Any) -> None:
    os.write(2, b"romans: stopped\n")
    os._exit(INTERRUPTED)
