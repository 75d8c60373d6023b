"""Atomic writes, and safe reads of untrusted files.

A file is written under a temporary name and then renamed, so it is complete or missing. Only regular files of bounded
size are read, and whatever is wrong with a file raises an ``OSError`` or a ``ValueError``, which callers convert to
their own documented errors.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from romans_env.errors import shortened

MOST_TEXT = 16 * 2**20
"""The default size limit of text files, in bytes."""

_LONGEST_NAME = 60
"""The largest number of characters of a game's name in file names."""
_MOST_DIGITS = 1000
"""The largest number of digits of an integer in JSON: parsing takes quadratic time."""


def in_file_names(game: str) -> str:
    """Return the name of a game in a form that is safe in file names.

    Names of games of a family may be long and contain brackets: they are shortened, and if that could make two of them
    equal, a part of a digest is appended.
    """
    plain = re.sub(r"[^\w.+-]+", "-", game).strip("-")
    if len(plain) <= _LONGEST_NAME and (plain == game or (":" in game and "(" not in game)):
        return plain
    return f"{plain[:_LONGEST_NAME]}-{hashlib.sha256(game.encode()).hexdigest()[:8]}"


@contextlib.contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path next to ``path``; if the block succeeds, the file written there replaces ``path``.

    Raises:
        OSError: if it cannot be written; the error names ``path``, which is unchanged.
    """
    target = Path(path)
    try:
        if target.exists():
            _check_regular(os.stat(target))  # writing must not replace a device or a pipe by a file
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
    except OSError as error:
        # An error of a write, such as a full disk, names no file, and users do not know the temporary one.
        if error.errno is not None:
            error.filename, error.filename2 = str(target), None
        raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file atomically, in UTF-8."""
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def check_writable(path: str | os.PathLike[str]) -> None:
    """Check that `atomic_write` could write a path, before a long computation whose result goes there.

    The check creates a file next to the path, with all missing folders, and removes them again; an existing file at the
    path is not touched. The write may still fail later, for instance if the disk fills up.

    Args:
        path: the file that will be written or replaced.

    Raises:
        OSError: if the path is a folder or a device, or nothing can be created there; ``filename`` is the path, and
            ``strerror`` says why.
    """
    target = Path(path)
    try:
        if target.exists():
            _check_regular(os.stat(target))  # writing must not replace a device or a pipe by a file
        with _folders_for_now(target.parent):
            handle, name = tempfile.mkstemp(prefix=f".{target.name}-", suffix=target.suffix, dir=target.parent)
            os.close(handle)
            os.unlink(name)
    except OSError as error:
        # The constructor returns the subclass for the error number.
        raise OSError(error.errno, error.strerror, str(target)) from None
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), str(target)) from None


@contextlib.contextmanager
def _folders_for_now(folder: Path) -> Iterator[None]:
    """Create a folder and its missing parents, and remove them again when the block ends."""
    made = []
    try:
        for one in reversed([folder, *folder.parents]):
            if not one.is_dir():
                try:
                    one.mkdir()
                except FileExistsError:
                    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
                made.append(one)
        yield
    finally:
        for one in reversed(made):
            # Another process may have written something there.
            with contextlib.suppress(OSError):
                one.rmdir()


def open_regular(path: str | os.PathLike[str]) -> io.BufferedReader:
    """Open a regular file for reading bytes.

    Raises:
        OSError: if the file does not exist, the path is invalid, or it is a folder, a device or a pipe, which might
            never end; ``strerror`` says which.
    """
    try:
        _check_regular(os.stat(path))
        # Non-blocking, because a pipe may replace the file between the two checks, and opening it would wait.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except ValueError as error:  # a null byte, or a character that the file system cannot encode
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
    r"""Read a UTF-8 text file and convert its line endings to ``\n``.

    Args:
        path: the path of the file.
        most: the largest size in bytes.

    Raises:
        OSError: if the file is too large; also the errors of `open_regular`.
        ValueError: if the file is not UTF-8.
    """
    with open_regular(path) as file:
        # Not ``most + 1``: Python allocates as many bytes as it is asked to read, however short the file is.
        content = file.read(min(os.fstat(file.fileno()).st_size, most) + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 2**20} MB")
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8").read()


def json_of(text: str) -> Any:
    """Parse untrusted JSON.

    Raises:
        ValueError: if the text is not JSON, is nested too deeply, has an integer of more than 1,000 digits, or has an
            object with a duplicate name.
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
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"it gives the name {shortened(name)} twice")
            seen.add(name)
    return found


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
