"""Handling of Ctrl-C during imports, and of Ctrl-C and SIGTERM while games are played."""

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
    """Install a signal handler while the block runs; do nothing outside the main thread, where Python allows none."""
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

    KeyboardInterrupt would not do: it can surface inside third-party modules, which turn it into errors of their own.
    """
    return handled([signal.SIGINT], _end)


@contextmanager
def stopped_and_kept(ctx: click.Context, folder: Path) -> Iterator[list[int]]:
    """When Ctrl-C or SIGTERM stops the block, say how to continue and exit.

    Args:
        ctx: the context to exit.
        folder: the folder that holds the results so far, for the message.

    Yields:
        List that receives SIGTERM's number if it arrives; Ctrl-C is not added.
    """
    caught: list[int] = []

    def on_signal(number: int, frame: Any) -> None:
        # A second signal must not interrupt the end of the workers.
        signal.signal(number, signal.SIG_IGN)
        caught.append(number)
        raise KeyboardInterrupt

    with handled([signal.SIGTERM], on_signal):
        try:
            yield caught
        except KeyboardInterrupt:
            # Written without click, whose import may be what was interrupted.
            sys.stderr.write(f"stopped; the same command continues with the results in {folder}\n")
            ctx.exit(128 + (signal.SIGTERM if caught else signal.SIGINT))


def _end(number: int, frame: Any) -> None:
    os.write(2, b"romans: stopped\n")
    os._exit(INTERRUPTED)
