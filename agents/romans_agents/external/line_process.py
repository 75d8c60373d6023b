"""A child process that communicates by lines of text on its standard input and output."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING

from romans_env.errors import in_one_line

if TYPE_CHECKING:
    # Imported where it is used, because most programs that import agents start no process.
    import psutil

LONGEST_LINE = 2**16
"""The maximum length of a line to read, in bytes."""
_LAST_ERRORS = 2000
"""Number of bytes that are kept from the end of the program's standard error."""
_PATIENCE_AT_END = 1.0
"""Seconds that a program has to end after its input is closed."""
_LOOK_EVERY = 0.2
"""Seconds between checks whether a silent program still runs."""


class LineProcessError(RuntimeError):
    """A child process cannot be started, has ended, or writes an invalid line."""


class LineProcessTimeout(LineProcessError):
    """A child process did not write a line in time."""


def words_of(command: str) -> list[str]:
    """Split a command into words by the quoting rules of a shell. The command is later run without a shell.

    Raises:
        ValueError: if the command is empty, a quotation is not closed, or the program is not found.
    """
    words = shlex.split(command, posix=os.name != "nt")
    if not words:
        raise ValueError("name the command that starts the program, as in process:node my_bot.js")
    if shutil.which(words[0]) is None:
        raise ValueError(f"there is no program {in_one_line(words[0])}; give its path, or put it on the PATH")
    return words


class LineProcess:
    """A running program, to which lines are written and from which lines are read.

    Args:
        words: the program and its arguments.
        memory: the limit of the program's data memory in MB, on systems that support it (see `can_limit_memory`); None
            for no limit.

    Raises:
        LineProcessError: if the program cannot be started.
    """

    def __init__(self, words: list[str], memory: int | None = None):
        import psutil

        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # A separate process group, so that its children can be killed with it, and Ctrl-C does not kill it
                # directly: it notices the end of its input.
                start_new_session=True,
            )
        except OSError as error:
            raise LineProcessError(f"cannot be started: {in_one_line(error.strerror or error)}") from None
        self._to_write: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._read: queue.Queue[bytes] = queue.Queue(maxsize=4)
        self._errors = bytearray()
        self._closed = threading.Event()
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        assert pipes[0] is not None and pipes[1] is not None and pipes[2] is not None
        threads = (
            (_write, pipes[0], self._to_write),
            (_read, pipes[1], self._read, self._closed),
            (_keep, pipes[2], self._errors),
        )
        self._threads = [threading.Thread(target=run, args=given, daemon=True) for run, *given in threads]
        for thread in self._threads:
            thread.start()
        self._end = weakref.finalize(self, _end, self._process, self._to_write, self._closed)
        if memory is not None:
            with contextlib.suppress(psutil.NoSuchProcess):
                # Data, not address space: runtimes such as that of node reserve far more address space than they use.
                psutil.Process(self._process.pid).rlimit(psutil.RLIMIT_DATA, (memory * 2**20, memory * 2**20))

    def write(self, line: str) -> None:
        """Send a line to the program without blocking; a thread writes it."""
        self._to_write.put(line.encode() + b"\n")

    def read(self, seconds: float) -> str:
        """Return the next line that the program writes, without its line ending.

        Raises:
            LineProcessTimeout: if no line arrives within ``seconds``.
            LineProcessError: if the program has ended, or the line is too long or not UTF-8.
        """
        end, has_ended = time.monotonic() + max(seconds, 0.0), False
        while True:
            left = end - time.monotonic()
            try:
                line = self._read.get(timeout=max(0.0, min(left, _LOOK_EVERY)))
                break
            except queue.Empty:
                # The output does not close if a child process holds it open; the program's own lines have arrived by
                # the second check.
                if has_ended:
                    raise LineProcessError(self._why_ended()) from None
                if left <= 0.0:
                    raise LineProcessTimeout(f"gave no answer in {seconds:.3g} s") from None
                has_ended = _has_ended(self._process)
        if not line.endswith(b"\n"):
            if len(line) > LONGEST_LINE:
                raise LineProcessError(f"wrote a line of more than {LONGEST_LINE:,} bytes")
            raise LineProcessError(self._why_ended())
        try:
            return line.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            raise LineProcessError("wrote a line that is not UTF-8") from None

    def close(self) -> None:
        """End the program: close its input, give it a second to end, then kill it."""
        self._end()

    def kill(self) -> None:
        """Kill the program at once."""
        self._end.detach()
        self._closed.set()
        _kill(self._process)
        self._to_write.put(None)  # closes the input; only after the kill, so that its children can be found by parent

    def _why_ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE_AT_END)
        self._threads[2].join(_PATIENCE_AT_END)  # its last error output says why
        status = self._process.poll()
        if status is None:
            how = "closed its standard output"
        elif status < 0:
            how = f"was ended by {_name_of_signal(-status)}"
        else:
            how = f"ended with status {status}"
        lines = bytes(self._errors).decode(errors="replace").strip().splitlines()
        # In a stack trace, the line that names the error is the last one in Python and one of the first elsewhere.
        telling = [line for line in lines if "error" in line.lower()] or lines
        return f"{how}: {in_one_line(telling[-1].strip(), 200)}" if telling else how


def _write(pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    # In a thread, because writing blocks if the program does not read.
    with contextlib.suppress(OSError, ValueError), pipe:
        while (line := lines.get()) is not None:
            pipe.write(line)
            pipe.flush()


def _read(pipe: IO[bytes], lines: queue.Queue[bytes], closed: threading.Event) -> None:
    with contextlib.suppress(OSError, ValueError), pipe:
        while True:
            line = pipe.readline(LONGEST_LINE + 1)
            while not closed.is_set():
                with contextlib.suppress(queue.Full):
                    lines.put(line, timeout=_LOOK_EVERY)
                    break
            if closed.is_set() or not line.endswith(b"\n"):
                return


def _keep(pipe: IO[bytes], last: bytearray) -> None:
    with contextlib.suppress(OSError, ValueError), pipe:
        while piece := os.read(pipe.fileno(), 4096):
            last += piece
            del last[:-_LAST_ERRORS]


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Return whether a program has ended, without reaping it, so that its process id is not reused before `_kill`."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _end(process: subprocess.Popen[bytes], to_write: queue.SimpleQueue[bytes | None], closed: threading.Event) -> None:
    descendants = _descendants(process)
    try:
        closed.set()
        to_write.put(None)
        end = time.monotonic() + _PATIENCE_AT_END
        while not _has_ended(process) and time.monotonic() < end:
            time.sleep(0.01)
    finally:
        _kill(process, descendants)


def _kill(process: subprocess.Popen[bytes], descendants: Iterable[psutil.Process] = ()) -> None:
    """Kill a program, its process group, and its known descendants outside the group."""
    import psutil

    descendants = [*descendants, *_descendants(process)]
    with contextlib.suppress(OSError):
        # The whole group, because a child whose parent has ended no longer counts as a descendant.
        process.kill() if os.name == "nt" else os.killpg(process.pid, signal.SIGKILL)
    for descendant in descendants:
        with contextlib.suppress(psutil.Error):
            descendant.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_PATIENCE_AT_END)


def _descendants(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return all descendants of a program's process; none once the process has been waited for."""
    import psutil

    with contextlib.suppress(psutil.Error):
        return psutil.Process(process.pid).children(recursive=True) if process.returncode is None else []
    return []


def can_limit_memory() -> bool:
    """Return whether this machine can limit the memory of another process; only Linux can."""
    import psutil

    return hasattr(psutil, "RLIMIT_DATA")


def _name_of_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
