"""A command of ``romans`` at a terminal without a screen."""

import os
import select
import struct
import subprocess
import sys
import time
from contextlib import contextmanager

import pyte
from click.testing import CliRunner

from romans_training.cli.play import command as play_command
from tests.training.processes import command

if sys.platform != "win32":
    import fcntl
    import termios


def output_of(command, *arguments, answers="", columns=80, **environment):
    """The output of a command in this process, on a terminal of so many columns."""
    runner = CliRunner(env={"COLUMNS": str(columns), **environment})
    result = runner.invoke(command, [str(argument) for argument in arguments], input=answers)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def play_at(*arguments, answers, **settings):
    """The output of a game of seed 5, with these answers."""
    return output_of(play_command, "--seed", 5, *arguments, answers=answers, **settings)


def flat(text):
    """The text on one line."""
    return " ".join(text.split())


def widest(text):
    """The length of its longest line."""
    return max(map(len, text.split("\n")))


class Sitting:
    """A person before a command that runs at a terminal."""

    def __init__(self, ours, columns, rows):
        self._ours = ours
        self.screen = pyte.HistoryScreen(columns, rows, history=10_000, ratio=0.5)
        self._stream = pyte.ByteStream(self.screen)

    def type(self, text):
        os.write(self._ours, text.encode())

    def shown(self):
        """All that the terminal has shown, what has scrolled away included."""
        past = ["".join(line[k].data for k in range(self.screen.columns)) for line in self.screen.history.top]
        return "\n".join(line.rstrip() for line in [*past, *self.screen.display]).rstrip()

    def read_until(self, last, anywhere=""):
        """Read until the last line begins with a text, and another one has been shown."""
        deadline = time.monotonic() + 120
        while not (self.shown().rpartition("\n")[2].startswith(last) and anywhere in self.shown()):
            assert time.monotonic() < deadline, self.shown()
            if select.select([self._ours], [], [], 0.2)[0]:
                self._stream.feed(os.read(self._ours, 65536))
        return self.shown()


@contextmanager
def at_a_terminal(*arguments, columns=80, rows=24, **environment):
    """Run ``romans`` at a terminal, and end it with the block."""
    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    env = {**os.environ, "TERM": "xterm", **environment}
    with subprocess.Popen(command(*arguments), env=env, stdin=its, stdout=its, stderr=its) as process:
        os.close(its)
        try:
            yield Sitting(ours, columns, rows)
        finally:
            process.kill()
    os.close(ours)
