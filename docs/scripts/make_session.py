"""Records the commands of the first hour at a terminal of 80 columns and 24 rows: session.md.

python docs/scripts/make_session.py
"""

from __future__ import annotations

import os
import re
import select
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyte

from romans_env.core.files import write_text

# Windows has no pseudo-terminals.
if sys.platform != "win32":
    import fcntl
    import termios

FOLDER = Path(__file__).resolve().parents[1] / "start"
COLUMNS, ROWS = 80, 24
COMMANDS = (
    "romans evaluate greedy --against random --deals 4000",
    "romans tournament greedy hoarder schemer --deals 8000 --folder games",
    "romans exploit greedy --by search --search-deals 50",
    "romans train --minutes 1 --folder run",
    "romans evaluate gredy",
)
_LIMIT = 1800.0
_RUNNING = re.compile(r"\d (s|min) left")


def recorded(command: str, folder: Path) -> tuple[str, str]:
    """Return the terminal's text after a command, and its progress line while it ran, or '' if it had none.

    The progress line is taken once it shows the time left.

    Args:
        command: the command with its arguments, as in a shell.
        folder: the folder in which to run it.

    Raises:
        TimeoutError: if the command takes longer than half an hour.
    """
    screen = pyte.HistoryScreen(COLUMNS, ROWS, history=10_000, ratio=0.5)
    stream = pyte.ByteStream(screen)
    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    program = [str(Path(sys.executable).with_name("romans")), *command.split()[1:]]
    env = {**os.environ, "TERM": "xterm", "PYTHONUNBUFFERED": "1"}
    end, running = time.monotonic() + _LIMIT, ""
    with subprocess.Popen(program, cwd=folder, env=env, stdin=its, stdout=its, stderr=its) as process:
        os.close(its)
        while process.poll() is None or select.select([ours], [], [], 0)[0]:
            if time.monotonic() > end:
                process.kill()
                raise TimeoutError(f"{command}: it takes more than {_LIMIT / 60:.0f} minutes")
            if select.select([ours], [], [], 0.2)[0]:
                try:
                    stream.feed(os.read(ours, 65536))
                except OSError:  # Linux: nobody writes any more
                    break
            if not running and _RUNNING.search(shown := _text(screen)):
                running = shown
    os.close(ours)
    return _text(screen), running


def _text(screen: pyte.HistoryScreen) -> str:
    """Return the lines of a terminal, including those that have scrolled away."""
    past = ["".join(line[column].data for column in range(COLUMNS)) for line in screen.history.top]
    return "\n".join(line.rstrip() for line in [*past, *screen.display]).rstrip()


def page(folder: Path) -> str:
    """Run the commands in a folder, one after another, and return the page."""
    parts = [
        "# What the commands print\n",
        "Recorded on a busy machine (training is several times faster on idle cores) by "
        "`python docs/scripts/make_session.py`.\n"
        "`schemer` beats `greedy` with fewer points, as three Legion forts win at once.\n",
    ]
    for command in COMMANDS:
        print(command, flush=True)
        shown, running = recorded(command, folder)
        parts.append(f"## `{command}`\n")
        if running:
            parts.append(f"While it runs:\n\n```text\n{running}\n```\n\nAt the end:\n")
        parts.append(f"```text\n{shown}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        write_text(FOLDER / "session.md", page(Path(temporary)))
