"""Ctrl-C while modules are imported, and SIGTERM while games are played."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import click

INTERRUPTED = 130
"""The exit status that shells expect of a program ended by Ctrl-C."""


@contextmanager
def handled(numbers: Sequence[int], handler: Callable[[int, Any], object]) -> Iterator[None]:
    """Handle signals by a function while the block runs; nothing changes but in the main thread, which alone may."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def interruptible_imports() -> AbstractContextManager[None]:
    """Let Ctrl-C end the process at once, with status 130, while the block runs.

    An exception would not do. It can surface inside other people's modules, which turn it into errors of their own.
    """
    return handled([signal.SIGINT], _end)


@contextmanager
def stopped_and_kept(ctx: click.Context, folder: Path) -> Iterator[list[int]]:
    """Say how to go on where Ctrl-C or SIGTERM stops the block, and exit; all workers are ended.

    Yields:
        Numbers of the signals that came, but for Ctrl-C's.
    """
    caught: list[int] = []

    def on_signal(number: int, frame: Any) -> None:
        # Ending the workers is not to be interrupted in its turn.
        signal.signal(number, signal.SIG_IGN)
        caught.append(number)
        raise KeyboardInterrupt

    with handled([signal.SIGTERM], on_signal):
        try:
            yield caught
        except KeyboardInterrupt:
            # Written without click, which is not imported before it is needed.
            sys.stderr.write(f"stopped; the same command goes on with the results in {folder}\n")
            ctx.exit(128 + (signal.SIGTERM if caught else signal.SIGINT))


def _end(number: int, frame: Any) -> None:
    os.write(2, b"romans: stopped\n")
    os._exit(INTERRUPTED)
