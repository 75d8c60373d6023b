"""The command line in processes of its own."""

from __future__ import annotations

import subprocess
import sys
import time


def romans(*arguments, answers=""):
    """Run ``romans`` in a process; gives exit status, output and error output."""
    command = [sys.executable, "-c", "from romans_training.cli.main import main; main()", *map(str, arguments)]
    done = subprocess.run(command, input=answers, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def wait_for(condition):
    deadline = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
