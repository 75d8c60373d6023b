"""Files that are whole or not there, written under a temporary name, then renamed; and files of unknown origin, read.

What is read may come from anywhere, so only regular files of a bounded size are read, and every way in which a file is
not what it should be is an ``OSError`` or a ``ValueError``, which the caller makes its own documented error.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from romans_env.errors import shortened

MOST_TEXT = 16 * 2**20
"""Bytes of a text file that is read, unless its reader says otherwise."""

_MOST_DIGITS = 1000
"""Of an integer in JSON; reading one takes time that grows with the square of their number."""


@contextlib.contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside ``path``; what was written there takes its place when the block ends well."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", suffix=target.suffix, dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file whole."""
    with written_whole(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def open_regular(path: str | os.PathLike[str]) -> io.BufferedReader:
    """Open a regular file to read its bytes.

    Raises:
        OSError: no such file; or a folder, a device or a pipe, which may never end; or something that is no path. Its
            ``strerror`` says so.
    """
    try:
        _check_regular(os.stat(path))
        # Between the two checks a pipe could take the file's place, and opening that would wait for a writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except ValueError as error:  # a null byte, or a letter that the file system cannot write
        raise OSError(errno.EINVAL, f"it is no path: {error}") from None
    try:
        _check_regular(os.fstat(handle))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _check_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")


def read_text(path: str | os.PathLike[str], most: int = MOST_TEXT) -> str:
    """Read a UTF-8 text file, with ``\n`` at the ends of its lines.

    Args:
        path: of the file.
        most: the bytes that it may have.

    Raises:
        OSError: as of `open_regular`, or a file that is too large.
        ValueError: a file that is not UTF-8.
    """
    with open_regular(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 2**20} MB")
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8").read()


def json_of(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: no JSON; or JSON that is nested too deeply, has an integer of more than 1,000 digits, or an object
            that gives a name twice.
    """
    try:
        return json.loads(text, parse_int=_bounded_integer, object_pairs_hook=_object_of)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _bounded_integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"it has an integer of {len(digits):,} digits")
    return int(digits)


def _object_of(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise ValueError(f"it gives the name {shortened(twice)} twice")
    return found


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
