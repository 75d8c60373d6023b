"""The longest time that a command at a terminal shows nothing, with compiled code kept in an empty folder.

    python -m benchmarks.silence romans play --table 3+1 --against legate,schemer --seed 5
    python -m benchmarks.silence --warm romans rules

The command runs at a pseudo-terminal of 80 columns. Every question that ends with "> " is answered at once, with the
first choice.
"""

from __future__ import annotations

import os
import pty
import re
import resource
import struct
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import NamedTuple

import click

_QUESTION = re.compile(rb"> (\x1b\[[0-9;?]*[a-zA-Z])*$")


class Measured(NamedTuple):
    """What a command at a terminal took.

    Attributes:
        seconds: from its start to its end.
        processor_seconds: of it and its children.
        longest_silence: seconds in which nothing was shown, its start and its end included.
        silent_at: seconds after the start at which that silence began.
        text: what was shown.
    """

    seconds: float
    processor_seconds: float
    longest_silence: float
    silent_at: float
    text: bytes


def measure(command: Sequence[str], answer: bytes = b"1\n") -> Measured:
    """Run a command at a pseudo-terminal, and answer its questions."""
    import fcntl
    import termios

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = last = time.monotonic()
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(command[0], list(command))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    text, silences, unanswered = b"", [], b""
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # its end, on Linux
            data = b""
        now = time.monotonic()
        if not data:
            break
        silences.append((now - last, last - started))
        last, text, unanswered = now, text + data, (unanswered + data)[-200:]
        if _QUESTION.search(unanswered):
            os.write(terminal, answer)
            unanswered = b""
    os.waitpid(process, 0)
    os.close(terminal)
    now = time.monotonic()
    silences.append((now - last, last - started))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(now - started, used, *max(silences), text)


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--warm", is_flag=True, help="Use the code that is compiled already.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def main(command: tuple[str, ...], warm: bool) -> None:
    """Print how long a command ran, and its longest silence."""
    with tempfile.TemporaryDirectory() as folder:
        if not warm:
            os.environ["NUMBA_CACHE_DIR"] = folder
        found = measure(command)
    sys.stdout.write(found.text.decode(errors="replace")[-2000:])
    click.echo(
        f"\n{found.seconds:.1f} s, of which {found.processor_seconds:.1f} s of processor time; "
        f"longest silence {found.longest_silence:.1f} s, after {found.silent_at:.1f} s"
    )


if __name__ == "__main__":
    main()
